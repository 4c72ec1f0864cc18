@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Purchases that are not subscriptions.
extension SubjectFinder {
  /// V1 sends REFUND and CONSUMPTION_REQUEST for products that are not subscriptions: a listed subscription is not
  /// taken for one of them.
  mutating func chooseOneTimePurchase(_ periods: inout [Period]) {
    if let named = subject.named {
      guard narrowToSubscription(&periods, named) || narrowToTransaction(&periods, named) else {
        (subject.isUnlisted, subject.standing) = (true, .missing)
        return
      }
      if type.is(.reversal) { chooseCancellation(periods) }
      if subject.target == nil { subject.target = Self.newest(periods) { $0.isCandidate } }
      return
    }
    // A CONSUMPTION_REQUEST has no date that any purchase could share.
    subject.target = type.is(.reversal) ? newestRefund(periods) : nil
    subject.standing = subject.target == nil ? .missing : .chosenByDate
  }

  /// The purchase whose cancellation is the newest date of the record, or was shortly before the message came.
  ///
  /// Family copies are not refunded: their purchaser's purchase is.
  private func newestRefund(_ periods: [Period]) -> Int? {
    let (newest, window) = (newestDate(periods), length(parameters.refund))
    var found: Int?
    // Nothing distinguishes two purchases that were refunded at once.
    var isTied = false
    for index in periods.indices where periods[index].isCancelled {
      let period = periods[index]
      if record.isFamilyShared(period.row) == true { continue }
      let isRecent = receivedAt.map { $0 >= period.cancellation && $0 - period.cancellation <= window } ?? false
      guard period.cancellation == newest || isRecent && !isSubscriptionRow(period.row) else { continue }
      if let old = found {
        let (isOne, wasOne) = (isSubscriptionRow(period.row), isSubscriptionRow(periods[old].row))
        if isOne == wasOne { isTied = isTied || self.isTied(period, periods[old]) }
        guard isOne == wasOne ? periods[old].cancellation < period.cancellation : wasOne else { continue }
      }
      (found, isTied) = (index, false)
    }
    return isTied ? nil : found
  }

  /// The row shows by itself, or the catalogue of products says, that it is a subscription.
  func isSubscriptionRow(_ row: Int) -> Bool {
    if let type = input.knownType(row) { return type == .autoRenewableSubscription }
    if record.rows.slot(row, .web_order_line_item_id) != 0 || record.rows.slot(row, .subscription_group_identifier) != 0
      || record.rows.instant(row, .expires) != Period.none
    {
      return true
    }
    guard let product = record.text(row, .product_id) else { return false }
    return record.renewals.contains { record.text($0, .product_id) == product }
  }

  /// Events of subscriptions are not about other purchases, where the record or the catalogue distinguishes them.
  func dropOneTimePurchases(_ periods: inout [Period]) {
    if type.is(.forSubscriptions) {
      for index in periods.indices {
        guard let known = input.knownType(periods[index].row), known != .autoRenewableSubscription else { continue }
        periods[index].isCandidate = false
      }
    }
    guard type.is(.forSubscriptions), periods.contains(where: { $0.expires != Period.none }) else { return }
    for index in periods.indices where periods[index].expires == Period.none && periods[index].isCandidate {
      periods[index].isCandidate = isSubscriptionRow(periods[index].row)
    }
  }
}
