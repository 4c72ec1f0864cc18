@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

// The period before the event's transaction, also where Apple charged a renewal early.

extension SubjectFinder {
  mutating func findPrevious(_ periods: [Period], _ target: Int) {
    let group = record.text(periods[target].row, .subscription_group_identifier)
    var isSame = false
    for index in periods.indices where index != target && periods[target].isNewer(than: periods[index]) {
      let period = periods[index]
      guard period.expires != Period.none,
        period.isSameOriginal || isInGroup(period, group) && !isShared(period, unlike: periods[target])
      else { continue }
      if let old = subject.previous {
        if isSame && !period.isSameOriginal { continue }
        if isSame == period.isSameOriginal, !isLater(period, than: periods[old], periods) { continue }
      }
      (subject.previous, isSame) = (index, period.isSameOriginal)
    }
    // An upgrade back to the running product, or after its refund, ends the other period that was charged early.
    guard let previous = subject.previous, let product = record.text(periods[target].row, .product_id),
      isEqual(periods[previous], .product_id, product) || periods[previous].isRevoked,
      let ended = periods.indices.first(where: { isEnded(periods[$0], by: periods[target], periods) })
    else { return }
    subject.previous = ended
  }

  /// The upgraded period was ended by this purchase, and not by one before it.
  private func isEnded(_ ended: Period, by purchase: Period, _ periods: [Period]) -> Bool {
    guard ended.isSameOriginal, ended.isUpgraded, isUpgrade(purchase, of: ended, periods) else { return false }
    return !periods.contains { $0.purchase < purchase.purchase && isUpgrade($0, of: ended, periods) }
  }

  /// The period came after the other one.
  ///
  /// An upgrade may be bought shortly before the period that it ends begins.
  private func isLater(_ period: Period, than other: Period, _ periods: [Period]) -> Bool {
    if other.isUpgraded, wasEnded(other, until: period, periods) { return true }
    return period.isNewer(than: other) && !(period.isUpgraded && wasEnded(period, until: other, periods))
  }

  /// Lists with more periods, which Apple does not send, are not searched for the purchase that ended one: the time
  /// would grow with the cube.
  static let mostSearched = 256

  /// A renewal that was charged early had been ended by a purchase, at the latest by another one that is given.
  private func wasEnded(_ ended: Period, until last: Period, _ periods: [Period]) -> Bool {
    if isUpgrade(last, of: ended, periods) { return true }
    guard periods.count <= Self.mostSearched, last.purchase <= ended.purchase, last.expires > ended.purchase else {
      return false
    }
    return periods.contains { $0.purchase <= last.purchase && isUpgrade($0, of: ended, periods) }
  }

  /// A purchase ended a renewal that was charged early, and had not begun.
  private func isUpgrade(_ period: Period, of ended: Period, _ periods: [Period]) -> Bool {
    let group = record.text(ended.row, .subscription_group_identifier)
    guard period.isSameOriginal || isInGroup(period, group), period.purchase <= ended.purchase,
      period.expires > ended.purchase,
      ended.purchase - period.purchase <= length(parameters.early),
      let product = record.text(period.row, .product_id)
    else { return false }
    return !isEqual(ended, .product_id, product)
      && periods.contains { $0.isSameOriginal && $0.expires == ended.purchase && $0.purchase < period.purchase }
  }

  /// Access by Family Sharing is not a period of the customer's own subscription.
  private func isShared(_ period: Period, unlike own: Period) -> Bool {
    record.isFamilyShared(period.row) == true && record.isFamilyShared(own.row) != true
  }

  private func isInGroup(_ period: Period, _ group: JSONText?) -> Bool {
    guard let group, let own = record.text(period.row, .subscription_group_identifier) else { return false }
    return own == group
  }
}
