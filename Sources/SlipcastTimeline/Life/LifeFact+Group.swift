internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

extension LifeFact {
  /// What an event says of its period; `nil` where it names none that ends.
  init?(_ group: EventGroup, _ proof: LifePeriod.Proof) {
    guard let transaction = group.facts.transaction, let name = transaction.lineName, transaction.purchaseDate != nil,
      let expires = transaction.expiresDate?.milliseconds
    else { return nil }
    self.init(key: transaction.key(name), expires: expires, proof: proof)
    (time, isLate) = (group.time, group.after != nil)
    productId = transaction.productId
    (offerType, discount) = (transaction.offerType?.known, transaction.offerDiscountType?.known)
    plan = transaction.billingPlanType?.known
    isFamily = transaction.inAppOwnershipType?.known == .familyShared
    (isReplaced, revocation) = (transaction.isUpgraded == true, transaction.revocationDate?.milliseconds)
    reportsRevocation = group.mayBe(.refund) || group.mayBe(.revoke)
    if revocation != nil {
      let type = group.mayBe(.revoke) ? NotificationType.revoke.rawValue : group.notificationType
      revocationReason = AccessReason.ofRevocation(
        isUpgraded: false, revocationType: transaction.revocationType?.rawValue, notificationType: type)
    }
    if !group.candidates.isEmpty, reportsRevocation, revocation == nil, !isReplaced {
      mayEnd = group.time ?? key.purchase
    }
    isRefundReversed = group.candidates.isEmpty && group.mayBe(.refundReversed) && revocation == nil
    isRetrying = group.isRetrying
    reportsEnd = group.candidates.isEmpty && group.mayBe(.expired)
    let isRetryEnd = reportsEnd && group.subtype == Subtype.billingRetry.rawValue
    reportsFailure = group.candidates.isEmpty && group.mayBe(.didFailToRenew)
    isFailing = isRetrying || isRetryEnd || group.mayBe(.didFailToRenew)
    graceEnd = group.facts.renewal?.gracePeriodExpiresDate?.milliseconds
  }
}
