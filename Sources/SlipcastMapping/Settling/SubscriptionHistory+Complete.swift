// Facts about the time before an event, where the owner says that no message of that time is missing.
extension SubscriptionHistory {
  /// The last period that any message shows before a purchase, where nothing is missing between.
  private func lastPeriod(before place: Int) -> (period: Period, seenBy: Int)? {
    guard let target = target(place) else { return nil }
    let all = periods.values.lazy.map(\.period)
    var last: (period: Period, seenBy: Int)?
    // Whether a period was ended takes a walk over all: asked only for newer ones than the one found.
    for known in periods.values
    where known.period.id != target.id && known.period.expires != HistoryMessage.noTime
      && target.isNewer(than: known.period) && last.map({ known.period.isNewer(than: $0.period) }) ?? true
      && !known.period.isEndedBefore(by: target, in: all, early: length(parameters.early))
    { last = known }
    let after = length(parameters.action) + length(parameters.delivery)
    guard let found = last, !found.period.traits.contains(.family),
      isComplete(from: found.period.purchase, until: target.purchase + after)
    else { return nil }
    return found
  }

  /// The last period that any message shows before the purchase was still running.
  func ran(_ place: Int, _ fits: (Period, Period) -> Bool) -> [Int]? {
    guard let target = target(place), let last = lastPeriod(before: place), last.period.end >= target.purchase,
      fits(last.period, target), !mayBeEndedEarly(last.period), !mayBeRenewed(last.period, before: target)
    else { return nil }
    return [last.seenBy]
  }

  /// A period that any body shows to run at the purchase: what ran outranks the absence of a message.
  func shownRunning(_ place: Int, ofSameProduct isSame: Bool) -> [Int]? {
    guard let target = target(place) else { return nil }
    let last = lastPurchases(before: target)
    let running = periods.values.filter { known in
      let period = known.period
      // What was bought since then, of another product, ended the period.
      return period.id != target.id && period.traits.contains(.own) && !period.traits.contains(.upgraded)
        && period.expires != HistoryMessage.noTime && target.isNewer(than: period) && period.end > target.purchase
        && (period.product == last.product ? last.ofOthers : last.purchase) <= period.purchase
        && !mayBeEndedEarly(period) && !mayBeRenewed(period, before: target)
    }
    guard !running.isEmpty, running.allSatisfy({ ($0.period.product == target.product) == isSame }) else { return nil }
    return running.map(\.seenBy).min().map { [$0] }
  }

  /// The last purchase before one, its product, and the last purchase of another product.
  private func lastPurchases(before target: Period) -> (purchase: Int64, product: UInt64, ofOthers: Int64) {
    let earlier = periods.values.lazy.map(\.period).filter { period in
      period.id != target.id && period.traits.contains(.own) && period.purchase != HistoryMessage.noTime
        && period.purchase < target.purchase
    }
    guard let last = earlier.max(by: { ($0.purchase, $0.product) < ($1.purchase, $1.product) }) else {
      return (.min, 0, .min)
    }
    let others = earlier.filter { $0.product != last.product }
    return (last.purchase, last.product, others.map(\.purchase).max() ?? .min)
  }

