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
        state.gaps.hidesOrder(of: state.periods[current].original) && !state.formHasUpgradeKey(row)
        && state.isSubscription(row)
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

  @Sendable static func status(_ state: ConversionState, _ rule: CompiledRule) -> Cell? {
    if state.judgeTime == nil, state.record.form == .verifyReceipt, state.newestPeriod != nil {
      state.note(.statusTimeUnknown, 0)
    }
    return state.judgeStatus().map { Cell($0) }
  }
}

enum PurchaseReason {
  case purchase, renewal
}

extension ConversionState {
  /// Purchase or renewal, from the event itself or from the period before; `nil` when neither decides it.
  func reason(of index: Int) -> PurchaseReason? {
    if index == self.subject.target {
      // The event itself is open then.
      if self.gaps.isReadingUnclear, !self.type.isPurchaseByHand {
        return isOwnOriginal(self.periods[index]) ? .purchase : nil
      }
      switch self.type {
      case let type where type.isRenewal && !isFirstEver(self.periods[index]): return isSwitch(index) ? nil : .renewal
      // The customer paid by hand while Apple may have charged the failed renewal.
      case .INTERACTIVE_RENEWAL where decision?.mayBeRenewal == true: return nil
      case .INITIAL_BUY, .INTERACTIVE_RENEWAL: return .purchase
      // The customer bought again, and V1 reported it as a change of status.
      case .DID_CHANGE_RENEWAL_STATUS where decision?.isPurchase == true: return .purchase
      case .DID_CHANGE_RENEWAL_STATUS where decision?.isReturn == true: return nil
      default: break
      }
    }
    let period = self.periods[index]
    guard isSubscription(period.row) else { return isKindUnreadable(period.row) ? nil : .purchase }
    if isOwnOriginal(period) { return .purchase }
    // Another period may lie between those that can be read, or that the list has.
    if self.gaps.isListOfNewest || self.gaps.isEnvironmentUnreadable || self.gaps.hidesPeriods(of: period.original) {
      return nil
    }
    guard let previous = previous(of: index) else { return nil }
    let before = self.periods[previous]
    guard before.expires != Period.none, period.purchase != Period.none else { return nil }
    if isSwitch(index) || before.isUpgraded && before.expires > period.purchase { return .purchase }
    if !period.isUpgraded, !isSameProduct(period, before), wasRenewedAhead(before) { return .purchase }
    let reason = reason(after: before, boughtAt: period.purchase)
    // Minutes after the expiry the customer may have chosen the other product or the offer.
    let isChosen = !isSameProduct(period, before) || hasOffer(period.row)
    let gap = period.purchase - before.expires
    return reason == .renewal && isChosen && gap > length(compiled.parameters.gap) ? nil : reason
  }

  /// Another product was bought while the period before ran: an upgrade, which takes effect at once, and no renewal.
  private func isSwitch(_ index: Int) -> Bool {
    guard let previous = previous(of: index), self.periods[index].purchase != Period.none else { return false }
    let (period, before) = (self.periods[index], self.periods[previous])
    return !isSameProduct(period, before) && before.end != Period.none && period.purchase < before.end
  }

  /// Renewals are charged up to a day early and settle within the hour.
  ///
  /// A refund turns auto-renew off: what follows it is bought again, but near the old expiry perhaps renewed all the same.
  private func reason(after before: Period, boughtAt purchase: Int64) -> PurchaseReason? {
    let distance = purchase - before.expires
    let early = -length(compiled.parameters.early)
    if isAtLimit(purchase - before.end, compiled.parameters.retry) { return nil }
    if purchase - before.end > length(compiled.parameters.retry) { return hidesPeriods ? nil : .purchase }
    if before.end < min(before.expires, purchase) { return distance < early ? .purchase : nil }
    return distance >= early && distance <= length(compiled.parameters.settled) ? .renewal : nil
  }

  /// What would show that the row is a subscription is there and cannot be read.
  func isKindUnreadable(_ row: Int) -> Bool {
    record.isUnreadable(row, .expires)
      || [LegacyKey.web_order_line_item_id, .subscription_group_identifier, .product_type, .product_id].contains {
        record.isUnreadable(row, $0)
      }
  }

  /// An upgraded period that was taken back all the same: for a problem with the app, or long after the upgrade.
  func isRefundedUpgrade(_ index: Int) -> Bool {
    let period = self.periods[index]
    guard period.isUpgraded, period.isCancelled else { return false }
    if record.integer(period.row, .cancellation_reason) == 1 { return true }
    return hasNewerProduct(than: period) && !isOtherProductBought(near: period, within: compiled.parameters.upgrade)
  }

