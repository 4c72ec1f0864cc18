internal import SlipcastV2

// Archive facts that need more than the conditions of one other message; each function returns the places of the messages
// that show it.
extension SubscriptionHistory {
  /// Another message of a type about the same period.
  func report(_ place: Int, _ fits: (HistoryMessage) -> Bool) -> [Int]? {
    guard let target = target(place) else { return nil }
    return first(others(of: place)) { fits($0) && isAbout($0, target) }
  }

  /// The event's period with the cancellation that its own message shows: an upgraded one may be refunded later.
  func cancelled(_ place: Int) -> Period? {
    guard var period = target(place), let own = messages[place].about, own.cancellation != HistoryMessage.noTime
    else { return nil }
    period.cancellation = own.cancellation
    return period
  }

  /// The purchase that a list shows next after the event's period, of another product and within a day before its
  /// cancellation; where no list shows the two, within minutes of it.
  func upgradeReport(_ place: Int) -> [Int]? {
    guard let target = cancelled(place), !target.traits.contains(.forApp) else { return nil }
    let lists = others(of: place).filter { index in
      messages[index].scope.contains(.list) && messages[index].periods.contains { $0.id == target.id }
    }
    let list = lists.first { index in
      messages[index].periods.contains { $0.id == target.id && $0.traits.contains(.upgraded) }
    }
    guard list != nil || lists.isEmpty && !messages[place].scope.contains(.list) else { return nil }
    let shown = list.map { messages[$0].periods } ?? periods.values.map(\.period)
    let window = list == nil ? parameters.action : parameters.upgrade
    guard
      let next = shown.filter({ $0.traits.contains(.own) && $0.purchase > target.purchase })
        .min(by: { $0.purchase < $1.purchase }),
      next.product != target.product, next.purchase < target.expires,
      (0...length(window)).contains(target.cancellation - next.purchase)
    else { return nil }
    let about = others(of: place).filter { isAbout(messages[$0], next) }
    // The message of the purchase may be missing, and its companion say the same.
    return first(about) { $0.type.is(.laterPurchase) }
      ?? first(about) { $0.type.changesAutoRenew && isAtPurchase($0.eventTime, of: next) }
  }

  /// A CANCEL of the period that the purchase ended, dated at most seconds after the purchase: one action of Apple.
  ///
  /// A customer cannot get a refund and buy again that fast. Flat bodies do not mark upgrades; a list that shows the
  /// period decides.
  func cancelReport(_ place: Int) -> [Int]? {
    guard let target = target(place) else { return nil }
    let found = others(of: place).first { index in
      guard messages[index].type.is(.afterUpgrade), let old = messages[index].about else { return false }
      return old.traits.contains(.own) && !old.traits.contains(.forApp) && old.product != target.product
        && old.purchase < target.purchase && target.purchase < old.expires
        && (0...length(parameters.companion)).contains(old.cancellation - target.purchase)
    }
    guard let found, let old = messages[found].about else { return nil }
    let isRefund = messages.contains { message in
      message.periods.contains { period in
        period.id == old.id && period.cancellation != HistoryMessage.noTime && period.traits.contains(.markable)
          && !period.traits.contains(.upgraded)
      }
    }
    return isRefund ? nil : [found]
  }

  /// V1 reports a recovery with DID_RECOVER, and with RENEWAL until 2021-03-10; the Sandbox sends RENEWAL for others too.
  func isRecovery(_ message: HistoryMessage) -> Bool {
    message.type.is(.recovery)
      || message.type.is(.formerRecovery) && message.confidence < .inferred && !message.scope.contains(.sandbox)
  }

  /// A RENEWAL about the same period, of which only another message shows the gap before it.
  func renewalAfterGap(_ place: Int) -> [Int]? {
    guard let target = target(place), let previous = previousPeriod(place),
      target.purchase - previous.period.end > length(parameters.gap),
      let gap = evidence(for: .previousEnded, of: place),
      let renewal = report(place, { $0.type.is(.formerRecovery) && !$0.scope.contains(.sandbox) })
    else { return nil }
    return renewal + gap
  }

  /// The message's event is about a period, and its record names the subscription.
  func isAbout(_ message: HistoryMessage, _ period: Period) -> Bool {
    message.scope.contains(.named) && message.about?.id == period.id
  }

  /// The renewal of the period before failed: a message reports it, or a snapshot shows the retry.
  func failure(_ place: Int) -> [Int]? {
    guard let target = target(place), let previous = previousPeriod(place) else { return nil }
    let shown = first(others(of: place)) { other in
      if other.type.is(.failure), isAbout(other, previous.period) {
        return !other.isPaid(previous.period, early: length(parameters.early))
      }
      return other.isRetrying == true && other.newest?.id == previous.period.id
        && (other.writtenFrom == HistoryMessage.noTime || other.writtenFrom <= target.purchase)
    }
    return shown.map { [previous.shownBy] + $0 }
  }

  /// The customer had turned auto-renew off before the end.
  func isVoluntary(_ message: HistoryMessage, _ period: Period) -> Bool {
    if message.intent == 1, message.autoRenew != true { return true }
    return message.autoRenew == false && message.statusChange != HistoryMessage.noTime
      && message.statusChange <= period.expires && message.writtenFrom >= period.expires
      && !mayBeCompanion(message.statusChange, of: period)
  }

