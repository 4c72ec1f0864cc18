@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

// Cancellations that an upgrade leaves.

extension SubjectFinder {
  /// The upgraded period whose cancellation a CANCEL reports that names none: the list marks the upgrade and does not
  /// date it.
  ///
  /// Without a date of the body it is an upgrade to the newest purchase, if the message was received soon after it.
  func upgradedPeriod(cancelledAt date: Int64?, _ periods: [Period]) -> Int? {
    guard type.is(.afterUpgrade) else { return nil }
    var instant = date
    if instant == nil, let newest = Self.newest(periods, { $0.isCandidate && !$0.isUpgraded }) {
      let purchase = periods[newest].purchase
      let window = length(parameters.delivery) + length(parameters.upgrade)
      if receivedAt.map({ $0 - purchase <= window }) ?? true { instant = purchase }
    }
    guard let instant else { return nil }
    return Self.newest(periods) { period in
      period.isCandidate && !period.isCancelled && period.purchase <= instant
        && wasUpgraded(period, near: instant, periods)
    }
  }

  /// The cancellation is that of an upgrade, which takes nothing back.
  func isCancelledByUpgrade(_ period: Period, _ periods: [Period]) -> Bool {
    record.integer(period.row, .cancellation_reason) != 1 && wasUpgraded(period, near: period.cancellation, periods)
  }

  /// The period is marked as upgraded, and another product of its subscription was bought near an instant while it ran.
  ///
  /// In lists that are too long to search, which Apple does not send, the mark is enough.
  private func wasUpgraded(_ period: Period, near instant: Int64, _ periods: [Period]) -> Bool {
    guard period.isUpgraded else { return false }
    guard periods.count <= Self.mostSearched else { return true }
    return periods.contains { other in
      other.row != period.row && other.purchase != Period.none && other.purchase < period.expires
        && other.purchase.isNear(instant, within: length(parameters.upgrade))
        && record.isSame(.product_id, in: other.row, and: period.row) == false
        && (other.original != nil && other.original == period.original
          || record.isSame(.subscription_group_identifier, in: other.row, and: period.row) == true)
    }
  }
}
