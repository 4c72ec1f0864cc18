@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

// The transaction of an event that names none: the newest one, or the one that a late body shows to be meant.

extension SubjectFinder {
  /// A flat body shows one period, here one that was over when it was taken back, while the subscription still renews.
  func isOlderRefund(_ period: Period) -> Bool {
    type.is(.namedByBody) && record.list.isEmpty && period.isRevoked && period.expires != Period.none
      && period.expires <= period.cancellation
      && (record.flag(record.body, .auto_renew_status) == true || record.isUnreadable(record.body, .auto_renew_status))
  }

  /// The renewal entry of the product.
  ///
  /// Of several, the best is of a subscription bought or refunded at the event, then one with the body's auto-renew
  /// status, then the one bought last.
  func entry(of product: JSONText, _ periods: [Period]) -> Int? {
    var fitting = record.renewals.filter { record.text($0, .auto_renew_product_id) == product }
    // The customer may have chosen another next product before the body was written.
    if fitting.isEmpty { fitting = record.renewals.filter { record.text($0, .product_id) == product } }
    guard fitting.count > 1 else { return fitting.first }
    return fitting.max { rank($0, periods) < rank($1, periods) }
  }

  private func rank(_ entry: Int, _ periods: [Period]) -> (Int, Int, Int64) {
    let status = record.flag(record.body, .auto_renew_status)
    let intent = record.integer(record.body, .expiration_intent)
    let agreement =
      (status == nil || record.flag(entry, .auto_renew_status) == status ? 1 : 0)
      + (intent == nil || record.integer(entry, .expiration_intent) == intent ? 1 : 0)
    guard let original = record.text(entry, .original_transaction_id) else { return (0, agreement, .min) }
    var (isAtEvent, newest) = (false, Int64.min)
    for period in periods where period.purchase != Period.none {
      guard period.original == original else { continue }
      newest = max(newest, period.purchase)
      isAtEvent = isAtEvent || isBoughtAtChange(period) || isRefundedAtChange(period)
    }
    return (isAtEvent ? 1 : 0, agreement, newest)
  }

  /// The newest period that fits, or the one that the event is about if the body was written after a later purchase.
  mutating func chooseNewest(_ periods: [Period]) {
    subject.isOneOfSeveral = subject.standing == .chosenByProduct
    if subject.standing == .named, subject.named == nil, isMixed(periods) {
      (subject.standing, subject.isOneOfSeveral) = (.chosenByDate, true)
    }
    let newest = Self.newest(periods) { $0.isCandidate && !$0.isUpgraded } ?? Self.newest(periods) { $0.isCandidate }
    guard let newest, periods[newest].purchase != Period.none else { return subject.target = newest }
    let earliest = periods[newest].purchase - length(parameters.delivery)
    let recent = periods.indices.filter { periods[$0].isCandidate && periods[$0].purchase >= earliest }
    let meant = meant(before: newest, recent, periods)
    subject.target = meant ?? newest
    if type.is(.renewal), !isRenewal(periods[meant ?? newest], periods) { noteDoubt() }
    guard type.is(.laterPurchase), let target = subject.target else { return }
    let isOtherBought = recent.contains { place in
      let age = receivedAt.map { $0 - periods[place].purchase } ?? 0
      return place != target && age <= length(parameters.delivery)
        && isByHand(periods[place], of: periods[target], periods)
    }
    if isOtherBought { noteDoubt() }
  }

  /// The period that the event is about, where the record was written after the purchase of a newer one.
  private mutating func meant(before newest: Int, _ recent: [Int], _ periods: [Period]) -> Int? {
    if type.is(.firstPurchase) { return recent.first { isFirst(periods[$0], of: periods[newest]) } }
    if type.is(.laterPurchase) {
      return purchase(before: newest, recent, periods) ?? byHand(before: newest, recent, periods)
    }
    if type.is(.renewal) {
      return purchase(before: newest, recent, periods) ?? renewal(before: newest, recent, periods)
    }
    if type.is(.failure) { return failed(before: newest, periods) }
    if type.changesAutoRenew {
      return boughtAtChange(recent, periods) ?? refundedAtChange(before: periods[newest], periods)
        ?? bought(before: periods[newest], periods)
    }
    return type.changesProduct || type.is(.consentRequest) ? bought(before: periods[newest], periods) : nil
  }

  /// Another purchase of the subscription may be meant.
  mutating func noteDoubt() {
    subject.isOneOfSeveral = false
    chooseByDate()
  }

  /// Another purchase by hand: neither the first one nor a renewal.
  func isByHand(_ period: Period, of target: Period, _ periods: [Period]) -> Bool {
    guard let original = target.original, period.original == original,
      !isEqual(period, .transaction_id, original)
    else { return false }
    let product = record.text(period.row, .product_id)
    return !periods.contains { before in
      if before.expires == period.purchase { return true }
      // Apple may date a renewal when it charges it.
      let isSame = product.map { isEqual(before, .product_id, $0) } ?? false
      return isSame && before.purchase < period.purchase && before.expires != Period.none
        && (0...length(parameters.early)).contains(before.expires - period.purchase)
    }
  }

