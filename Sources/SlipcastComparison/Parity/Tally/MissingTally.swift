internal import SlipcastMapping

/// Counts missing events by side and type, and finds those that a baseline accepts.
struct MissingTally {
  /// Hostile archives have names without end.
  private static let most = 2000

  private struct Key: Hashable {
    var side: MissingEvent.Side
    var type: String
    var isRefund: Bool
  }

  private var all: [Key: MissingEvents.Kind] = [:]
  private var known: KnownEventPool
  /// Refunds that the baseline accepts, by their subscription or purchase.
  private(set) var acceptedRefunds: Set<String>
  /// Those that were met.
  private(set) var found: [KnownEvent] = []

  init(_ known: [KnownEvent]) {
    self.known = KnownEventPool(known)
    acceptedRefunds = Set(known.filter { EventName(spelled: $0.type).takesBack }.map(\.originalTransactionId))
  }

  /// - Returns: the event, marked where the baseline accepts it.
  mutating func add(_ event: MissingEvent) -> MissingEvent {
    var event = event
    if let entry = known.take(for: event) {
      event.isAccepted = true
      found.append(entry)
    }
    var key = Key(side: event.side, type: event.type, isRefund: event.isRefund)
    if all.count >= Self.most, all[key] == nil { key.type = "…" }
    var kind = all[key] ?? MissingEvents.Kind(side: key.side, type: key.type, isRefund: key.isRefund)
    kind.count += 1
    if event.isAccepted { kind.accepted += 1 }
    all[key] = kind
    return event
  }

  var kinds: [MissingEvents.Kind] {
    all.values.sorted { left, right in
      (left.side == .legacy ? 0 : 1, left.isRefund ? 0 : 1, right.count, left.type)
        < (right.side == .legacy ? 0 : 1, right.isRefund ? 0 : 1, left.count, right.type)
    }
  }
}
