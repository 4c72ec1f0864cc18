@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

// The period of an event that names none, where Apple wrote the body after a later purchase: it repeats a message up to
// 78 hours later, with the purchases made meanwhile.

extension SubjectFinder {
  /// The newest period that had been bought when auto-renew changed; types without a time of their own happened before
  /// they were received.
  mutating func bought(before newest: Period, _ periods: [Period]) -> Int? {
    let change = type.changesAutoRenew ? record.instant(record.body, .statusChange) : nil
    guard
      let limit = change.map({ $0 + length(parameters.companion) })
        ?? receivedAt.map({ $0 + length(parameters.early) }),
      newest.purchase > limit
    else { return nil }
    let found = Self.newest(periods) { period in
      guard period.isCandidate, period.purchase != Period.none else { return false }
      if period.purchase > limit { return change.map { mayBeOneAction(period, after: $0, periods) } ?? false }
      return !record.isReplacedBeforeItBegan(period, periods, early: length(parameters.early))
    }
    // The list lacks the period, or the date is wrong.
    if found == nil {
      noteDoubt()
      subject.isBoughtLater = true
    }
    return found
  }

  /// A purchase minutes after the change of auto-renew may belong to the same action.
  ///
  /// It is an upgrade, or turned auto-renew on again; the renewal of a period that ran is neither.
  private func mayBeOneAction(_ period: Period, after change: Int64, _ periods: [Period]) -> Bool {
    guard period.purchase - change <= length(parameters.action), periods.count <= Self.mostSearched else {
      return false
    }
    let running = periods.filter { before in
      before.row != period.row && before.original != nil && before.original == period.original
        && before.purchase <= change && before.end > change
    }
    let upgraded = running.contains { before in
      before.end > period.purchase && record.isSame(.product_id, in: before.row, and: period.row) == false
    }
    return upgraded || running.isEmpty && record.flag(record.body, .auto_renew_status) != false
  }

  /// The period whose renewal failed, where the newest one was bought since.
  ///
  /// Apple tries a renewal a day before the expiry at the earliest. Without a received time, a lapse or the grace date
  /// shows that a renewal failed before the newest period, and nothing that its own did.
  mutating func failed(before newest: Int, _ periods: [Period]) -> Int? {
    let last = periods[newest]
    guard let original = last.original, last.expires != Period.none else { return nil }
    let before = Self.newest(periods) { period in
      period.isCandidate && period.original == original && period.expires != Period.none && last.isNewer(than: period)
    }
    guard let before, !periods[before].isCancelled, !periods[before].isUpgraded else { return nil }
    let end = periods[before].expires
    let (early, delivery) = (length(parameters.early), length(parameters.delivery))
    guard (-early...delivery).contains(last.purchase - end) else { return nil }
    if let receivedAt {
      guard receivedAt < last.expires - early, (-early...delivery).contains(receivedAt - end) else { return nil }
    } else {
      guard let entry = entry(ofOriginal: original), record.flag(entry, .is_in_billing_retry_period) != true,
        record.integer(entry, .expiration_intent) == nil
      else { return nil }
      let grace = record.instant(entry, .grace) ?? Period.none
      guard grace <= last.expires, grace > end || last.purchase - end > length(parameters.gap) else { return nil }
    }
    chooseByDate()
    return before
  }

  private func entry(ofOriginal original: JSONText) -> Int? {
    if let entry = record.onlyRenewal(ofOriginal: original) { return entry }
    guard record.renewals.count == 1, let entry = record.renewals.first else { return nil }
    return record.text(entry, .original_transaction_id) == nil ? entry : nil
  }

  /// The newest purchase by hand, where the newest period renewed the same product at its end, as a short trial does.
  mutating func byHand(before newest: Int, _ recent: [Int], _ periods: [Period]) -> Int? {
    let last = periods[newest]
    let isRenewal = periods.contains { before in
      before.row != last.row && before.expires == last.purchase && before.original != nil
        && before.original == last.original && record.isSame(.product_id, in: before.row, and: last.row) == true
    }
    guard isRenewal else { return nil }
    let found = recent.filter { place in
      let age = receivedAt.map { $0 - periods[place].purchase } ?? 0
      return place != newest && age <= length(parameters.delivery) && isByHand(periods[place], of: last, periods)
    }.max { periods[$1].isNewer(than: periods[$0]) }
    if found != nil { noteDoubt() }
    return found
  }
}
