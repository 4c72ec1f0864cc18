@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

// The renewal entry of the event's subscription, and the subscription that an entry alone can name.

extension SubjectFinder {
  mutating func findRenewal(_ periods: [Period]) {
    if subject.target == nil, type.is(.forOneTimePurchases), subject.original == nil { return }
    guard !record.renewals.isEmpty else { return }
    var finder = renewalFinder(periods)
    guard subject.original != nil || subject.target != nil else {
      subject.renewal = onlyEntry()
      return
    }
    var subscriptions = subscriptions(periods)
    let own = subscriptions.firstIndex { $0.original == subject.original } ?? subscriptions.count
    if own == subscriptions.count { subscriptions.append(RenewalFinder.Subscription(original: subject.original)) }
    if let product = subject.target.flatMap({ record.text(periods[$0].row, .product_id) }) {
      subscriptions[own].product = product
    }
    let match = finder.match(subscriptions)[own] ?? namedOtherwise() ?? onlyFitting(subscriptions)
    subject.renewal = match?.entry
    subject.isRenewalByExclusion = match?.isByExclusion ?? false
    if match == nil { subject.unassignedRenewals = finder.unassigned }
  }

  private func renewalFinder(_ periods: [Period]) -> RenewalFinder {
    RenewalFinder(record, asOf: receivedAt, nextProduct: record.text(record.body, .auto_renew_product_id))
  }

  /// The subscriptions that the record lists, each with its newest period that is not upgraded.
  func subscriptions(_ periods: [Period]) -> [RenewalFinder.Subscription] {
    var originals = TextNumbers()
    var newest: [Int] = []
    var number = 0
    for index in periods.indices where !periods[index].isUpgraded {
      guard let original = periods[index].original else { continue }
      // An upgraded period before it has no number.
      let isSameAsLast = periods[index].repeatsOriginal && !periods[index - 1].isUpgraded
      if !isSameAsLast { number = originals.number(of: original) }
      if number == newest.count {
        newest.append(index)
      } else if periods[index].isNewer(than: periods[newest[number]]) {
        newest[number] = index
      }
    }
    return newest.map { place in
      let period = periods[place]
      let isClear = period.original.map { !gaps.hidesOrder(of: $0) } ?? true
      return RenewalFinder.Subscription(
        original: period.original, product: record.text(period.row, .product_id),
        expires: isClear ? period.expires : Period.none)
    }
  }

  /// The entry that has the id that the body names, where the list has another one.
  private func namedOtherwise() -> RenewalFinder.Match? {
    guard let named = subject.named, !(subject.original == named) else { return nil }
    return record.onlyRenewal(ofOriginal: named).map { RenewalFinder.Match(entry: $0) }
  }

  /// The only entry of the only subscription, where it names none, or one whose id differs by 1.
  ///
  /// Apple's ids of one subscription may differ by 1. Source: mapping B1.
  private func onlyFitting(_ subscriptions: [RenewalFinder.Subscription]) -> RenewalFinder.Match? {
    guard record.renewals.count == 1, let entry = record.renewals.first, subscriptions.count <= 1 else { return nil }
    guard let named = record.text(entry, .original_transaction_id) else { return RenewalFinder.Match(entry: entry) }
    guard let own = subscriptions.first, let original = own.original.flatMap({ Int64($0.string) }),
      let other = Int64(named.string), [1, -1].contains(other &- original),
      let product = own.product, record.text(entry, .product_id) == product
    else { return nil }
    return RenewalFinder.Match(entry: entry, isByExclusion: true)
  }

  /// Without a subject, the only entry, or the only one of the product that the body names.
  private func onlyEntry() -> Int? {
    if record.renewals.count == 1, let entry = record.renewals.first,
      record.text(entry, .original_transaction_id) == nil
    {
      return entry
    }
    guard let next = record.text(record.body, .auto_renew_product_id) else { return nil }
    let fitting = record.renewals.filter { record.text($0, .auto_renew_product_id) == next }
    return fitting.count == 1 ? fitting[0] : nil
  }

  // MARK: states

  /// Keeps the subscriptions whose renewal entries show what the message is about: that Apple asks for consent to a price
  /// increase, or that a renewal failed.
  mutating func narrowToState(_ periods: inout [Period]) {
    guard type.is(.consentRequest) || type.is(.failure), isMixed(periods), !gaps.areRenewalsDamaged else { return }
    let showing = record.renewals.filter { type.is(.failure) ? isFailing($0) : isAsking($0) }
    guard !showing.isEmpty else { return }
    var finder = renewalFinder(periods)
    let all = subscriptions(periods)
    let originals = zip(all, finder.match(all)).compactMap { subscription, match in
      match.map { showing.contains($0.entry) } ?? false ? subscription.original : nil
    }
    let isOne = originals.count == 1 && showing.count == 1
    guard !originals.isEmpty, narrow(&periods, { period in originals.contains { period.original == $0 } }) else {
      return
    }
    if isOne { subject.standing = type.is(.failure) ? .chosenByDate : .chosenByConsent }
  }

  /// Apple writes these keys only where it asked; an entry that cannot be read may be one of them.
  private func isAsking(_ entry: Int) -> Bool {
    [LegacyKey.price_consent_status, .price_increase_status].contains { key in
      record.rows.slot(entry, key) != 0 || record.isUnreadable(entry, key)
    }
  }

  /// A renewal failed and may still succeed; an entry that cannot be read may be one of them.
  ///
  /// The intent of a billing error stays when Apple has stopped to retry: then the failure is an old one.
  private func isFailing(_ entry: Int) -> Bool {
    let keys = [LegacyKey.is_in_billing_retry_period, .expiration_intent, .grace_period_expires_date_ms]
    if keys.contains(where: { record.isUnreadable(entry, $0) }) || record.instant(entry, .grace) != nil { return true }
    let isRetrying = record.flag(entry, .is_in_billing_retry_period)
    let isBillingError = record.integer(entry, .expiration_intent) == Int64(ExpirationIntent.billingError.rawValue)
    return isRetrying ?? isBillingError
  }
}
