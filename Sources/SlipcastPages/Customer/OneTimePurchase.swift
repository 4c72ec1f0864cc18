internal import SlipcastMapping
internal import SlipcastTimeline
internal import SlipcastV2
internal import SlipcastWire

/// A purchase other than a subscription that renews.
struct OneTimePurchase: Sendable {
  enum Kind: Hashable, Sendable {
    /// Access lasts until a refund.
    case lasting
    /// It is used up.
    case consumable
    /// The app decides when it ends: Apple states no end.
    case nonRenewing
    /// No record states what it is.
    case unknown
  }

  var productId: String?
  var kind: Kind
  var time: Int64?
  var revocation: Int64?
  /// Why it does not give access any more.
  var reason: AccessReason?
  var confidence: Confidence

  /// The newest one of a life; `nil` where it has none.
  ///
  /// - Parameter types: what was bought, by the id of its transaction.
  static func newest(of life: CollectedLife, _ types: [String: ProductType], asOf: Int64) -> OneTimePurchase? {
    var newest: OneTimePurchase?
    for entry in life.entries {
      guard case .event(let group) = entry, (group.time ?? .min) <= asOf, let transaction = group.facts.transaction,
        transaction.expiresDate == nil, let kind = kind(group, transaction, types)
      else { continue }
      let type = group.candidates.isEmpty ? group.notificationType : nil
      let isTold = EventName.takesBack(type)
      var purchase = OneTimePurchase(
        productId: transaction.productId, kind: kind, time: transaction.purchaseDate?.milliseconds,
        confidence: group.confidence ?? .documented)
      let isReversed = type == NotificationType.refundReversed.rawValue
      if !isReversed, transaction.revocationDate != nil || isTold {
        purchase.revocation = transaction.revocationDate?.milliseconds
        purchase.reason = AccessReason.ofRevocation(
          isUpgraded: false, revocationType: transaction.revocationType?.rawValue,
          notificationType: group.notificationType)
      }
      newest = purchase
    }
    return newest
  }

  /// - Returns: `nil` for a subscription whose end cannot be read: it has an end.
  private static func kind(
    _ group: EventGroup, _ transaction: EventFacts.Transaction, _ types: [String: ProductType]
  ) -> Kind? {
    switch transaction.transactionId.flatMap({ types[$0] }) {
    case .autoRenewableSubscription: return nil
    case .nonConsumable: return .lasting
    case .consumable: return .consumable
    case .nonRenewingSubscription: return .nonRenewing
    case nil:
      guard transaction.webOrderLineItemId == nil, group.facts.renewal == nil else { return nil }
      return .unknown
    }
  }
}
