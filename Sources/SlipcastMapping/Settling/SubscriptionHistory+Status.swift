// Facts about auto-renew between two messages.
extension SubscriptionHistory {
  /// The last change of auto-renew in the period before turned it off, and no message of the time since is missing.
  func wasOff(_ place: Int) -> [Int]? {
    guard let previous = previousPeriod(place), previous.period.traits.contains(.own),
      let last = lastOff(previous.period, place),
      isComplete(
        from: messages[last].statusChange, until: messages[place].eventTime + length(parameters.delivery)),
      !isChangeUnclear(after: messages[last].statusChange, until: messages[place].eventTime)
    else { return nil }
    return [previous.shownBy, last]
  }

  /// The message with the last change of auto-renew in a period, where all that show this change show it off.
  func lastOff(_ period: Period, _ place: Int) -> Int? {
    let message = messages[place]
    guard message.eventTime != HistoryMessage.noTime else { return nil }
    let before = others(of: place).filter { index in
      let other = messages[index]
      return newest[index]?.id == period.id && other.autoRenew != nil
        && other.statusChange != HistoryMessage.noTime && other.statusChange < message.eventTime
    }
    guard let last = before.max(by: { messages[$0].statusChange < messages[$1].statusChange }) else { return nil }
    let change = messages[last].statusChange
    let same = before.filter { messages[$0].statusChange == change }
    guard same.allSatisfy({ messages[$0].autoRenew == false && !unclearChanges.contains($0) }),
      !mayBeCompanion(change, of: period)
    else { return nil }
    // Apple tries to renew only what is on.
    let wasTried = change < period.expires && others(of: place).contains { isFailure(messages[$0], of: period) }
    return wasTried ? nil : last
  }

  /// A change at the purchase of a period may be the companion message of an upgrade, whose status need not be the
  /// subscription's: flat bodies do not mark upgrades.
  func mayBeCompanion(_ change: Int64, of period: Period) -> Bool {
    abs(change - period.purchase) <= length(parameters.action)
  }

  /// The owner says that no message is missing, and no message changes auto-renew between the event and what shows its
  /// status: the next change shows the opposite, a later body, the next renewal or its failure that it was on, expiration
  /// intent 1 that it was off.
  func stayed(on isOn: Bool, _ place: Int) -> [Int]? {
    let message = messages[place]
    // A purchase turns auto-renew on, whatever it was before.
    guard message.eventTime != HistoryMessage.noTime, let newest = newest[place], newest.purchase <= message.eventTime
    else { return nil }
    let start = message.eventTime
    let changes = others(of: place).filter {
      messages[$0].type.changesAutoRenew && messages[$0].eventTime > start
        && !messages[$0].scope.contains(.unclear)
    }
    let next = changes.min { messages[$0].eventTime < messages[$1].eventTime }
    func shows(_ evidence: (place: Int, time: Int64)) -> [Int]? {
      guard evidence.time > start, isComplete(from: start, until: evidence.time + length(parameters.delivery)),
        !changes.contains(where: { $0 != evidence.place && messages[$0].eventTime <= evidence.time }),
        !isChangeUnclear(after: start, until: evidence.time)
      else { return nil }
      return [evidence.place]
    }
    if let next, let changed = messages[next].autoRenew, changed != isOn, !unclearChanges.contains(next),
      // Nothing was bought in between: a purchase turns auto-renew on, whatever it was before.
      messages[next].newest?.id == newest.id,
      let found = shows((next, messages[next].eventTime))
    {
      return found
    }
    guard isOn else { return lapse(of: newest, off: start, place).flatMap(shows) }
    return renewal(of: newest, place).flatMap(shows) ?? stateOn(in: newest, place).flatMap(shows)
  }

  /// The first body that was written after the event's action and shows auto-renew on in the same period.
  private func stateOn(in period: Period, _ place: Int) -> (place: Int, time: Int64)? {
    let message = messages[place]
    let shown = others(of: place).filter { index in
      let other = messages[index]
      return !other.type.changesAutoRenew && other.autoRenew == true && newest[index]?.id == period.id
        && other.receivedAt != HistoryMessage.noTime
        && other.writtenFrom > message.eventTime + length(parameters.action)
    }
    return shown.min { messages[$0].receivedAt < messages[$1].receivedAt }.map { ($0, messages[$0].receivedAt) }
  }

  /// A change of auto-renew in a time range may be this subscription's or another one's.
  private func isChangeUnclear(after start: Int64, until end: Int64) -> Bool {
    messages.contains { message in
      message.scope.contains(.unclear) && message.type.changesAutoRenew && message.eventTime > start
        && message.eventTime <= end
    }
  }

  /// The first message that shows the renewal of a period, or that it failed, and when that happened.
  private func renewal(of period: Period, _ place: Int) -> (place: Int, time: Int64)? {
    for index in others(of: place) {
      let other = messages[index]
      if isFailure(other, of: period) { return (index, period.expires) }
      let next = other.periods.first { later in
        later.traits.contains(.own) && later.purchase >= period.expires - length(parameters.early)
          && later.purchase <= period.expires + length(parameters.gap)
          && other.period(before: later.id, early: length(parameters.early))?.id == period.id
          && isRenewal(later, of: period)
      }
      if let next { return (index, max(next.purchase, period.expires)) }
    }
    return nil
  }

  /// No message reports the purchase as a return; one that did not follow at once is reported as a renewal.
  private func isRenewal(_ next: Period, of period: Period) -> Bool {
    let isReturn = messages.contains {
      $0.type.changesAutoRenew && $0.eventTime != HistoryMessage.noTime
        && isAtPurchase($0.eventTime, of: next)
    }
    guard !isReturn, !isBoughtByHand(next) else { return false }
    return next.purchase <= period.expires
      || messages.contains { $0.type.is(.renewal) && $0.about?.id == next.id }
  }

  private func isFailure(_ message: HistoryMessage, of period: Period) -> Bool {
    message.type.is(.failure) && message.about?.id == period.id
  }

  func isBoughtByHand(_ period: Period) -> Bool {
    messages.contains { $0.type.is(.laterPurchase) && $0.about?.id == period.id }
  }

  /// A message that shows that a period ended because the customer had turned auto-renew off before a time.
  ///
  /// A lapse alone does not: the product may have been gone, or a price not accepted. What Apple tried to renew was on.
  private func lapse(of period: Period, off start: Int64, _ place: Int) -> (place: Int, time: Int64)? {
    let others = others(of: place)
    guard !others.contains(where: { isFailure(messages[$0], of: period) }) else { return nil }
    let told = others.first { index in
      let other = messages[index]
      return newest[index]?.id == period.id && other.intent == 1
        && (other.statusChange == HistoryMessage.noTime || other.statusChange <= start)
    }
    return told.map { ($0, max(period.expires, messages[$0].writtenFrom)) }
  }
}
