@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// How a period began.
enum PurchaseReason {
  case purchase, renewal
}

/// Whether a period was bought or renewed, and the run of periods that it belongs to.
extension KnownRecord {
  /// Purchase or renewal, from the event itself or from the period before; `nil` when neither decides it.
  ///
  /// - Parameter decision: what the event is read as.
  func reason(of index: Int, _ decision: CompiledDecision?) -> PurchaseReason? {
    if index == subject.target {
      // The event itself is open then.
      if gaps.isReadingUnclear, !type.isPurchaseByHand {
        return isOwnOriginal(periods[index]) ? .purchase : nil
      }
      if type.is(.renewal), !isFirstEver(periods[index]) { return isSwitch(index) ? nil : .renewal }
      // The customer paid by hand while Apple may have charged the failed renewal.
      if type.isPurchaseByHand { return type.is(.laterPurchase) && decision?.mayBeRenewal == true ? nil : .purchase }
      // The customer bought again, and V1 reported it as a change of status.
      if type.changesAutoRenew, decision?.isPurchase == true { return renewsAtOnce(index) ? nil : .purchase }
      if type.changesAutoRenew, decision?.isReturn == true { return isOwnOriginal(periods[index]) ? .purchase : nil }
    }
    let period = periods[index]
    guard isSubscription(period.row) else { return isKindUnreadable(period.row) ? nil : .purchase }
    if isOwnOriginal(period) { return .purchase }
    // Another period may lie between those that can be read, or that the list has.
    if gaps.isListOfNewest || gaps.isEnvironmentUnreadable || gaps.hidesPeriods(of: period.original) {
      return nil
    }
    guard let previous = previousThatRan(before: index) else { return nil }
    let before = periods[previous]
    guard before.expires != Period.none, period.purchase != Period.none else { return nil }
    if neverBegan(index) { return .renewal }
    if isSwitch(index) || before.isUpgraded && before.expires > period.purchase { return .purchase }
    if !period.isUpgraded, wasRenewedAhead(before) { return .purchase }
    return reason(after: before, boughtAt: period.purchase)
  }

  /// The period before that ran: not a renewal that an upgrade replaced before it began.
  private func previousThatRan(before index: Int) -> Int? {
    previous(of: index).flatMap { neverBegan($0) ? previous(of: $0) : $0 }
  }

  /// It begins where the period before ends: Apple may have renewed that, and the customer turned auto-renew on later.
  private func renewsAtOnce(_ index: Int) -> Bool {
    guard let previous = previousThatRan(before: index), periods[previous].expires != Period.none else { return false }
    return !periods[previous].expires.isOtherSecond(than: periods[index].purchase)
  }

  private func neverBegan(_ index: Int) -> Bool {
    record.isReplacedBeforeItBegan(periods[index], periods, early: length(compiled.parameters.early))
  }

  /// Another product was bought while the period before ran: an upgrade, which takes effect at once, and no renewal.
  private func isSwitch(_ index: Int) -> Bool {
    guard let previous = previousThatRan(before: index), periods[index].purchase != Period.none else { return false }
    let (period, before) = (periods[index], periods[previous])
    return !isSameProduct(period, before) && before.end != Period.none && period.purchase < before.end
  }

  /// Renewals are charged up to a day early and settle within minutes: later the customer may have come back.
  ///
  /// A refund turns auto-renew off: what follows it is bought again, but near the old expiry perhaps renewed all the same.
  private func reason(after before: Period, boughtAt purchase: Int64) -> PurchaseReason? {
    let distance = purchase - before.expires
    let early = -length(compiled.parameters.early)
    if isAtLimit(purchase - before.end, compiled.parameters.retry) { return nil }
    if purchase - before.end > length(compiled.parameters.retry) { return hidesPeriods ? nil : .purchase }
    if before.end < min(before.expires, purchase) { return distance < early ? .purchase : nil }
    return distance >= early && distance <= length(compiled.parameters.gap) ? .renewal : nil
  }

  /// An upgraded period that was taken back all the same: for a problem with the app, or long after the upgrade.
  func isRefundedUpgrade(_ index: Int) -> Bool {
    let period = periods[index]
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
    return index.map { $0.contains(near: period.purchase, within: .max / 4, periods, where: isNewer) }
      ?? periods.contains(where: isNewer)
  }

  /// A period that is not marked as upgraded was taken back when another product of its group was bought.
  func isCancelledAtPurchase(_ index: Int) -> Bool {
    let period = periods[index]
    return period.isCancelled && isOtherProductBought(near: period, within: compiled.parameters.action)
  }

  private func isSameProduct(_ one: Period, _ two: Period) -> Bool {
    record.isSame(.product_id, in: one.row, and: two.row) ?? true
  }

  /// Apple had renewed a period ahead when the customer upgraded: the renewed one is marked, the one before it is not.
  private func wasRenewedAhead(_ period: Period) -> Bool {
    let gap = length(compiled.parameters.gap)
    if let index { return index.isUpgraded(period.original, near: period.expires, within: gap) }
    return periods.contains { other in
      other.isUpgraded && other.purchase != Period.none && (other.purchase - period.expires).magnitude <= gap
        && other.original == period.original
    }
  }

  /// Answers in the iOS 6 style have two periods, the receipt's own one and the latest: others may lie between them.
  private var hidesPeriods: Bool { record.form == .verifyReceipt && record.flat != nil || gaps.isListOfNewest }

  /// The first period of the newest run without a lapse of more than 60 days (Sandbox: 10 minutes).
  ///
  /// `nil` when the run may have begun before the oldest period that the body shows.
  /// Source: Apple, "recentSubscriptionStartDate" (App Store Server API).
  func firstPeriodOfRun(endingWith newest: Int?, _ notes: NoteCollector) -> Int? {
    guard let newest, periods[newest].purchase != Period.none,
      !gaps.isEnvironmentUnreadable, !gaps.hidesPeriods(of: periods[newest].original)
    else { return nil }
    // Another period may lie between two that such a list has.
    if gaps.isListOfNewest { return isFirstEver(periods[newest]) ? newest : nil }
    let limit = length(compiled.parameters.retry)
    var first = newest
    let chain = chain(of: newest)
    let ends = lastEnds(chain)
    for (place, before) in chain.enumerated() where periods[newest].isNewer(than: periods[before]) {
      guard periods[before].purchase != Period.none else { return nil }
      let lapse = periods[first].purchase - ends[place]
      if isAtLimit(lapse, compiled.parameters.retry) {
        notes.add(.lapseOnTheLimit, record.rows.source(periods[first].row, .purchase))
        return nil
      }
      if lapse > limit { return hidesPeriods ? nil : first }
      first = before
    }
    return isFirstEver(periods[first]) ? first : nil
  }

  /// For each period of a chain, newest first, the latest end of it and of those before it: an upgrade may run longer than
  /// the renewal that it ended before it began.
  ///
  /// The purchase that follows an upgraded period has ended it, although its expiry stays as it was; a renewal that was
  /// replaced before it began does not count.
  private func lastEnds(_ chain: [Int]) -> [Int64] {
    var ends = chain.map { periods[$0].end }
    for place in ends.indices.dropFirst() where periods[chain[place]].isUpgraded {
      ends[place] =
        neverBegan(chain[place])
        ? periods[chain[place]].purchase : min(ends[place], periods[chain[place - 1]].order)
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
}
