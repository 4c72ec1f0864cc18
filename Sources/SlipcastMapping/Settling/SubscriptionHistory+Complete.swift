// Facts about the time before an event, where the owner says that no message of that time is missing.
extension SubscriptionHistory {
  /// The last period that any message shows before a purchase, where nothing is missing between.
  private func lastPeriod(before place: Int) -> (period: Period, seenBy: Int)? {
    guard let target = target(place) else { return nil }
    let all = periods.values.lazy.map(\.period)
    var found: (period: Period, seenBy: Int)?
    for known in periods.values {
      let period = known.period
      guard period.id != target.id, period.expires != HistoryMessage.noTime, target.isNewer(than: period),
        found.map({ period.isNewer(than: $0.period) }) ?? true,
        !period.isEndedBefore(by: target, in: all, early: parameters.early.production)
      else { continue }
      found = known
    }
    let after = length(parameters.action, messages[place]) + parameters.delivery.production
    guard let found, !found.period.traits.contains(.family),
      isComplete(from: found.period.purchase, until: target.purchase + after)
    else { return nil }
    return found
  }

  /// The last period that any message shows before the purchase was still running.
  func ran(_ place: Int, _ fits: (Period, Period) -> Bool) -> [Int]? {
    guard let target = target(place), let last = lastPeriod(before: place), last.period.end >= target.purchase,
      fits(last.period, target)
    else { return nil }
    return [last.seenBy]
  }

  /// The period before had ended, and a message about it shows that it was not to renew.
  func lapsedBefore(_ place: Int) -> [Int]? {
    guard let target = target(place), let last = lastPeriod(before: place), last.period.traits.contains(.own),
      !last.period.isRevoked, !last.period.traits.contains(.upgraded), last.period.end < target.purchase,
      !isInGrace(last.period, at: target.purchase)
    else { return nil }
    let ended = others(of: place).first { index in
      let other = messages[index]
      return newest[index]?.id == last.period.id
        && (isVoluntary(other, last.period) || other.intent != 0 && other.isRetrying == false)
    }
    return (ended ?? lastOff(last.period, place)).map { [last.seenBy, $0] }
  }

  /// The next period had no offer and no other product: the message of the period's purchase or one before the event
  /// shows it, and no message reports another choice before.
  func nothingPending(_ place: Int) -> [Int]? {
    let message = messages[place]
    guard let newest = newest[place], message.pendingOffer != 0 else { return nil }
    let delivery = parameters.delivery.production
    let isDated = message.receivedAt != HistoryMessage.noTime
    let end = isDated ? message.receivedAt : newest.expires
    guard isComplete(from: newest.purchase - parameters.early.production, until: end + delivery) else { return nil }
    let others = others(of: place).filter { self.newest[$0]?.id == newest.id }.map {
      (place: $0, message: messages[$0])
    }
    let isTold = others.contains { other in
      let isLater = isDated && other.message.receivedAt > message.receivedAt + delivery
      let isUndated = other.message.receivedAt == HistoryMessage.noTime
      return other.message.type == .DID_CHANGE_RENEWAL_PREF && (isUndated || !isLater)
    }
    func isBefore(_ other: HistoryMessage) -> Bool {
      isDated && other.receivedAt != HistoryMessage.noTime && other.receivedAt < message.receivedAt
    }
    guard !isTold, !others.contains(where: { isBefore($0.message) && $0.message.pendingOffer != 0 }) else { return nil }
    let clean = others.first { _, other in
      let isPurchase = other.target >= 0 && other.periods[other.target].id == newest.id
      return other.scope.contains(.renewal) && other.nextProduct == newest.product && other.pendingOffer == 0
        && (isPurchase || isBefore(other))
    }
    return clean.map { [$0.place] }
  }
}
