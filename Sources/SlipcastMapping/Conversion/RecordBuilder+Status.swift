@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// The status of the subscription, and when it holds.
extension RecordBuilder {
  /// The end of a grace period is past, or belongs to a failed renewal that was paid since.
  func isGraceOver(_ end: Int64) -> Bool {
    if let time = known.judgeTime, end <= time { return true }
    return focus.newestPeriod.map { known.periods[$0].expires >= end } ?? false
  }

  private func isFailing(_ period: Period) -> Bool { known.type.is(.failure) && period.isSameOriginal }

  /// The body says outright that Apple no longer tries to renew.
  private var isRetryOver: Bool {
    focus.renewalEntry >= 0 && record.flag(focus.renewalEntry, .is_in_billing_retry_period) == false
  }

  /// When the status holds: V2 states it as of its signing, soon after the event, which the received time stands for.
  ///
  /// A message that came later is a repeated delivery: its status is that of the first one, at its event.
  var statusTime: Int64? {
    guard record.form == .notification, let receivedAt = known.receivedAt else { return known.judgeTime }
    guard let eventTime = known.eventTime, receivedAt - eventTime > known.length(compiled.parameters.server) else {
      return receivedAt
    }
    return eventTime
  }

  /// Status 1 to 5 at that time: the first of the rules' steps that holds.
  ///
  /// Source: Apple, "status" (App Store Server API); `decision.status` in `Mappings/rules/decisions.json`.
  func judgeStatus() -> Int64? {
    guard let time = statusTime, let newest = statusPeriod(at: time) else { return nil }
    let period = known.periods[newest]
    guard period.expires != Period.none, known.isSubscription(period.row) else { return nil }
    if isStatusUnclear(period, time) || isUpgradeOrRefund(newest) { return nil }
    noteIntent(period, time)
    // Without a renewal entry nothing distinguishes billing retry from a grace period.
    let isRevoked = isRevoked(period, time)
    if isRevoked, period.cancellation > time {
      note(.requestBeforeRefund, record.rows.source(period.row, .cancellation))
    }
    if period.expires <= time, isFailing(period), focus.renewalEntry < 0, !isRevoked {
      note(.failureUndecided, 0)
      return nil
    }
    return compiled.parameters.status.first { holds($0.condition, period, time) }?.value
  }

  /// Apple took the period back.
  ///
  /// An answer that lists a cancellation was given after that, whatever its request date.
  private func isRevoked(_ period: Period, _ time: Int64) -> Bool {
    period.isRevoked && (period.cancellation <= time || record.form == .verifyReceipt)
  }

  /// A value that would decide the status is there and cannot be read, which a finding states.
  private func isStatusUnclear(_ period: Period, _ time: Int64) -> Bool {
    if known.gaps.hidesPeriods(of: period.original) || known.isNewestUnclear(at: time) { return true }
    if period.isRevoked { return false }
    if focus.renewalEntry < 0, period.expires <= time {
      if known.gaps.areRenewalsDamaged || unassignedRenewals.contains(where: { mayRenew($0, period) }) { return true }
    }
    if !period.isUpgraded, record.isCancellationUnclear(period.row) { return true }
    guard period.expires <= time, focus.renewalEntry >= 0 else { return false }
    return record.isUnreadable(focus.renewalEntry, .grace)
      || record.isUnreadable(focus.renewalEntry, .is_in_billing_retry_period)
  }

  /// An entry that was given to no subscription may be that of this one: it could show a grace period, or billing retry.
  private func mayRenew(_ entry: Int, _ period: Period) -> Bool {
    if let original = record.text(entry, .original_transaction_id) { return period.original == original }
    let product = record.text(entry, .product_id) ?? record.text(entry, .auto_renew_product_id)
    return product == nil || product == record.text(period.row, .product_id)
  }

  /// Only a subscription that expired has an expiration intent: the entry may be that of an earlier period.
  private func noteIntent(_ period: Period, _ time: Int64) {
    guard period.expires > time, focus.renewalEntry >= 0,
      record.integer(focus.renewalEntry, .expiration_intent) != nil
    else { return }
    note(.intentWhileRunning, record.rows.slot(focus.renewalEntry, .expiration_intent))
  }

  /// The event's own cancellation may be that of an upgrade, which the record shows to be as likely.
  func isUpgradeOrRefund(_ index: Int) -> Bool {
    guard known.type.is(.afterUpgrade), index == known.subject.target, !known.periods[index].isUpgraded,
      let reading
    else { return false }
    return reading.isAmbiguous && (reading.named.isAbsorbed || reading.mayBeAbsorbed)
  }

  /// A list that was written later than the event shows periods that had not been bought yet.
  private func statusPeriod(at time: Int64) -> Int? {
    known.index == nil && record.form == .notification
      ? known.newest(at: time) ?? focus.newestPeriod : focus.newestPeriod
  }

  private func holds(_ condition: StatusCondition, _ period: Period, _ time: Int64) -> Bool {
    let isOver = period.expires <= time
    switch condition {
    case .revoked: return isRevoked(period, time)
    case .grace:
      // A grace date before the expiry belongs to a failed renewal that was paid since.
      guard isOver, focus.renewalEntry >= 0, let grace = record.instant(focus.renewalEntry, .grace) else {
        return false
      }
      return grace > time && grace > period.expires
    case .retry:
      let row = focus.renewalEntry < 0 && focus.isRenewalOfBody ? record.body : focus.renewalEntry
      return isOver && row >= 0 && record.flag(row, .is_in_billing_retry_period) == true
    case .failed: return isOver && isFailing(period) && !isRetryOver
    case .running: return !isOver
    case .expired: return isOver
    }
  }
}
