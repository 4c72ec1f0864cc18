package import SlipcastMapping
internal import SlipcastV2

/// One line of a subscription's history.
package enum TimelineEntry: Sendable {
  /// An event in the archive.
  case event(EventGroup)
  /// An event that V2 would have sent and V1 never does.
  case gap(Gap)

  /// When it happened, in milliseconds since 1970 UTC.
  package var time: Int64? {
    switch self {
    case .event(let group): group.time
    case .gap(let gap): gap.time
    }
  }
}

/// An event that V2 sends and V1 never does, shown by a trace in the archive; no V2 line is ever made of it.
package struct Gap: Sendable {
  /// The rule for it: `server.EXPIRED.VOLUNTARY`.
  package var rule: String
  /// The event.
  package var event: EventName
  /// When it happened, in milliseconds since 1970 UTC.
  package var time: Int64
  /// The event happened at `time` or before: a later message is the first that shows it.
  package var isLatest: Bool
  /// The V2 path that shows it.
  package var trace: String
  /// Its confidence.
  package var confidence: RuleConfidence
  /// Keys of `sources.json`.
  package var source: String
  /// One sentence.
  package var meaning: String
  /// False before V2 went live: then V2 has no events to compare.
  package var isComparable: Bool
}

/// The summary of a subscription's history.
package struct SubscriptionSummary: Sendable {
  /// The maximum number of named products; a subscription has a few.
  static let productLimit = 32

  /// The subscription; `nil` for an event that belongs to none.
  package var originalTransactionId: String?
  /// The app's bundle id.
  package var bundleId: String?
  /// The environment.
  package var environment: String?
  /// The products, in the order of their first appearance.
  package var products: [String] = []
  /// The time of the first event with a time.
  package var first: Int64?
  /// The time of the last one.
  package var last: Int64?
  /// The counts of the messages.
  package var counts = GroupingCounts()
  /// Events that V1 never sends.
  package var gaps = 0

  mutating func add(_ entry: TimelineEntry) {
    guard case .event(let group) = entry else {
      gaps += 1
      return
    }
    bundleId = bundleId ?? group.facts.bundleId
    environment = environment ?? group.facts.environment
    if let product = group.facts.transaction?.productId, products.count < Self.productLimit,
      !products.contains(product)
    {
      products.append(product)
    }
    guard let time = group.time else { return }
    first = min(first ?? time, time)
    last = max(last ?? time, time)
  }
}
