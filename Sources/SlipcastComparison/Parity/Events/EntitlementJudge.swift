internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Answers for either side whether access is due at a time.
///
/// A side's own `data.status` counts when it was judged at that very time; otherwise its dates count: a revocation of
/// the newest period that is not later, the start and the end of the period, the end of grace. A purchase without an
/// end is due until it is revoked. Sources: App Store Server Notifications, status; verifyReceipt, expires_date and
/// cancellation_date.
struct EntitlementJudge {
  /// How near to the end of a period or of its grace two answers may differ, in milliseconds.
  let tolerance: Int64

  enum Finding: Equatable {
    case granted, denied, legacyOnly, serverOnly, timeDependent, unknown
  }

  struct Answer {
    var finding: Finding
    var asOf: Int64?
    var legacy: EntitlementParity.Access?
    var server: EntitlementParity.Access?
    /// Whether access ends earlier or later by V2 than by V1; `nil`: at the same time, or not requested.
    var serverEnds: End?
  }

  enum End { case earlier, later }

  func judge(_ legacy: RecordView, _ server: RecordView, asOf fixed: Int64?) -> Answer {
    guard let time = fixed ?? server.head.asOf ?? legacy.head.asOf else { return Answer(finding: .unknown) }
    let isGiven = fixed != nil
    let one = access(legacy, time, trustsStatus: !isGiven && legacy.head.origin != .legacy, isTimeGiven: isGiven)
    let two = access(server, time, trustsStatus: !isGiven, isTimeGiven: isGiven)
    guard let one, let two else { return Answer(finding: .unknown, asOf: time, legacy: one, server: two) }
    var finding: Finding =
      one.isGranted == two.isGranted
      ? (one.isGranted ? .granted : .denied) : one.isGranted ? .legacyOnly : .serverOnly
    let isEndless = one.reason.isRevocation || two.reason.isRevocation
    if one.isGranted != two.isGranted, !isEndless, isNearEnd(legacy, server, time) { finding = .timeDependent }
    return Answer(finding: finding, asOf: time, legacy: one, server: two)
  }

  /// One side's answer; `nil` when it has too little data.
  ///
  /// - Parameter isTimeGiven: the time is not that of the record, which may be of a later period or state.
  func access(
    _ side: RecordView, _ time: Int64, trustsStatus: Bool, isTimeGiven: Bool
  ) -> EntitlementParity.Access? {
    if trustsStatus, let number = side.integer(FieldNumber.status),
      let status = Int32(exactly: number).flatMap(Status.init)
    {
      return Self.access(status, side)
    }
    if isTimeGiven, isLater(side.integer(FieldNumber.purchaseDate), than: time) {
      // An earlier period, which the record does not show, may run at that time.
      guard isLater(side.integer(FieldNumber.originalPurchaseDate), than: time) else { return nil }
      return EntitlementParity.Access(isGranted: false, reason: .unknown)
    }
    let revocation = side.integer(FieldNumber.revocationDate)
    // Two clocks: what is revoked at this moment is revoked.
    let isRevoked = revocation.map { !isLater($0, than: time) } ?? false
    if isTimeGiven, isSilent(side, about: time) { return nil }
    guard let end = isTimeGiven ? end(side, at: time) : end(side) else {
      // Without the purchase itself there is nothing to judge, nor without the end of a subscription that still runs.
      guard side[FieldNumber.purchaseDate] != nil, isRevoked || !isSubscription(side) else { return nil }
      return Self.access(isRevoked ? .revoked : .active, side)
    }
    let isNewest = side.integer(FieldNumber.expiresDate).map { $0 >= end } ?? true
    if isRevoked, isNewest { return Self.access(.revoked, side) }
    if revocation == nil, isNewest, side.integer(FieldNumber.status) == Int64(Status.revoked.rawValue) {
      // A later record does not show whether the revocation came before the time.
      return isLater(side.head.asOf, than: time) ? nil : Self.access(.revoked, side)
    }
    if end > time { return Self.access(.active, side) }
    if let grace = side.integer(FieldNumber.gracePeriodExpiresDate), grace > time {
      return Self.access(.billingGracePeriod, side)
    }
    return Self.access(side[FieldNumber.isInBillingRetryPeriod]?.integer == 1 ? .billingRetry : .expired, side)
  }

