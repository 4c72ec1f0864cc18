internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Answers for the two records of a pair whether access is due at a time.
///
/// A side's own `data.status` counts when it was judged at that very time; otherwise its dates do, read as a `LifePeriod`
/// of which nothing else is known. One record does not decide whether a customer has access: `AccessBook` asks the
/// whole life. Sources: App Store Server Notifications, status; verifyReceipt, expires_date and cancellation_date.
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
      return EntitlementParity.Access(Self.reason(status, side))
    }
    if isTimeGiven, isLater(side.integer(FieldNumber.purchaseDate), than: time) {
      // An earlier period, which the record does not show, may run at that time.
      guard isLater(side.integer(FieldNumber.originalPurchaseDate), than: time) else { return nil }
      return EntitlementParity.Access(isGranted: false, reason: .unknown)
    }
    if isTimeGiven, isSilent(side, about: time) { return nil }
    guard let fact = LifeFact(side, endingAt: isTimeGiven ? end(side, at: time) : end(side)) else { return nil }
    let reason = LifePeriod(fact).reason(at: time, tolerance: tolerance)
    // By what replaced it the customer may have access, which the record does not show.
    return reason == .unknown || reason == .upgraded ? nil : EntitlementParity.Access(reason)
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

  private func isNearEnd(_ legacy: RecordView, _ server: RecordView, _ time: Int64) -> Bool {
    let fields = [FieldNumber.expiresDate, FieldNumber.renewalDate, FieldNumber.gracePeriodExpiresDate]
    return time.isNear(fields.flatMap { [legacy.integer($0), server.integer($0)] }, tolerance)
  }

  private static func reason(_ status: Status, _ side: RecordView) -> AccessReason {
    switch status {
    case .active: .active
    case .expired: .expired
    case .billingRetry: .billingRetry
    case .billingGracePeriod: .grace
    case .revoked: side.reasonOfRevocation
    }
  }
}

extension EntitlementParity.Access {
  fileprivate init(_ reason: AccessReason) {
    self.init(isGranted: reason == .active || reason == .grace, reason: reason)
  }
}
