// Archive facts whose conditions are data: the table of `archive-facts.json`.
extension SubscriptionHistory {
  /// An event, and the period that the conditions of a fact are about.
  struct FactSubject {
    let place: Int
    let message: HistoryMessage
    let period: Period?
    /// The event's own period.
    let target: Period?
    /// The first message that shows the period before.
    let shownBy: Int?
  }

  /// The places of messages that show a fact of the table about a message; `nil` where none does.
  func evidence(by row: ArchiveFactRow, of place: Int) -> [Int]? {
    guard let subject = subject(row.period, place), row.when.allSatisfy({ holds($0, of: subject) }) else { return nil }
    let shown = [subject.shownBy].compactMap(\.self)
    if row.shows.isEmpty { return shown }
    let found = others(of: place).first { other in row.shows.allSatisfy { holds($0, of: other, subject) } }
    return found.map { shown + [$0] }
  }

  /// `nil` where the period is in no record.
  private func subject(_ role: FactPeriod, _ place: Int) -> FactSubject? {
    let (message, target) = (messages[place], self.target(place))
    var (period, shownBy): (Period?, Int?) = (nil, nil)
    switch role {
    case .none: return FactSubject(place: place, message: message, period: nil, target: target, shownBy: nil)
    case .own: period = target
    case .told: period = message.about
    case .cancelled: period = cancelled(place)
    case .newest: period = newest[place]
    case .before: if let before = previousPeriod(place) { (period, shownBy) = (before.period, before.shownBy) }
    }
    guard let period else { return nil }
    return FactSubject(place: place, message: message, period: period, target: target, shownBy: shownBy)
  }

  // MARK: the event

  private func holds(_ condition: EventCondition, of subject: FactSubject) -> Bool {
    let message = subject.message
    switch condition {
    case .dated: return message.eventTime != HistoryMessage.noTime
    case .timed: return message.time != nil
    case .written: return message.writtenFrom != HistoryMessage.noTime
    case .beforeOffersOnInactive: return message.time.map { $0 < parameters.offersOnInactiveEnd } ?? false
    case .sinceOffersOnInactive: return message.time.map { $0 >= parameters.offersOnInactiveEnd } ?? false
    default: break
    }
    guard let period = subject.period else { return false }
    switch condition {
    case .ended: return message.time.map { $0 >= period.expires } ?? false
    // A customer cannot change a setting that fast.
    case .atPurchase: return message.time.map { isAtPurchase($0, of: period) } ?? false
    case .ownPeriod: return period.traits.contains(.own)
    case .upgraded: return period.traits.contains(.upgraded)
    case .notUpgraded: return !period.traits.contains(.upgraded)
    default: return subject.target.map { holds(condition, of: period, before: $0) } ?? false
    }
  }

  /// What lists show of the period before a purchase.
  private func holds(_ condition: EventCondition, of period: Period, before target: Period) -> Bool {
    switch condition {
    case .otherProduct: period.product != target.product
    case .sameProduct: period.product == target.product
    case .notRenewedEarly: !mayBeRenewed(period, before: target)
    // Apple charges the product that was chosen as the next one.
    case .notChosen:
      !messages.indices.contains { newest[$0]?.id == period.id && messages[$0].nextProduct == target.product }
    case .lapsedLong: target.purchase - period.end > length(parameters.retry) + tolerance(parameters.retry)
    case .revoked: period.isRevoked && period.cancellation < target.purchase
    case .ran: period.end >= target.purchase
    case .endedBefore: period.end < target.purchase
    case .notInGrace: !isInGrace(period, at: target.purchase)
    case .nothingRunning: !isAnyRunning(before: target)
    default: false
    }
  }

  // MARK: another message

