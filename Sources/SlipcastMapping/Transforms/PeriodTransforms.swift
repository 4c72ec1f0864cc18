// Transforms that look at the period and its neighbours.
@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

extension Transform {
  /// An upgrade leaves a cancellation date too, but takes nothing back: V2 says `isUpgraded` alone.
  @Sendable static func revocationDate(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard let current = builder.current else { return unlistedRevocation(builder) }
    let row = builder.periods[current].row
    let source = builder.record.rows.source(row, .cancellation)
    let isHidden = builder.gaps.hidesPeriods(of: builder.periods[current].original)
    if builder.record.isUnreadable(row, .is_upgraded), builder.periods[current].isCancelled {
      builder.note(.cancellationUndecided, source)
      return nil
    }
    if builder.periods[current].isUpgraded {
      let isForApp = builder.record.integer(row, .cancellation_reason) == 1
      guard builder.known.isRefundedUpgrade(current), !isHidden || isForApp else { return nil }
      builder.note(.upgradedPeriodRefunded, source)
      return Cell(builder.periods[current].cancellation, source: source).inferred
    }
    if builder.isUpgradeOrRefund(current) {
      builder.note(.cancellationUndecided, source)
      return nil
    }
    if let other = builder.periods[current].cancelledBy {
      return Cell(builder.periods[current].cancellation, source: builder.record.rows.source(other, .cancellation))
        .inferred
    }
    if let value = builder.record.instant(row, .cancellation) {
      let cell = Cell(value, source: source)
      // A row of the list may have marked it as upgraded.
      let mayBeMarked =
        !builder.known.formHasUpgradeKey(row) && builder.known.isSubscription(row)
        && (builder.gaps.hidesOrder(of: builder.periods[current].original) || builder.gaps.isRepeatUnclear)
      if mayBeMarked, builder.record.integer(row, .cancellation_reason) != 1 {
        builder.note(.cancellationUndecided, source)
        return nil
      }
      guard isHidden || isUndecided(builder, row) || builder.known.isCancelledAtPurchase(current) else { return cell }
      builder.note(.cancellationUndecided, source)
      return cell.inferred
    }
    // The body's own date is about the event's transaction, not about the others of its list.
    guard builder.known.type.is(.reversal), current == builder.subject.target,
      let value = builder.record.instant(builder.record.body, .cancellation)
    else { return nil }
    return Cell(value, source: builder.record.rows.source(builder.record.body, .cancellation))
  }

  /// The body of a CANCEL dates the cancellation of a purchase that is not listed; it may have been an upgrade.
  private static func unlistedRevocation(_ builder: RecordBuilder) -> Cell? {
    let body = builder.record.body
    guard builder.known.type.is(.namedByBody), builder.subject.isUnlisted,
      let value = builder.record.instant(body, .cancellation)
    else {
      return nil
    }
    builder.note(.cancellationUndecided, builder.record.rows.source(body, .cancellation))
    return Cell(value, source: builder.record.rows.source(body, .cancellation)).inferred
  }

  /// App receipts, `in_app` and flat objects do not mark upgrades, which may have the reason 0; only refunds have 1.
  private static func isUndecided(_ builder: RecordBuilder, _ row: Int) -> Bool {
    !builder.known.formHasUpgradeKey(row) && builder.known.isSubscription(row)
      && builder.record.integer(row, .cancellation_reason) != 1
  }

