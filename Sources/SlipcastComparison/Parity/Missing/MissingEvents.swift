/// The events that count as missing: all of them by kind, and the first ones in full.
package struct MissingEvents: Hashable, Sendable {
  /// So many of either side are listed in reports; JSON has all.
  package static let limit = 10_000

  /// V1 events without a V2 notification, refunds first, then by time.
  package var legacy: [MissingEvent] = []
  /// V2 notifications without a V1 event, likewise.
  package var server: [MissingEvent] = []
  /// All of them by side and type: refunds first, then the most frequent.
  package var kinds: [Kind] = []
  /// The entries of a baseline that accepted one, and how many of them that nothing distinguishes.
  package var known: [KnownEvent: Int] = [:]

  package init() {}

  /// The missing events of one side and type.
  package struct Kind: Hashable, Sendable {
    package var side: MissingEvent.Side
    package var type: String
    package var isRefund: Bool
    package var count = 0
    /// Those that a baseline accepts.
    package var accepted = 0
  }

  package func kinds(_ side: MissingEvent.Side) -> [Kind] { kinds.filter { $0.side == side } }

  package func events(_ side: MissingEvent.Side) -> [MissingEvent] { side == .legacy ? legacy : server }

  package func count(_ side: MissingEvent.Side) -> Int { kinds(side).reduce(0) { $0 + $1.count } }

  /// Refunds of both sides that no baseline accepts.
  var openRefunds: Int { kinds.reduce(0) { $0 + ($1.isRefund ? $1.count - $1.accepted : 0) } }

  /// Other events of a side that no baseline accepts.
  func open(_ side: MissingEvent.Side) -> Int {
    kinds(side).reduce(0) { $0 + ($1.isRefund ? 0 : $1.count - $1.accepted) }
  }
}