  /// A record that was written after a time, when its period was over, does not show what ran then: a period between,
  /// or a grace period that it names no more.
  private func isSilent(_ side: RecordView, about time: Int64) -> Bool {
    guard isLater(side.head.time, than: time), let expiry = side.integer(FieldNumber.expiresDate), expiry <= time else {
      return false
    }
    if let renewal = side.integer(FieldNumber.renewalDate), renewal > time { return true }
    if let grace = side.integer(FieldNumber.gracePeriodExpiresDate), grace > time { return false }
    return side[FieldNumber.isInBillingRetryPeriod]?.integer == 1
      || side.integer(FieldNumber.expirationIntent) == Self.billingError
  }

  private static let billingError = Int64(ExpirationIntent.billingError.rawValue)

  /// A date is after a time, by more than two clocks may differ.
  func isLater(_ date: Int64?, than time: Int64) -> Bool {
    date.map { $0.subtractingReportingOverflow(tolerance).partialValue > time } ?? false
  }

  /// Whether access by V2, which both sides grant at a time, ends before or after that by V1; what never ends is after
  /// all else.
  func serverEnds(_ legacy: RecordView, _ server: RecordView, after time: Int64) -> End? {
    // A value about the next renewal on only one side is not comparable.
    let isRenewalKnown = legacy[FieldNumber.renewalDate] != nil && server[FieldNumber.renewalDate] != nil
    func end(_ side: RecordView) -> Int64 {
      let (period, revoked) = (side.integer(FieldNumber.expiresDate), side.integer(FieldNumber.revocationDate) ?? .max)
      let isRunning = period.map { $0 > time } ?? false
      guard let end = isRunning || !isRenewalKnown ? period : self.end(side) else { return revoked }
      // A refund of an older period does not end the newest.
      let isOlder = period.map { $0 < end } ?? false
      return min(max(end, side.integer(FieldNumber.gracePeriodExpiresDate) ?? end), isOlder ? .max : revoked)
    }
    let (one, two) = (end(legacy), end(server))
    // Two clocks, or milliseconds that were cut off.
    guard one.subtractingReportingOverflow(two).partialValue.magnitude > tolerance.magnitude else { return nil }
    return two < one ? .earlier : .later
  }

  private func isSubscription(_ side: RecordView) -> Bool {
    side[FieldNumber.webOrderLineItemId] != nil
      || side[FieldNumber.type]?.isWord(ProductType.autoRenewableSubscription.rawValue) == true
  }

  /// The end of the newest period that the side knows.
  func end(_ side: RecordView) -> Int64? {
    let ends = (side.integer(FieldNumber.expiresDate), side.integer(FieldNumber.renewalDate))
    guard let one = ends.0, let two = ends.1 else { return ends.0 ?? ends.1 }
    return max(one, two)
  }

  /// The end of the period that counts at a time: what a later record says of the next renewal is of a later period.
  func end(_ side: RecordView, at time: Int64) -> Int64? {
    guard isLater(side.head.time, than: time), let expiry = side.integer(FieldNumber.expiresDate), expiry > time else {
      return end(side)
    }
    return expiry
  }

  /// The transaction is of a period before the one that counts at a time.
  func isOfOlderPeriod(_ side: RecordView, at time: Int64) -> Bool {
    guard let expiry = side.integer(FieldNumber.expiresDate), let end = end(side, at: time) else { return false }
    return expiry < end
  }

  private func isNearEnd(_ legacy: RecordView, _ server: RecordView, _ time: Int64) -> Bool {
    let fields = [FieldNumber.expiresDate, FieldNumber.renewalDate, FieldNumber.gracePeriodExpiresDate]
    return time.isNear(fields.flatMap { [legacy.integer($0), server.integer($0)] }, tolerance)
  }

  private static func access(_ status: Status, _ side: RecordView) -> EntitlementParity.Access {
    let reason: AccessReason =
      switch status {
      case .active: .active
      case .expired: .expired
      case .billingRetry: .billingRetry
      case .billingGracePeriod: .grace
      case .revoked:
        .ofRevocation(
          isUpgraded: side[FieldNumber.isUpgraded]?.integer == 1, revocationType: side.text(FieldNumber.revocationType),
          notificationType: side.event.notificationType)
      }
    return EntitlementParity.Access(isGranted: status == .active || status == .billingGracePeriod, reason: reason)
  }
}