  /// The list shows the purchase of another product that was not upgraded itself.
  func hasNewerProduct(than period: Period) -> Bool {
    guard let product = record.text(period.row, .product_id) else { return false }
    let isNewer = { [self] (other: Period) -> Bool in
      other.row != period.row && !other.isUpgraded && other.purchase != Period.none
        && record.text(other.row, .product_id).map { !($0 == product) } ?? false
    }
    // The newest other product is enough: what counts is that the upgrade itself is visible.
    return self.index.map { $0.contains(near: period.purchase, within: .max / 4, self.periods, where: isNewer) }
      ?? self.periods.contains(where: isNewer)
  }

  /// A period that is not marked as upgraded was taken back when another product of its group was bought.
  func isCancelledAtPurchase(_ index: Int) -> Bool {
    let period = self.periods[index]
    return period.isCancelled && isOtherProductBought(near: period, within: compiled.parameters.action)
  }

  private func isSameProduct(_ one: Period, _ two: Period) -> Bool {
    record.isSame(.product_id, in: one.row, and: two.row) ?? true
  }

  /// Apple had renewed a period ahead when the customer upgraded: the renewed one is marked, the one before it is not.
  private func wasRenewedAhead(_ period: Period) -> Bool {
    guard let product = record.text(period.row, .product_id) else { return false }
    let hour = length(compiled.parameters.settled)
    if let index = self.index { return index.isUpgraded(period.original, product, near: period.expires, within: hour) }
    return self.periods.contains { other in
      guard other.isUpgraded, other.purchase != Period.none, (other.purchase - period.expires).magnitude <= hour,
        record.text(other.row, .product_id) == product
      else { return false }
      return other.original == period.original
    }
  }

  /// Answers in the iOS 6 style have two periods, the receipt's own one and the latest: others may lie between them.
  private var hidesPeriods: Bool { record.form == .verifyReceipt && record.flat != nil || self.gaps.isListOfNewest }

  /// The first period of the newest run without a lapse of more than 60 days (Sandbox: 10 minutes).
  ///
  /// `nil` when the run may have begun before the oldest period that the body shows.
  /// Source: Apple, "recentSubscriptionStartDate" (App Store Server API).
  func firstPeriodOfRun() -> Int? {
    guard let newest = self.newestPeriod, self.periods[newest].purchase != Period.none,
      !self.gaps.isEnvironmentUnreadable, !self.gaps.hidesPeriods(of: self.periods[newest].original)
    else { return nil }
    // Another period may lie between two that such a list has.
    if self.gaps.isListOfNewest { return isFirstEver(self.periods[newest]) ? newest : nil }
    let limit = length(compiled.parameters.retry)
    var first = newest
    let chain = chain()
    let ends = lastEnds(chain)
    for (place, before) in chain.enumerated() where self.periods[newest].isNewer(than: self.periods[before]) {
      guard self.periods[before].purchase != Period.none else { return nil }
      let lapse = self.periods[first].purchase - ends[place]
      if isAtLimit(lapse, compiled.parameters.retry) {
        note(.lapseOnTheLimit, record.rows.source(self.periods[first].row, .purchase))
        return nil
      }
      if lapse > limit { return hidesPeriods ? nil : first }
      first = before
    }
    return isFirstEver(self.periods[first]) ? first : nil
  }

  /// For each period of a chain, newest first, the latest end of it and of those before it: an upgrade may run longer than
  /// the renewal that it ended before it began.
  ///
  /// The purchase that follows an upgraded period has ended it, although its expiry stays as it was.
  private func lastEnds(_ chain: [Int]) -> [Int64] {
    var ends = chain.map { self.periods[$0].end }
    for place in ends.indices.dropFirst() where self.periods[chain[place]].isUpgraded {
      ends[place] = min(ends[place], self.periods[chain[place - 1]].order)
    }
    for place in ends.indices.reversed().dropFirst() { ends[place] = max(ends[place], ends[place + 1]) }
    return ends
  }

  /// The period is its own original transaction, or was bought at its original date.
  func isFirstEver(_ period: Period) -> Bool {
    if isOwnOriginal(period) { return true }
    guard period.purchase != Period.none, let original = record.instant(period.row, .originalPurchase) else {
      return false
    }
    let delay = original - period.purchase
    return delay >= 0 && delay <= length(compiled.parameters.original)
  }

  /// The ids are equal, and no much older date of the original purchase shows that one of them is not its own.
  func isOwnOriginal(_ period: Period) -> Bool {
    guard let original = period.original, record.text(period.row, .transaction_id) == original else { return false }
    guard period.purchase != Period.none, let date = record.instant(period.row, .originalPurchase) else { return true }
    return period.purchase - date <= length(compiled.parameters.first)
  }