  @Sendable static func revocationReason(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard let current = builder.current else { return nil }
    if builder.isUpgradeOrRefund(current) || builder.record.isUnreadable(builder.periods[current].row, .is_upgraded) {
      return nil
    }
    if let other = builder.periods[current].cancelledBy {
      let slot = builder.record.rows.slot(other, .cancellation_reason)
      return cancellationReason(builder, at: slot)?.inferred
    }
    if !builder.periods[current].isUpgraded {
      guard builder.periods[current].isCancelled else {
        noteReasonWithoutDate(builder, current)
        return nil
      }
      let isOpen =
        builder.gaps.hidesPeriods(of: builder.periods[current].original)
        || isUndecided(builder, builder.periods[current].row)
        || builder.known.isCancelledAtPurchase(current)
      let reason = cancellationReason(builder, rule)
      return isOpen ? reason?.inferred : reason
    }
    let period = builder.periods[current]
    let isForApp = builder.record.integer(period.row, .cancellation_reason) == 1
    guard !builder.gaps.hidesPeriods(of: period.original) || isForApp else { return nil }
    return builder.known.isRefundedUpgrade(current) ? cancellationReason(builder, rule)?.inferred : nil
  }

  /// A reason without a date does not show when, or whether, anything was taken back; that of a whole response is about
  /// what it shows as taken back.
  private static func noteReasonWithoutDate(_ builder: RecordBuilder, _ current: Int) {
    let (record, row) = (builder.record, builder.periods[current].row)
    let isOfResponse = record.form == .verifyReceipt && current == 0 && !builder.periods.contains(where: \.isCancelled)
    for row in isOfResponse ? [row, record.body] : [row] {
      let slot = record.rows.slot(row, .cancellation_reason)
      if slot != 0, !record.isUnreadable(row, .cancellation_reason) { builder.note(.reasonWithoutDate, slot) }
    }
  }

  @Sendable static func productType(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard let current = builder.current else { return nil }
    let row = builder.periods[current].row
    let known = builder.record.text(row, .product_id).flatMap { builder.options.productType($0) }
    if let stated = builder.known.input.statedType(row) {
      if let known, known != stated { builder.note(.catalogueDisagrees, builder.record.rows.slot(row, .product_id)) }
      return Cell(Words.productType(stated), source: builder.record.rows.slot(row, .product_type)).stated
    }
    if builder.record.integer(row, .product_type) != nil {
      builder.note(.productTypeUnknown, builder.record.rows.slot(row, .product_type))
    }
    if builder.known.subscriptionEvidence(row) != 0 {
      if let known, known != .autoRenewableSubscription {
        builder.note(.catalogueDisagrees, builder.record.rows.slot(row, .product_id))
      }
      return Cell(Words.autoRenewableSubscription, source: builder.known.subscriptionEvidence(row))
    }
    return known.map { Cell(Words.productType($0)) }
  }

  @Sendable static func transactionReason(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard let current = builder.current else { return nil }
    switch builder.known.reason(of: current, builder.decision) {
    case .purchase: return Cell(Words.purchase)
    case .renewal: return Cell(Words.renewal)
    case nil: return nil
    }
  }

  @Sendable static func renewalDate(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard let newest = builder.focus.newestPeriod, builder.periods[newest].expires != Period.none,
      !builder.gaps.hidesPeriods(of: builder.periods[newest].original)
    else { return nil }
    let row = builder.periods[newest].row
    return Cell(builder.periods[newest].expires, source: builder.record.rows.source(row, .expires))
  }

  /// What an answer lists is all there is; what a part of one lacks is unknown.
  @Sendable static func hasMore(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    builder.record.findings.contains { $0.drift == .partialAnswer } ? nil : Cell(false)
  }

  @Sendable static func recentSubscriptionStartDate(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    guard let first = builder.known.firstPeriodOfRun(endingWith: builder.focus.newestPeriod, builder.notes) else {
      return nil
    }
    let row = builder.periods[first].row
    return Cell(builder.periods[first].purchase, source: builder.record.rows.source(row, .purchase))
  }

  @Sendable static func status(_ builder: RecordBuilder, _ rule: CompiledRule) -> Cell? {
    if builder.known.judgeTime == nil, builder.record.form == .verifyReceipt, builder.focus.newestPeriod != nil {
      builder.note(.statusTimeUnknown, 0)
    }
    return builder.judgeStatus().map { Cell($0) }
  }
}
