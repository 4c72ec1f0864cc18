package import SlipcastMapping
package import SlipcastV2

package enum TimelineEntry: Sendable {
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
  package var event: EventName
  /// When it happened, in milliseconds since 1970 UTC.
  package var time: Int64
  /// The event happened at `time` or before: a later message is the first that shows it.
  package var isLatest: Bool
  /// The V2 path that shows it.
  package var trace: String
  package var confidence: Confidence
  /// Keys of `sources.json`.
  package var source: String
  package var meaning: String
  /// False before V2 went live: then V2 has no events to compare.
  package var isComparable: Bool
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
