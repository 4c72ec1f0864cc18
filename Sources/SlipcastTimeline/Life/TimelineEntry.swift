package import SlipcastMapping
package import SlipcastV2

package enum TimelineEntry: Sendable {
  case event(EventGroup)
  /// An event that V2 would have sent and V1 never does.
  case gap(Gap)
  /// A transaction of V2, shown next to the events.
  case transaction(TimelineTransaction)

  /// When it happened, in milliseconds since 1970 UTC.
  package var time: Int64? {
    switch self {
    case .event(let group): group.time
    case .gap(let gap): gap.time
    case .transaction(let transaction): transaction.purchaseDate
    }
  }
}

/// A transaction of Apple's server; names as in V2, times in milliseconds since 1970 UTC.
package struct TimelineTransaction: Sendable {
  package var transactionId: String?
  package var webOrderLineItemId: String?
  package var bundleId: String?
  package var environment: String?
  package var productId: String?
  package var purchaseDate: Int64?
  package var expiresDate: Int64?
  package var revocationDate: Int64?
  /// The order of `--order` holds it.
  package var isOfOrder = false

  package init() {}
}

/// A V2 event that no message reports, shown by a trace in the archive; no V2 line is ever made of it.
package struct Gap: Sendable {
  /// How the stated time relates to the time of the event.
  package enum Timing: String, CaseIterable, Sendable {
    /// It happened then.
    case exact
    /// It happened then or before: a later message is the first that shows it.
    case latest
    /// It happened then or later.
    case earliest
  }

  /// What all gaps of one rule have in common; each worker has its own, so that gaps are copied without waiting for
  /// others.
  final class Kind: Sendable {
    let server: ServerEvent
    let candidates: GapCandidates

    init(_ server: ServerEvent, _ rules: RuleSet) { (self.server, candidates) = (server, GapCandidates(server, rules)) }
  }

  let kind: Kind
  /// The event, where more is known than what the rule says.
  var decided: EventName?
  /// The events that the trace may stand for, where other values exclude some.
  var narrowed: [EventName]?
  /// When it happened, in milliseconds since 1970 UTC.
  package var time: Int64
  package var timing: Timing
  /// The V2 path that shows it.
  package var trace: String
  package var confidence: Confidence
  /// False before V2 went live: then V2 has no events to compare.
  package var isComparable: Bool
  /// The period that it is about, as lists number it.
  package var period: UntoldPeriod.Key?
  /// The product of the period, where a message names it.
  package var productId: String?
  /// The end of the period, in milliseconds since 1970 UTC.
  package var expires: Int64?

  /// The rule for it: `server.EXPIRED.VOLUNTARY`.
  package var rule: String { kind.server.id }
  package var event: EventName { decided ?? kind.server.event }
  /// The events that the trace may stand for; empty where it shows which.
  package var candidates: [EventName] { decided == nil ? narrowed ?? kind.candidates.events : [] }
  /// Keys of `sources.json`.
  package var source: String { kind.server.source }
  package var meaning: String { kind.server.trace }
  /// A period begins with it.
  var isRenewal: Bool { kind.server.test == .renewal }
  /// V1 has messages for it, and the archive has none.
  package var isSent: Bool { kind.server.isSent }
}

package struct SubscriptionSummary: Sendable {
  /// The maximum number of named products; a subscription has a few.
  static let productLimit = 32

  /// The subscription; `nil` for an event that belongs to none.
  package var originalTransactionId: String?
  package var bundleId: String?
  package var environment: String?
  /// The products, in the order of their first appearance.
  package var products: [String] = []
  package var first: Int64?
  package var last: Int64?
  package var counts = GroupingCounts()
  /// Events that no message reports.
  package var gaps = 0
  /// Those among them for which V1 has messages.
  package var unreported = 0

  mutating func add(_ entry: TimelineEntry) {
    let group: EventGroup
    switch entry {
    case .event(let event): group = event
    case .gap(let gap):
      gaps += 1
      if gap.isSent { unreported += 1 }
      return
    case .transaction(let transaction): return add(transaction)
    }
    bundleId = bundleId ?? group.facts.bundleId
    environment = environment ?? group.facts.environment
    if let product = group.facts.transaction?.productId, products.count < Self.productLimit,
      !products.contains(product)
    {
      products.append(product)
    }
    cover(group.time)
  }

  private mutating func add(_ transaction: TimelineTransaction) {
    bundleId = bundleId ?? transaction.bundleId
    environment = environment ?? transaction.environment
    if let product = transaction.productId, products.count < Self.productLimit, !products.contains(product) {
      products.append(product)
    }
    cover(transaction.purchaseDate)
  }

  private mutating func cover(_ time: Int64?) {
    guard let time else { return }
    first = min(first ?? time, time)
    last = max(last ?? time, time)
  }
}
