// The periods of a subscription as all messages show them together.
extension SubscriptionHistory {
  // MARK: the period of an event, and its neighbours

  func target(_ place: Int) -> Period? {
    messages[place].about.map { periods[$0.id]?.period ?? $0 }
  }

  /// The event's period with the cancellation that its own message shows: an upgraded one may be refunded later.
  func cancelled(_ place: Int) -> Period? {
    guard var period = target(place), let own = messages[place].about, own.cancellation != HistoryMessage.noTime
    else { return nil }
    period.cancellation = own.cancellation
    return period
  }

  /// The period before the event's own, as a list shows it that has both.
  func previousPeriod(_ place: Int) -> (period: Period, shownBy: Int)? {
    target(place).flatMap { previousPeriods[$0.id] }
  }

  /// The last period that any message shows before a purchase.
  func lastPeriod(before place: Int) -> UnitedPeriods.Entry? {
    guard let target = target(place) else { return nil }
    let all = periods.values.lazy.map(\.period)
    var last: UnitedPeriods.Entry?
    // Whether a period was ended takes a walk over all: asked only for newer ones than the one found.
    for known in periods.values
    where known.period.id != target.id && known.period.expires != HistoryMessage.noTime
      && target.isNewer(than: known.period) && last.map({ known.period.isNewer(than: $0.period) }) ?? true
      && !known.period.isEndedBefore(by: target, in: all, early: length(parameters.early))
    { last = known }
    return last
  }

  /// The purchase after the event's period, in the first list that marks this one as upgraded.
  func nextPurchase(after place: Int) -> (period: Period, shownBy: Int)? {
    guard let target = cancelled(place) else { return nil }
    let list = messages.indices.first { index in
      isOther(index, than: place) && messages[index].scope.contains(.list)
        && messages[index].periods.contains { $0.id == target.id && $0.traits.contains(.upgraded) }
    }
    guard let list, let next = Self.next(after: target, in: messages[list].periods) else { return nil }
    return (next, list)
  }

  /// The purchase after the event's period in any record, where no list shows the period.
  func nextUnlisted(after place: Int) -> Period? {
    guard let target = cancelled(place), !messages[place].scope.contains(.list) else { return nil }
    let isListed = messages.indices.contains { index in
      isOther(index, than: place) && messages[index].scope.contains(.list)
        && messages[index].periods.contains { $0.id == target.id }
    }
    return isListed ? nil : Self.next(after: target, in: periods.values.lazy.map(\.period))
  }

  private static func next(after period: Period, in all: some Sequence<Period>) -> Period? {
    all.filter { $0.traits.contains(.own) && $0.purchase > period.purchase }.min { $0.purchase < $1.purchase }
  }

  /// When another product was bought first after a period.
  func upgrade(of period: Period) -> Int64? {
    let newer = periods.values.lazy.map(\.period).filter {
      $0.traits.contains(.own) && $0.product != period.product && $0.isNewer(than: period)
    }
    return newer.map(\.purchase).min()
  }

  // MARK: what ran

  /// Another period of the subscription or its group runs at a purchase: it began before, or was charged early and
  /// upgraded by this purchase.
  func isAnyRunning(before target: Period) -> Bool {
    periods.values.contains { known in
      let period = known.period
      guard period.id != target.id else { return false }
      if period.traits.contains(.upgraded) {
        return period.purchase > target.purchase && period.purchase <= target.purchase + length(parameters.early)
      }
      return target.isNewer(than: period) && period.end >= target.purchase
    }
  }

  func isInGrace(_ period: Period, at time: Int64) -> Bool {
    messages.indices.contains { newest[$0]?.id == period.id && messages[$0].grace > time }
  }

  /// Another product was bought after a period began and before a purchase: that ended it.
  func isSuperseded(_ period: Period, before target: Period) -> Bool {
    let earlier = periods.values.lazy.map(\.period).filter { known in
      known.id != target.id && known.traits.contains(.own) && known.purchase != HistoryMessage.noTime
        && known.purchase < target.purchase
    }
    guard let last = earlier.max(by: { ($0.purchase, $0.product) < ($1.purchase, $1.product) }) else { return false }
    guard period.product == last.product else { return last.purchase > period.purchase }
    return earlier.contains { $0.product != last.product && $0.purchase > period.purchase }
  }

  /// A renewal that may have been charged early, and ended before it began by another purchase: flat bodies do not mark
  /// upgrades.
  func mayBeEndedEarly(_ period: Period) -> Bool {
    let all = periods.values.lazy.map(\.period)
    guard let before = all.first(where: { $0.expires == period.purchase && $0.id != period.id }) else { return false }
    return all.contains { other in
      other.id != before.id && other.id != period.id && other.product != period.product
        && other.purchase > before.purchase && other.purchase <= period.purchase
        && period.purchase - other.purchase <= length(parameters.early)
    }
  }

  /// The period may have been renewed early, with another product, when the purchase was made: that is what it ended.
  func mayBeRenewed(_ period: Period, before target: Period) -> Bool {
    guard (0...length(parameters.early)).contains(period.expires - target.purchase) else { return false }
    let isRenewed = periods.values.contains { known in
      known.period.purchase == period.expires && known.period.id != target.id && known.period.product != target.product
    }
    return isRenewed
      || messages.indices.contains { index in
        newest[index]?.id == period.id && messages[index].nextProduct != 0
          && messages[index].nextProduct != period.product && messages[index].isWritten(by: target.purchase)
      }
  }

  /// A list shows a period cancelled without a mark of an upgrade: a refund.
  func isUnmarked(_ period: Period) -> Bool {
    messages.contains { message in
      message.periods.contains { shown in
        shown.id == period.id && shown.cancellation != HistoryMessage.noTime && shown.traits.contains(.markable)
          && !shown.traits.contains(.upgraded)
      }
    }
  }

  // MARK: renewals

  /// A message's list shows that a period renewed the one before it, which takes the product that was chosen.
  func isPlainRenewal(_ period: Period, in message: HistoryMessage) -> Bool {
    guard let previous = message.period(before: period.id, early: length(parameters.early)),
      previous.traits.contains(.own), !previous.traits.contains(.upgraded), !previous.isRevoked,
      !isBoughtByHand(period)
    else { return false }
    return (0...length(parameters.settled)).contains(period.purchase - previous.expires)
  }

  /// A message's list shows the renewal of a period, with the same product.
  func renews(_ message: HistoryMessage, _ period: Period) -> Bool {
    message.periods.contains {
      $0.product == period.product && $0.purchase == period.expires
        && message.period(before: $0.id, early: length(parameters.early))?.id == period.id
    }
  }

  func isBoughtByHand(_ period: Period) -> Bool {
    messages.contains { $0.type.is(.laterPurchase) && $0.about?.id == period.id }
  }

  /// A message of a period names a product as the next one.
  func isChosen(_ product: UInt64, in period: Period) -> Bool {
    messages.indices.contains { newest[$0]?.id == period.id && messages[$0].nextProduct == product }
  }

  /// The time from which V1 sends all types of a kind to the owner of a period.
  func sendingStart(of isMeant: (LegacyType) -> Bool, for period: Period) -> Int64 {
    guard period.traits.contains(.family) else { return .min }
    return parameters.types.filter(isMeant).map(\.familyStart).max() ?? .max
  }
}
