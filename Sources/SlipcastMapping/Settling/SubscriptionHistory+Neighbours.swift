// The messages that stand out among the others of an event: the next one, the last one before.
extension SubscriptionHistory {
  typealias Shown = (place: Int, time: Int64)

  /// The message that is the neighbour of an event, and the time for which it shows a state.
  func neighbour(_ relation: FactNeighbour, of subject: FactSubject) -> Shown? {
    let place = subject.place
    if relation == .nextChange { return nextChange(after: place) }
    guard let period = subject.period else { return nil }
    return switch relation {
    case .other, .any, .nextChange: nil
    case .lastOff: lastOff(period, place)
    case .renewal: renewal(of: period, place)
    case .stillOn: stillOn(in: period, place)
    case .ended: ended(period, place)
    case .latest: latest(in: period, before: place, by: nil)
    case .earlier: latest(in: period, before: place, by: length(parameters.delivery))
    case .lastChoice: choices(in: period, place).before
    case .following: choices(in: period, place).after ?? renewal(of: period, besides: place)
    }
  }

  // MARK: auto-renew

  /// The message with the last change of auto-renew in a period, where all that show this change show it off.
  private func lastOff(_ period: Period, _ place: Int) -> Shown? {
    let message = messages[place]
    guard message.eventTime != HistoryMessage.noTime else { return nil }
    let before = others(of: place) { index, other in
      newest[index]?.id == period.id && other.autoRenew != nil && other.statusChange != HistoryMessage.noTime
        && other.statusChange < message.eventTime
    }
    guard let last = before.max(by: { messages[$0].statusChange < messages[$1].statusChange }) else { return nil }
    let change = messages[last].statusChange
    guard
      before.allSatisfy({ index in
        messages[index].statusChange != change || messages[index].autoRenew == false && !unclearChanges.contains(index)
      }), !mayBeCompanion(change, of: period)
    else { return nil }
    // Apple tries to renew only what is on.
    let wasTried = change < period.expires && isTried(period, besides: place)
    return wasTried ? nil : (last, change)
  }

  /// The next change of auto-renew.
  private func nextChange(after place: Int) -> Shown? {
    let start = messages[place].eventTime
    let changes = others(of: place) { _, other in
      other.type.changesAutoRenew && other.eventTime > start && !other.scope.contains(.unclear)
    }
    return changes.min { messages[$0].eventTime < messages[$1].eventTime }.map { ($0, messages[$0].eventTime) }
  }

  /// The first body that was written after the event's action and shows auto-renew on in the same period.
  private func stillOn(in period: Period, _ place: Int) -> Shown? {
    let message = messages[place]
    let shown = others(of: place) { index, other in
      !other.type.changesAutoRenew && other.autoRenew == true && newest[index]?.id == period.id
        && other.receivedAt != HistoryMessage.noTime
        && other.writtenFrom > message.eventTime + length(parameters.action)
    }
    return shown.min { messages[$0].receivedAt < messages[$1].receivedAt }.map { ($0, messages[$0].receivedAt) }
  }

  /// A message that shows that a period ended because the customer had turned auto-renew off before the event.
  ///
  /// A lapse alone does not: the product may have been gone, or a price not accepted. What Apple tried to renew was on.
  private func ended(_ period: Period, _ place: Int) -> Shown? {
    let start = messages[place].eventTime
    guard !isTried(period, besides: place) else { return nil }
    let told = others(of: place) { index, other in
      newest[index]?.id == period.id && other.intent == 1
        && (other.statusChange == HistoryMessage.noTime || other.statusChange <= start)
    }
    return told.first.map { ($0, max(period.expires, messages[$0].writtenFrom)) }
  }

  /// Another message reports that the renewal of a period failed.
  private func isTried(_ period: Period, besides place: Int) -> Bool {
    messages.indices.contains { isOther($0, than: place) && isFailure(messages[$0], of: period) }
  }

  private func isFailure(_ message: HistoryMessage, of period: Period) -> Bool {
    message.type.is(.failure) && message.about?.id == period.id
  }

  // MARK: renewals

  /// The first message that shows the renewal of a period, or that it failed, and when that happened.
  private func renewal(of period: Period, _ place: Int) -> Shown? {
    for index in messages.indices where isOther(index, than: place) {
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
      $0.type.changesAutoRenew && $0.eventTime != HistoryMessage.noTime && isAtPurchase($0.eventTime, of: next)
    }
    guard !isReturn, !isBoughtByHand(next) else { return false }
    return next.purchase <= period.expires
      || messages.contains { $0.type.is(.renewal) && $0.about?.id == next.id }
  }

  /// A message that shows the renewal of a period with its own product.
  private func renewal(of period: Period, besides place: Int) -> Shown? {
    messages.indices.first { isOther($0, than: place) && renews(messages[$0], period) }
      .map { ($0, HistoryMessage.noTime) }
  }

  // MARK: choices and offers

  /// The last message of the same newest period with its renewal entry that was received before one.
  ///
  /// - Parameter least: only messages that were received more than this before, in milliseconds.
  private func latest(in period: Period, before place: Int, by least: Int64?) -> Shown? {
    let received = messages[place].receivedAt
    guard received != HistoryMessage.noTime else { return nil }
    let before = others(of: place) { index, other in
      other.scope.contains(.renewal) && newest[index]?.id == period.id && other.receivedAt != HistoryMessage.noTime
        && other.receivedAt < received - (least ?? 0)
    }
    return before.max { messages[$0].receivedAt < messages[$1].receivedAt }.map { ($0, messages[$0].receivedAt) }
  }

  /// The messages of a period that name its next product and were received nearest to one.
  private func choices(in period: Period, _ place: Int) -> (before: Shown?, after: Shown?) {
    let received = messages[place].receivedAt
    guard received != HistoryMessage.noTime else { return (nil, nil) }
    let own = others(of: place) { index, other in
      newest[index]?.id == period.id && other.nextProduct != 0 && other.receivedAt != HistoryMessage.noTime
    }
    func isEarlier(_ one: Int, _ two: Int) -> Bool { messages[one].receivedAt < messages[two].receivedAt }
    let before = own.filter { messages[$0].receivedAt < received }.max(by: isEarlier)
    let after = own.filter { messages[$0].receivedAt > received }.min(by: isEarlier)
    return (before.map { ($0, messages[$0].receivedAt) }, after.map { ($0, messages[$0].receivedAt) })
  }
}