  /// A renewal that may have been charged early, and ended before it began by another purchase: flat bodies do not mark
  /// upgrades.
  private func mayBeEndedEarly(_ period: Period) -> Bool {
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

  /// The last period that any message shows before the purchase was taken back while it ran, so nothing renewed it.
  func revokedBefore(_ place: Int) -> [Int]? {
    guard let target = target(place), let last = lastPeriod(before: place), last.period.traits.contains(.own),
      last.period.isRevoked, last.period.cancellation >= last.period.purchase,
      last.period.cancellation < last.period.expires - length(parameters.early), !isAnyRunning(before: target)
    else { return nil }
    // At an upgrade too, Apple cancels the old period.
    let isOther = last.period.product != target.product
    let action = isOther ? length(parameters.action) : 0
    guard last.period.cancellation + action < target.purchase else { return nil }
    return mark(place, id: last.period.id) { $0.isRevoked }
  }

  /// The last period that any message shows before the purchase was of the same product, and no other one was chosen.
  func sameProductOnly(_ place: Int) -> [Int]? {
    guard let target = target(place), let last = lastPeriod(before: place), last.period.traits.contains(.own),
      last.period.product == target.product
    else { return nil }
    let start = last.period.purchase
    let isOtherBought = periods.values.contains {
      $0.period.product != target.product && $0.period.end >= start && $0.period.purchase <= target.purchase
    }
    let isOtherNamed = messages.contains { message in
      if message.type.changesProduct,
        message.mayBeWritten(from: start, until: target.purchase + length(parameters.delivery))
      {
        return true
      }
      return message.nextProduct != 0 && message.nextProduct != target.product
        && message.mayBeWritten(from: start, until: target.purchase)
        && !message.periods.contains { $0.id == target.id }
    }
    guard !isOtherBought, !isOtherNamed,
      !isUnclear(\.changesProduct, from: start, until: target.purchase)
    else { return nil }
    return [last.seenBy]
  }

  /// V1 sent a CANCEL of the old period for each upgrade; none was sent for the purchase.
  func noCancel(_ place: Int) -> [Int]? {
    guard let target = target(place), target.purchase < parameters.upgradeCancelEnd,
      !messages[place].scope.contains(.sandbox), !target.traits.contains(.family),
      !(previousPeriod(place)?.period.traits.contains(.upgraded) ?? false)
    else { return nil }
    let from = target.purchase - length(parameters.action)
    let until = target.purchase + length(parameters.upgrade)
    let delivered = until + length(parameters.delivery)
    let isCancelled = messages.contains { message in
      message.type.is(.afterUpgrade) && message.mayBeWritten(from: from, until: delivered)
        && (message.eventTime == HistoryMessage.noTime || (from...until).contains(message.eventTime))
    }
    guard isComplete(from: from, until: delivered), !isCancelled,
      !isUnclear({ $0.is(.afterUpgrade) }, from: from, until: delivered)
    else { return nil }
    return []
  }

  // MARK: choices and offers

  /// The last earlier message of the same period shows another product as the next one, and what follows does not: the
  /// event took the choice back.
  func otherChoice(before place: Int) -> [Int]? {
    let message = messages[place]
    // Without a renewal entry an offer that was redeemed now would not be seen.
    guard message.receivedAt != HistoryMessage.noTime, message.scope.contains(.renewal), message.pendingOffer == 0,
      let newest = newest[place], !isRepeated(place)
    else { return nil }
    let end = message.receivedAt + length(parameters.delivery)
    guard isComplete(from: newest.purchase - length(parameters.early), until: end) else { return nil }
    let own = others(of: place).filter { index in
      let other = messages[index]
      return self.newest[index]?.id == newest.id && other.nextProduct != 0 && other.receivedAt != HistoryMessage.noTime
    }
    let isChosenAgain = own.contains {
      messages[$0].type.changesProduct && messages[$0].nextProduct == newest.product
    }
    func isEarlier(_ one: Int, _ two: Int) -> Bool { messages[one].receivedAt < messages[two].receivedAt }
    let before = own.filter { messages[$0].receivedAt < message.receivedAt }.max(by: isEarlier)
    let after = own.filter { messages[$0].receivedAt > message.receivedAt }.min(by: isEarlier)
    guard let before, messages[before].nextProduct != newest.product, !isChosenAgain else { return nil }
    if let after { return messages[after].nextProduct == newest.product ? [before, after] : nil }
    let renewed = first(others(of: place)) { other in
      other.periods.contains {
        $0.product == newest.product && $0.purchase == newest.expires
          && other.period(before: $0.id, early: length(parameters.early))?.id == newest.id
      }
    }
    return renewed.map { [before] + $0 }
  }

  /// Another message has the same content: a redelivery, or a second choice, one of the two with a body written late.
  private func isRepeated(_ place: Int) -> Bool { others(of: place).count < messages.count - 1 }

  /// The period began with its own product as the next one, and no message reports another choice before the event.
  func nothingPending(_ place: Int) -> [Int]? {
    let message = messages[place]
    guard let newest = newest[place], message.pendingOffer != 0, !isRepeated(place) else { return nil }
    let delivery = length(parameters.delivery)
    let isDated = message.receivedAt != HistoryMessage.noTime
    let start = newest.purchase - length(parameters.early)
    let end = isDated ? message.receivedAt : newest.expires
    guard isComplete(from: start, until: end + delivery), !isChoiceTold(place, newest, since: start) else { return nil }
    func isBefore(_ other: HistoryMessage) -> Bool {
      isDated && other.receivedAt != HistoryMessage.noTime && other.receivedAt < message.receivedAt
    }
    let others = others(of: place).filter { self.newest[$0]?.id == newest.id }
    guard !others.contains(where: { isBefore(messages[$0]) && messages[$0].pendingOffer != 0 }) else { return nil }
    let clean = first(others) { other in
      other.nextProduct == newest.product && other.pendingOffer == 0
        && (other.about?.id == newest.id || isBefore(other))
    }
    return clean ?? (isPlainRenewal(newest, in: message) ? [] : nil)
  }

  /// A message reports the choice of a product for the next period, before one that was written in the same period.
  private func isChoiceTold(_ place: Int, _ newest: Period, since start: Int64) -> Bool {
    let message = messages[place]
    let previous = message.period(before: newest.id, early: length(parameters.early))
    let isDated = message.receivedAt != HistoryMessage.noTime
    return others(of: place).contains { index in
      let other = messages[index]
      guard other.type.changesProduct else { return false }
      let isUndated = !isDated || other.receivedAt == HistoryMessage.noTime
      if self.newest[index]?.id == newest.id {
        return isUndated || other.receivedAt <= message.receivedAt + length(parameters.delivery)
      }
      // Chosen after Apple had charged the renewal, and before it began.
      return self.newest[index]?.id == previous?.id && other.nextProduct != newest.product
        && (isUndated || other.receivedAt >= start)
    }
  }

  /// A message's list shows that a period renewed the one before it, which takes the product that was chosen.
  private func isPlainRenewal(_ period: Period, in message: HistoryMessage) -> Bool {
    guard let previous = message.period(before: period.id, early: length(parameters.early)),
      previous.traits.contains(.own), !previous.traits.contains(.upgraded), !previous.isRevoked,
      !isBoughtByHand(period)
    else { return false }
    return (0...length(parameters.settled)).contains(period.purchase - previous.expires)
  }

  // MARK: absence

  /// No message reports a failed renewal of the period before, and the owner says that none is missing.
  func noFailure(_ place: Int) -> [Int]? {
    guard messages[place].time != nil, let target = target(place), let previous = previousPeriod(place),
      !messages[place].type.is(.renewal) || !isBoughtByHand(target)
    else { return nil }
    let isReport = { (type: LegacyType) in type.is(.failure) || type.is(.recovery) }
    let start = sendingStart(of: isReport, for: target)
    let (from, until) = (
      previous.period.expires - length(parameters.early), target.purchase + length(parameters.delivery)
    )
    guard previous.period.expires >= max(start, parameters.failuresStart), isComplete(from: from, until: until),
      failure(place) == nil,
      !messages.contains(where: {
        mayReportFailure($0, of: previous.period, before: target)
          || $0.type.is(.recovery) && mayReportPurchase($0, of: target)
      }),
      !isUnclear(isReport, from: from, until: until, showing: { $0.id == previous.period.id })
    else { return nil }
    return [previous.shownBy]
  }

  /// No message reports that Apple made the purchase, and the owner says that none is missing: the customer did.
  func noRecovery(_ place: Int) -> [Int]? {
    guard let target = target(place), target.purchase >= sendingStart(of: { $0.is(.recovery) }, for: target) else {
      return nil
    }
    let until = target.purchase + length(parameters.delivery)
    guard isComplete(from: target.purchase - length(parameters.early), until: until),
      !messages.contains(where: { $0.type.is(.renewal) && mayReportPurchase($0, of: target) }),
      !isUnclear({ $0.is(.renewal) }, from: target.purchase, until: until)
    else { return nil }
    return []
  }

  /// The message's event may be the failed renewal of a period: it is about it, or was written after the next purchase.
  private func mayReportFailure(_ message: HistoryMessage, of period: Period, before next: Period) -> Bool {
    guard message.type.is(.failure), let about = message.about?.id else { return false }
    let earliest = period.expires - length(parameters.early)
    // What came before the period's end is about the period before it, which was paid later.
    let isEarly = message.receivedAt != HistoryMessage.noTime && message.receivedAt < earliest
    return about == period.id && !isEarly
      || about == next.id
        && message.mayBeWritten(
          from: earliest, until: period.expires + length(parameters.delivery))
  }

  /// The message's event may be a purchase: its list shows it, and it was not written long after it.
  private func mayReportPurchase(_ message: HistoryMessage, of period: Period) -> Bool {
    let latest = period.purchase + length(parameters.delivery)
    let isSoon = message.receivedAt == HistoryMessage.noTime || message.receivedAt <= latest
    return isSoon && message.writtenFrom <= latest && message.periods.contains { $0.id == period.id }
  }

  /// No message reports a purchase by hand near the event but such that have a change of auto-renew of their own, and
  /// the owner says that none is missing.
  func noPurchase(at place: Int) -> [Int]? {
    guard let target = target(place), let time = messages[place].time else { return nil }
    // The body itself shows a purchase by hand at the very time.
    if isAtPurchase(time, of: target), !isPlainRenewal(target, in: messages[place]) { return nil }
    let action = length(parameters.action)
    let (from, until) = (time - action, time + action + length(parameters.delivery))
    func isNear(_ period: Period) -> Bool { period.id == target.id || abs(period.purchase - time) <= action }
    guard time >= sendingStart(of: { $0.is(.laterPurchase) }, for: target), isComplete(from: from, until: until),
      !isUnclear(\.isPurchaseByHand, from: from, until: until, showing: isNear)
    else { return nil }
    var changes: [Int] = []
    for other in messages where other.type.isPurchaseByHand {
      guard let bought = other.about else { continue }
      if isNear(bought) {
        guard !isAtPurchase(time, of: bought), let change = change(at: bought, place) else { return nil }
        changes.append(change)
      } else if other.mayBeWritten(from: from, until: until),
        other.periods.contains(where: { isNear($0) && !isPlainRenewal($0, in: other) })
      {
        // Written after a later purchase, which it may have been taken to be about.
        return nil
      }
    }
    return changes
  }

  /// Another message reports a change of auto-renew at a purchase.
  private func change(at bought: Period, _ place: Int) -> Int? {
    others(of: place).first { index in
      messages[index].type.changesAutoRenew && messages[index].scope.contains(.named)
        && isAtPurchase(messages[index].eventTime, of: bought)
    }
  }

  /// The time from which V1 sends all types of a kind to the owner of a period.
  private func sendingStart(of isMeant: (LegacyType) -> Bool, for period: Period) -> Int64 {
    guard period.traits.contains(.family) else { return .min }
    return parameters.types.filter(isMeant).map(\.familyStart).max() ?? .max
  }

  /// A message of a kind of types may be about this subscription or another one of its record.
  func isUnclear(
    _ isMeant: (LegacyType) -> Bool, from: Int64, until: Int64, showing shows: (Period) -> Bool = { _ in true }
  ) -> Bool {
    messages.contains { message in
      message.scope.contains(.unclear) && isMeant(message.type)
        && message.mayBeWritten(from: from, until: until) && message.periods.contains(where: shows)
    }
  }
}

extension HistoryMessage {
  /// What it shows, and when it came, allow that it was written in a time range.
  fileprivate func mayBeWritten(from start: Int64, until end: Int64) -> Bool {
    writtenFrom <= end && (receivedAt == Self.noTime || receivedAt >= start)
  }
}