  /// No snapshot shows a purchase by hand within a day of the event, and a later list that is not cut would.
  func noPurchase(near place: Int) -> [Int]? {
    let message = messages[place]
    guard let time = message.time else { return nil }
    let day = isSandbox ? length(parameters.action) : length(parameters.upgrade)
    let action = length(parameters.action)
    guard !periods.values.contains(where: { mayFollow($0.period, time, within: day, action) }) else { return nil }
    return first(others(of: place)) { other in
      other.scope.contains(.whole) && !other.scope.contains(.groupUnclear) && other.writtenFrom > time + day
    }
  }

  /// A purchase that may belong to a change of auto-renew: it was not taken back before, and is not a reported renewal
  /// of another time.
  private func mayFollow(_ period: Period, _ time: Int64, within day: Int64, _ action: Int64) -> Bool {
    let distance = abs(period.purchase - time)
    guard distance <= day, !(period.isRevoked && period.cancellation <= time) else { return false }
    return distance <= action
      || !messages.contains { $0.type.is(.renewal) && isAbout($0, period) }
  }

  func isAtPurchase(_ time: Int64, of period: Period) -> Bool {
    abs(time - period.purchase) <= length(parameters.companion)
  }

  /// Another change of auto-renew is at the purchase, so it is the purchase's own, and this one is not.
  func otherChange(_ place: Int) -> [Int]? {
    guard let target = target(place), let time = messages[place].time, !isAtPurchase(time, of: target) else {
      return nil
    }
    // A body that was written later shows a later purchase; the event's own is reported.
    let isReported = messages.contains { other in
      other.type.isPurchaseByHand && other.about.map { isAtPurchase(time, of: $0) } ?? false
    }
    // A flat body that was written later shows a later purchase, and none at the event.
    let isBought = periods.values.contains { isAtPurchase(time, of: $0.period) }
    if isReported || isBought || target.purchase > time { return nil }
    return first(others(of: place)) { other in
      other.type.changesAutoRenew && other.eventTime != HistoryMessage.noTime && isAbout(other, target)
        && isAtPurchase(other.eventTime, of: target)
    }
  }

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

  /// An earlier period of the subscription or its group ended before the event's, or a whole list shows that none did.
  func earlier(_ place: Int, _ fact: ArchiveFact) -> [Int]? {
    guard let target = target(place), !target.traits.contains(.family) else { return nil }
    func hasOlder(_ message: HistoryMessage, where fits: (Period) -> Bool = { _ in true }) -> Bool {
      message.periods.contains {
        $0.id != target.id && $0.expires != HistoryMessage.noTime && target.isNewer(than: $0) && fits($0)
      }
    }
    if fact == .earlierEnded {
      return first(messages.indices.filter { messages[$0].scope.contains(.list) }) { message in
        hasOlder(message) { !$0.traits.contains(.family) && $0.end < target.purchase }
      }
    }
    guard !messages.contains(where: { hasOlder($0) }) else { return nil }
    return first(messages.indices.filter { messages[$0].scope.isSuperset(of: [.list, .whole]) }) { message in
      !message.scope.contains(.groupUnclear) && message.periods.contains { $0.id == target.id }
    }
  }

  /// Another snapshot shows the event's own period, or another one.
  func mark(_ place: Int, id: UInt64? = nil, _ shows: (Period) -> Bool) -> [Int]? {
    guard let id = id ?? target(place)?.id else { return nil }
    return first(others(of: place)) { other in other.periods.contains { $0.id == id && shows($0) } }
  }

  /// Another product of the group was bought near the cancellation of the event's period.
  func upgrade(_ place: Int) -> [Int]? {
    guard let target = cancelled(place) else { return nil }
    let near = periods.values.filter { other in
      other.period.id != target.id && other.period.product != target.product
        && abs(other.period.purchase - target.cancellation) <= length(parameters.upgrade)
    }
    return near.map(\.seenBy).min().map { [$0] }
  }

  /// A body that was written more than a day after the newer purchase shows the period upgraded, and not cancelled.
  func upgradedUncancelled(_ place: Int) -> [Int]? {
    guard let target = target(place) else { return nil }
    let newer = periods.values.map(\.period).filter {
      $0.traits.contains(.own) && $0.product != target.product && $0.isNewer(than: target)
    }
    guard let purchase = newer.map(\.purchase).min() else { return nil }
    return uncancelled(target, after: purchase + length(parameters.upgrade), besides: place)
  }

  /// Another body, written after a time, that shows a period upgraded, and not cancelled.
  private func uncancelled(_ period: Period, after time: Int64, besides place: Int) -> [Int]? {
    first(others(of: place)) { other in
      other.writtenFrom > time
        && other.periods.contains {
          $0.id == period.id && $0.traits.contains(.upgraded) && $0.cancellation == HistoryMessage.noTime
        }
    }
  }

  func first(_ places: some Sequence<Int>, _ shows: (HistoryMessage) -> Bool) -> [Int]? {
    places.first { shows(messages[$0]) }.map { [$0] }
  }
}
