/// A period that lists show and that no message of the archive is about.
///
/// Times are milliseconds since 1970 UTC.
package struct UntoldPeriod: Hashable, Sendable {
  /// The period as messages number it, with its purchase.
  package struct Key: Hashable, Sendable {
    package var id: UInt64
    package var purchase: Int64

    package init(id: UInt64, purchase: Int64) { (self.id, self.purchase) = (id, purchase) }
  }

  package var key: Key
  package var expires: Int64
  /// When it was refunded or revoked; `Int64.max` if not.
  package var revocation = Int64.max
  /// The product, hashed.
  package var product: UInt64
  /// Another purchase replaced it.
  package var isUpgraded = false
  /// A list that lacks nothing shows it together with the period before.
  package var isListedWhole = false

  package init(key: Key, expires: Int64, product: UInt64) {
    (self.key, self.expires, self.product) = (key, expires, product)
  }

  /// The product as lists number it.
  package static func number(ofProduct name: String) -> UInt64 { HistoryMessage.number(ofPeriod: name) }
}

extension Settler {
  /// The periods of a subscription that no message is about, each after the period that comes before it; the first ones
  /// before the oldest period that a message is about.
  package static func untold(
    in messages: [HistoryMessage]
  ) -> (
    following: [(after: UntoldPeriod.Key, period: UntoldPeriod)],
    first: (before: UntoldPeriod.Key, period: UntoldPeriod)?
  ) {
    let told = Set(messages.lazy.filter(\.hasEvent).compactMap(\.about?.id))
    var found: [UntoldPeriod.Key: UntoldPeriod] = [:]
    var shown: [UntoldPeriod.Key] = []
    var isUntold = false
    for message in messages {
      for period in message.periods where period.traits.contains(.own) && period.expires != HistoryMessage.noTime {
        let key = UntoldPeriod.Key(id: period.id, purchase: period.purchase)
        if !told.contains(period.id) { isUntold = true }
        var known = found[key] ?? UntoldPeriod(key: key, expires: period.expires, product: period.product)
        if found[key] == nil { shown.append(key) }
        known.expires = max(known.expires, period.expires)
        if period.isRevoked { known.revocation = min(known.revocation, period.cancellation) }
        if period.traits.contains(.upgraded) { known.isUpgraded = true }
        if message.scope.contains(.whole) { known.isListedWhole = true }
        found[key] = known
      }
    }
    // Most subscriptions: messages are about every period that a list shows.
    guard isUntold else { return ([], nil) }
    let order = shown.sorted { ($0.purchase, $0.id) < ($1.purchase, $1.id) }
    var following: [(after: UntoldPeriod.Key, period: UntoldPeriod)] = []
    for (before, key) in zip(order, order.dropFirst()) where !told.contains(key.id) {
      if let period = found[key] { following.append((before, period)) }
    }
    guard let oldest = order.first, !told.contains(oldest.id), let start = order.first(where: { told.contains($0.id) }),
      let period = found[oldest]
    else { return (following, nil) }
    return (following, (start, period))
  }
}