  private func holds(_ condition: MessageCondition, of place: Int, _ subject: FactSubject) -> Bool {
    let other = messages[place]
    switch condition {
    case .aboutPeriod: return subject.period.map { isAbout(other, $0) } ?? false
    case .newestIsPeriod: return subject.period.map { newest[place]?.id == $0.id } ?? false
    case .named: return other.scope.contains(.named)
    case .purchaseByHand: return other.type.isPurchaseByHand
    case .failure: return other.type.is(.failure)
    case .changesAutoRenew: return other.type.changesAutoRenew
    case .plainChange: return !unclearChanges.contains(place)
    case .on: return other.autoRenew == true
    case .off: return other.autoRenew == false
    case .retryGivenUp: return other.intent != 0 && other.isRetrying == false
    case .hasRenewal: return other.scope.contains(.renewal)
    case .retrying: return other.isRetrying == true
    case .noGrace: return other.grace == HistoryMessage.noTime
    case .writtenLater:
      // A renewal may be charged a day before it begins: `writtenFrom` allows for that, and is that much too early here.
      return other.writtenFrom > subject.message.writtenFrom + length(parameters.early)
    case .writtenAfterAction: return other.writtenFrom > subject.message.eventTime + length(parameters.action)
    case .receivedRetryEndBefore: return isRetryEnd(other, before: subject.message.eventTime)
    case .changeStated, .unchangedSinceEvent, .changedAtEvent, .changedBeforeEvent, .changedLongBeforeEvent:
      return isChange(condition, other, subject.message)
    default: break
    }
    return subject.period.map { holds(condition, of: other, $0, subject) } ?? false
  }

  private func isChange(_ condition: MessageCondition, _ other: HistoryMessage, _ message: HistoryMessage) -> Bool {
    guard other.statusChange != HistoryMessage.noTime else { return false }
    switch condition {
    case .unchangedSinceEvent: return other.statusChange <= message.eventTime
    case .changedAtEvent: return other.statusChange == message.eventTime
    case .changedBeforeEvent: return message.time.map { other.statusChange < $0 } ?? false
    case .changedLongBeforeEvent:
      return message.time.map { other.statusChange < $0 - length(parameters.companion) } ?? false
    default: return true
    }
  }

  /// The failure was received so long before the event that billing retry had ended.
  private func isRetryEnd(_ other: HistoryMessage, before time: Int64) -> Bool {
    guard other.receivedAt != HistoryMessage.noTime else { return false }
    let age = time - other.receivedAt
    return age >= length(parameters.retryEndFrom) && age <= length(parameters.retryEndUntil)
  }

  private func holds(
    _ condition: MessageCondition, of other: HistoryMessage, _ period: Period, _ subject: FactSubject
  ) -> Bool {
    func lists(_ shows: (Period) -> Bool) -> Bool { other.periods.contains { $0.id == period.id && shows($0) } }
    func changed(_ when: (Int64) -> Bool) -> Bool {
      other.statusChange != HistoryMessage.noTime && when(other.statusChange)
    }
    switch condition {
    case .changedBeforeEnd: return changed { $0 < period.expires }
    case .changedSincePurchase: return changed { $0 > period.purchase + length(parameters.companion) }
    case .changedAwayFromPurchase: return changed { !mayBeCompanion($0, of: period) }
    case .voluntary: return isVoluntary(other, period)
    case .graceAfterEnd: return other.grace != HistoryMessage.noTime && other.grace > period.expires
    // An object without a list may be older than the renewal state in the same record.
    case .writtenThen:
      return other.scope.contains(.list) || subject.target.map { other.isWritten(by: $0.purchase) } ?? false
    case .writtenAfterEnd: return other.writtenFrom >= period.expires
    case .writtenAfterCancellation: return other.writtenFrom > period.cancellation + length(parameters.action)
    case .showsUpgraded: return lists { $0.traits.contains(.upgraded) }
    case .showsUncancelledUpgrade:
      return lists { $0.traits.contains(.upgraded) && $0.cancellation == HistoryMessage.noTime }
    case .showsCancelledUnmarked:
      return lists { $0.traits.contains(.markable) && $0.cancellation != HistoryMessage.noTime }
    case .showsEarlierCancellation:
      return lists { $0.cancellation != HistoryMessage.noTime && $0.cancellation < period.cancellation }
    case .showsOffer: return lists { $0.traits.contains(.offer) }
    default: return false
    }
  }
}
