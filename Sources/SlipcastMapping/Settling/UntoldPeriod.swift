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
  /// That was before it began, as the whole list of a record shows.
  package var isReplacedBeforeItBegan = false
  /// A list that lacks nothing shows it together with the period before.
  package var isListedWhole = false

  package init(key: Key, expires: Int64, product: UInt64) {
    (self.key, self.expires, self.product) = (key, expires, product)
  }

  /// The product as lists number it.
  package static func number(ofProduct name: String) -> UInt64 { HistoryMessage.number(ofPeriod: name) }
}

extension UnitedPeriods {
  /// Lists show a period of the subscription that no message is about.
  var hasUntold: Bool { entries.values.contains { $0.told == nil && $0.isTerm } }

  /// The periods of a subscription that no message is about, each after the period that comes before it; the first ones
  /// before the oldest period that a message is about.
  package var untold:
    (
      following: [(after: UntoldPeriod.Key, period: UntoldPeriod)],
      first: (before: UntoldPeriod.Key, period: UntoldPeriod)?
    )
  {
    // Most subscriptions: messages are about every period that a list shows.
    guard hasUntold else { return ([], nil) }
    let order = terms
    let following = zip(order, order.dropFirst()).compactMap { before, next in
      next.told == nil ? (before.key, UntoldPeriod(next)) : nil
    }
    guard let oldest = order.first, oldest.told == nil, let start = order.first(where: { $0.told != nil }) else {
      return (following, nil)
    }
    return (following, (start.key, UntoldPeriod(oldest)))
  }
}

extension UntoldPeriod {
  fileprivate init(_ known: UnitedPeriods.Entry) {
    self.init(key: known.key, expires: known.period.expires, product: known.period.product)
    (revocation, isUpgraded) = (known.revocation, known.period.traits.contains(.upgraded))
    isListedWhole = known.isListedWhole
  }
}