  private func isFirst(_ period: Period, of newest: Period) -> Bool {
    newest.original.map { isEqual(period, .transaction_id, $0) } ?? false
  }

  /// The purchase of the product that the body names, where the renewal entry already names that of a later purchase.
  private func purchase(before newest: Int, _ recent: [Int], _ periods: [Period]) -> Int? {
    guard let product = record.text(record.body, .auto_renew_product_id),
      !isEqual(periods[newest], .product_id, product), let original = periods[newest].original,
      record.renewals.contains(where: { entry in
        record.text(entry, .original_transaction_id) == original
          && record.text(entry, .auto_renew_product_id).map { $0 != product } ?? false
      })
    else { return nil }
    return recent.filter { isEqual(periods[$0], .product_id, product) }.max { periods[$1].isNewer(than: periods[$0]) }
  }

  /// The newest purchase that may be a renewal, where the newest one cannot: the body was written after an upgrade.
  private func renewal(before newest: Int, _ recent: [Int], _ periods: [Period]) -> Int? {
    guard !isRenewal(periods[newest], periods) else { return nil }
    return recent.filter { isRenewal(periods[$0], periods) }.max { periods[$1].isNewer(than: periods[$0]) }
  }

  /// The purchase may be a renewal: it is neither the first one, nor did it end a running period of another product.
  private func isRenewal(_ period: Period, _ periods: [Period]) -> Bool {
    guard let original = period.original else { return true }
    return !isEqual(period, .transaction_id, original)
      && !periods.contains { ended in
        guard ended.isUpgraded, ended.original == original, ended.row != period.row,
          let product = record.text(ended.row, .product_id), !isEqual(period, .product_id, product)
        else { return false }
        return ended.purchase < period.purchase && period.purchase < ended.expires
          && !wasEnded(ended, before: period, product, periods)
      }
  }

  /// A purchase before this one ended the upgraded period.
  private func wasEnded(_ ended: Period, before last: Period, _ product: JSONText, _ periods: [Period]) -> Bool {
    guard periods.count <= Self.mostSearched else { return false }
    return periods.contains { other in
      other.purchase > ended.purchase && other.purchase < last.purchase && other.row != ended.row
        && other.original != nil && other.original == ended.original
        && record.text(other.row, .product_id).map { !($0 == product) } ?? false
    }
  }

  /// The purchase that turned auto-renew on, the nearest of several.
  private mutating func boughtAtChange(_ recent: [Int], _ periods: [Period]) -> Int? {
    guard let change = record.instant(record.body, .statusChange) else { return nil }
    let fitting = recent.filter { isBoughtAtChange(periods[$0]) }
    // A renewal that Apple charged early has a later date than the purchase that replaced it.
    let begun = fitting.filter {
      !record.isReplacedBeforeItBegan(periods[$0], periods, early: length(parameters.early))
    }
    let bought = begun.isEmpty ? fitting : begun
    if bought.count > 1 { noteDoubt() }
    return bought.min { (periods[$0].purchase - change).magnitude < (periods[$1].purchase - change).magnitude }
  }

  /// The purchase turned auto-renew on: both have the same time.
  private func isBoughtAtChange(_ period: Period) -> Bool {
    guard type.changesAutoRenew, period.purchase != Period.none,
      let change = record.instant(record.body, .statusChange)
    else { return false }
    return (period.purchase - change).magnitude <= length(parameters.companion)
  }

  /// The period that was refunded at the change, where the newest one was bought after it; or shortly before, where an
  /// older one was refunded and the newest runs on.
  private mutating func refundedAtChange(before newest: Period, _ periods: [Period]) -> Int? {
    guard let change = record.instant(record.body, .statusChange) else { return nil }
    if newest.purchase > change { return Self.newest(periods) { $0.isCandidate && isRefundedAtChange($0) } }
    guard !newest.isRevoked, record.flag(record.body, .auto_renew_status) == false else { return nil }
    let found = Self.newest(periods) { period in
      period.isCandidate && period.isRevoked && period.original == newest.original
        && (0...length(parameters.refund)).contains(change - period.cancellation)
        && newest.purchase <= period.cancellation
    }
    if found != nil { noteDoubt() }
    return found
  }

  /// The refund turned auto-renew off: the change has its time, or follows within seconds.
  private func isRefundedAtChange(_ period: Period) -> Bool {
    guard type.changesAutoRenew, period.isRevoked,
      let change = record.instant(record.body, .statusChange), record.flag(record.body, .auto_renew_status) == false
    else { return false }
    return (0...length(parameters.companion)).contains(change - period.cancellation)
  }
}
