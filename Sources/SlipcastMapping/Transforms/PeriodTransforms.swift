// Transforms that look at the period and its neighbours.
@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

extension Transform {
  /// An upgrade leaves a cancellation date too, but takes nothing back: V2 says `isUpgraded` alone.
  @Sendable static func revocationDate(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let current = state.current else { return unlistedRevocation(state) }
    let row = state.periods[current].row
    let source = state.record.rows.source(row, .cancellation)
    let isHidden = state.gaps.hidesPeriods(of: state.periods[current].original)
    if state.record.isUnreadable(row, .is_upgraded), state.periods[current].isCancelled {
      state.note(.cancellationUndecided, source)
      return nil
    }
    if state.periods[current].isUpgraded {
      let isForApp = state.record.integer(row, .cancellation_reason) == 1
      guard state.isRefundedUpgrade(current), !isHidden || isForApp else { return nil }
      state.note(.upgradedPeriodRefunded, source)
      return Cell(state.periods[current].cancellation, source: source).inferred
    }
    if state.isUpgradeOrRefund(current) {
      state.note(.cancellationUndecided, source)
      return nil
    }
    if let value = state.record.instant(row, .cancellation) {
      let cell = Cell(value, source: source)
      // A row of the list may have marked it as upgraded.
      let mayBeMarked =
        !state.formHasUpgradeKey(row) && state.isSubscription(row)
        && (state.gaps.hidesOrder(of: state.periods[current].original) || state.gaps.isRepeatUnclear)
      if mayBeMarked, state.record.integer(row, .cancellation_reason) != 1 {
        state.note(.cancellationUndecided, source)
        return nil
      }
      guard isHidden || isUndecided(state, row) || state.isCancelledAtPurchase(current) else { return cell }
      state.note(.cancellationUndecided, source)
      return cell.inferred
    }
    // The body's own date is about the event's transaction, not about the others of its list.
    guard state.type.isReversal, current == state.subject.target,
      let value = state.record.instant(state.record.body, .cancellation)
    else { return nil }
    return Cell(value, source: state.record.rows.source(state.record.body, .cancellation))
  }

  /// The body of a CANCEL dates the cancellation of a purchase that is not listed; it may have been an upgrade.
  private static func unlistedRevocation(_ state: ConversionState) -> Cell? {
    let body = state.record.body
    guard state.type == .CANCEL, state.subject.isUnlisted, let value = state.record.instant(body, .cancellation) else {
      return nil
    }
    state.note(.cancellationUndecided, state.record.rows.source(body, .cancellation))
    return Cell(value, source: state.record.rows.source(body, .cancellation)).inferred
  }

  /// App receipts, `in_app` and flat objects do not mark upgrades, which may have the reason 0; only refunds have 1.
  private static func isUndecided(_ state: ConversionState, _ row: Int) -> Bool {
    !state.formHasUpgradeKey(row) && state.isSubscription(row)
      && state.record.integer(row, .cancellation_reason) != 1
  }

  @Sendable static func revocationReason(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let current = state.current else { return nil }
    if state.isUpgradeOrRefund(current) || state.record.isUnreadable(state.periods[current].row, .is_upgraded) {
      return nil
    }
    if !state.periods[current].isUpgraded {
      // A reason without a date says nothing of when, or whether, anything was taken back.
      if !state.periods[current].isCancelled,
        state.record.rows.slot(state.periods[current].row, .cancellation_reason) != 0
      {
        if !state.record.isUnreadable(state.periods[current].row, .cancellation_reason) {
          state.note(.reasonWithoutDate, state.record.rows.slot(state.periods[current].row, .cancellation_reason))
        }
        return nil
      }
      let isOpen =
        state.gaps.hidesPeriods(of: state.periods[current].original) || isUndecided(state, state.periods[current].row)
        || state.isCancelledAtPurchase(current)
      let reason = cancellationReason(state, rule)
      return isOpen ? reason?.inferred : reason
    }
    let period = state.periods[current]
    let isForApp = state.record.integer(period.row, .cancellation_reason) == 1
    guard !state.gaps.hidesPeriods(of: period.original) || isForApp else { return nil }
    return state.isRefundedUpgrade(current) ? cancellationReason(state, rule)?.inferred : nil
  }

  @Sendable static func productType(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let current = state.current else { return nil }
    let row = state.periods[current].row
    let known = state.record.text(row, .product_id).flatMap { state.options.productType($0) }
    if let stated = state.statedType(row) {
      if let known, known != stated { state.note(.catalogueDisagrees, state.record.rows.slot(row, .product_id)) }
      return Cell(Words.productType(stated), source: state.record.rows.slot(row, .product_type)).stated
    }
    if state.record.integer(row, .product_type) != nil {
      state.note(.productTypeUnknown, state.record.rows.slot(row, .product_type))
    }
    if state.subscriptionEvidence(row) != 0 {
      if let known, known != .autoRenewableSubscription {
        state.note(.catalogueDisagrees, state.record.rows.slot(row, .product_id))
      }
      return Cell(Words.autoRenewableSubscription, source: state.subscriptionEvidence(row))
    }
    return known.map { Cell(Words.productType($0)) }
  }

  @Sendable static func transactionReason(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let current = state.current else { return nil }
    switch state.reason(of: current) {
    case .purchase: return Cell(Words.purchase)
    case .renewal: return Cell(Words.renewal)
    case nil: return nil
    }
  }

  @Sendable static func renewalDate(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let newest = state.newestPeriod, state.periods[newest].expires != Period.none,
      !state.gaps.hidesPeriods(of: state.periods[newest].original)
    else { return nil }
    let row = state.periods[newest].row
    return Cell(state.periods[newest].expires, source: state.record.rows.source(row, .expires))
  }

  @Sendable static func recentSubscriptionStartDate(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    guard let first = state.firstPeriodOfRun() else { return nil }
    let row = state.periods[first].row
    return Cell(state.periods[first].purchase, source: state.record.rows.source(row, .purchase))
  }

  /// What an answer lists is all there is; what a part of one lacks is unknown.
  @Sendable static func hasMore(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    state.record.findings.contains { $0.drift == .partialAnswer } ? nil : Cell(false)
  }

  @Sendable static func status(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    if state.judgeTime == nil, state.record.form == .verifyReceipt, state.newestPeriod != nil {
      state.note(.statusTimeUnknown, 0)
    }
    return state.judgeStatus().map { Cell($0) }
  }
}
