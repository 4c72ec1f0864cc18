package import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

extension LifeFact {
  /// What a record says of the period or purchase that it is about, by the record alone.
  ///
  /// Periods of one subscription have different purchase dates, so these number them.
  ///
  /// - Parameter end: the end of the newest period, where the record says something about that; `nil`: the end of the
  ///   period that the record is about.
  package init?(_ side: RecordView, endingAt end: Int64? = nil) {
    let expires = side.integer(FieldNumber.expiresDate)
    let isNewest = end.map { end in expires.map { $0 >= end } ?? true } ?? true
    guard let known = end ?? expires ?? side.endless else { return nil }
    let purchase = side.purchase(endingAt: known)
    let proof = LifePeriod.Proof(confidence: .documented, evidence: [])
    self.init(key: UntoldPeriod.Key(id: 0, purchase: purchase), expires: known, proof: proof)
    (began, time) = (side.integer(FieldNumber.originalPurchaseDate), side.head.time)
    isFamily = side[FieldNumber.inAppOwnershipType]?.isWord(InAppOwnershipType.familyShared.rawValue) == true
    if isNewest { learnEnd(side) }
    let type = side.event.notificationType
    isRefundReversed = type == NotificationType.refundReversed.rawValue && revocation == nil
    graceEnd = side.integer(FieldNumber.gracePeriodExpiresDate)
    // The retry flag does not survive a renewal: with one, it is still about the period before. Source: evidence §5.
    isRetrying = side[FieldNumber.isInBillingRetryPeriod]?.integer == 1 && !side.event.beginsPeriod
    reportsFailure = type == NotificationType.didFailToRenew.rawValue
    isFailing = isRetrying || reportsFailure || graceEnd.map { $0 > known } ?? false
    self.isNewest = side.newestEnd.map { $0 <= known } ?? true
    isLastWord = side.head.origin != .legacy
  }

  private mutating func learnEnd(_ side: RecordView) {
    isReplaced = side[FieldNumber.isUpgraded]?.integer == 1
    revocation = side.integer(FieldNumber.revocationDate)
    revocationReason = side.reasonOfRevocation
    reportsRevocation = revocation != nil
    isTakenBack =
      revocation == nil
      && (side.head.isTakenBackUndated || side.integer(FieldNumber.status) == Int64(Status.revoked.rawValue))
    takenBackBy = side.head.asOf
    if side.isSubscription, expires == .max {
      // The end of the subscription is missing: only from then on it is known that nothing runs.
      (isTakenBack, takenBackBy, revocation) = (true, revocation, nil)
    }
    reportsEnd = side.event.notificationType == NotificationType.expired.rawValue
  }
}

extension RecordView {
  /// The end of the newest period by what the record says of the next renewal.
  package var newestEnd: Int64? { integer(FieldNumber.renewalDate) }

  /// V1 names a consumable by its id when it is no longer listed: that it was refunded is all that V1 says of it.
  package var isRefundOfUnlisted: Bool {
    head.origin == .legacy && head.name == NotificationType.refund.rawValue && self[FieldNumber.purchaseDate] == nil
      && self[FieldNumber.expiresDate] == nil
  }

  /// Why a purchase that was taken back gives no access.
  var reasonOfRevocation: AccessReason {
    .ofRevocation(
      isUpgraded: self[FieldNumber.isUpgraded]?.integer == 1, revocationType: text(FieldNumber.revocationType),
      notificationType: event.notificationType)
  }

  fileprivate var isSubscription: Bool {
    self[FieldNumber.webOrderLineItemId] != nil
      || self[FieldNumber.type]?.isWord(ProductType.autoRenewableSubscription.rawValue) == true
  }

  /// The end of a purchase that has none; `nil` for a subscription, whose end is missing, and without the purchase.
  fileprivate var endless: Int64? {
    let isRevoked = self[FieldNumber.revocationDate] != nil
    return self[FieldNumber.purchaseDate] != nil && (isRevoked || !isSubscription) ? .max : nil
  }

  /// When the period was bought: before its end and before the record, where no date says it.
  fileprivate func purchase(endingAt end: Int64) -> Int64 {
    integer(FieldNumber.purchaseDate) ?? head.time.map { min($0, end) } ?? end
  }
}