  /// The end of a grace period is past, or belongs to a failed renewal that was paid since.
  func isGraceOver(_ end: Int64) -> Bool {
    if let time = self.judgeTime, end <= time { return true }
    return self.newestPeriod.map { self.periods[$0].expires >= end } ?? false
  }

  private func isFailing(_ period: Period) -> Bool { self.type == .DID_FAIL_TO_RENEW && period.isSameOriginal }

  /// The body says outright that Apple no longer tries to renew.
  private var isRetryOver: Bool {
    self.renewalEntry >= 0 && record.flag(self.renewalEntry, .is_in_billing_retry_period) == false
  }

  /// When the status holds: V2 states it as of its signing, soon after the event, which the received time stands for.
  ///
  /// A message that came later is a repeated delivery: its status is that of the first one, at its event.
  var statusTime: Int64? {
    guard record.form == .notification, let receivedAt = self.receivedAt else { return self.judgeTime }
    guard let eventTime = self.eventTime, receivedAt - eventTime > length(compiled.parameters.server) else {
      return receivedAt
    }
    return eventTime
  }

  /// Status 1 to 5 at that time: the first of the rules' steps that holds.
  ///
  /// Source: Apple, "status" (App Store Server API); `decision.status` in `Mappings/rules/decisions.json`.
  func judgeStatus() -> Int64? {
    guard let time = statusTime, let newest = statusPeriod(at: time) else { return nil }
    let period = self.periods[newest]
    guard period.expires != Period.none, isSubscription(period.row) else { return nil }
    if isStatusUnclear(period, time) || isUpgradeOrRefund(newest) { return nil }
    noteIntent(period, time)
    // Without a renewal entry nothing distinguishes billing retry from a grace period.
    let isRevoked = period.isRevoked && period.cancellation <= time
    if period.expires <= time, isFailing(period), self.renewalEntry < 0, !isRevoked {
      note(.failureUndecided, 0)
      return nil
    }
    return compiled.parameters.status.first { holds($0.condition, period, time) }?.value
  }

  /// A value that would decide the status is there and cannot be read, which a finding states.
  private func isStatusUnclear(_ period: Period, _ time: Int64) -> Bool {
    if self.gaps.hidesPeriods(of: period.original) { return true }
    if period.isRevoked { return false }
    if self.renewalEntry < 0, self.gaps.areRenewalsDamaged, period.expires <= time { return true }
    if !period.isUpgraded, record.isCancellationUnclear(period.row) { return true }
    guard period.expires <= time, self.renewalEntry >= 0 else { return false }
    return record.isUnreadable(self.renewalEntry, .grace)
      || record.isUnreadable(self.renewalEntry, .is_in_billing_retry_period)
  }

  /// Only a subscription that expired has an expiration intent: the entry may be that of an earlier period.
  private func noteIntent(_ period: Period, _ time: Int64) {
    guard period.expires > time, self.renewalEntry >= 0,
      record.integer(self.renewalEntry, .expiration_intent) != nil
    else { return }
    note(.intentWhileRunning, record.rows.slot(self.renewalEntry, .expiration_intent))
  }

  /// The event's own cancellation may be that of an upgrade, which the record shows to be as likely.
  func isUpgradeOrRefund(_ index: Int) -> Bool {
    guard self.type == .CANCEL, index == self.subject.target, !self.periods[index].isUpgraded,
      let reading = self.reading
    else { return false }
    return reading.isAmbiguous && reading.named.isAbsorbed
  }

  /// A list that was written later than the event shows periods that had not been bought yet.
  private func statusPeriod(at time: Int64) -> Int? {
    self.index == nil && record.form == .notification ? newest(at: time) ?? self.newestPeriod : self.newestPeriod
  }

  private func holds(_ condition: StatusCondition, _ period: Period, _ time: Int64) -> Bool {
    let isOver = period.expires <= time
    switch condition {
    case .revoked: return period.isRevoked && period.cancellation <= time
    case .grace:
      // A grace date before the expiry belongs to a failed renewal that was paid since.
      guard isOver, self.renewalEntry >= 0, let grace = record.instant(self.renewalEntry, .grace) else { return false }
      return grace > time && grace > period.expires
    case .retry:
      let row = self.renewalEntry < 0 && self.isRenewalOfBody ? record.body : self.renewalEntry
      return isOver && row >= 0 && record.flag(row, .is_in_billing_retry_period) == true
    case .failed: return isOver && isFailing(period) && !isRetryOver
    case .running: return !isOver
    case .expired: return isOver
    }
  }
}
