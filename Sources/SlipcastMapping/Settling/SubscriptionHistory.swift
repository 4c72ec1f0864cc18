/// The messages of one subscription as evidence about each of them.
///
/// Only what a record shows counts. A state is known from the date of its last change until the newest date of the record
/// that shows it; a list that is not cut shows all periods until then.
struct SubscriptionHistory {
  typealias Period = HistoryMessage.Period

  let messages: [HistoryMessage]
  let parameters: DecisionParameters
  /// Time ranges for which the owner says that no message is missing.
  let complete: [ClosedRange<Int64>]
  /// Messages that may be companions of an upgrade, whose auto-renew status need not be a change; a settled one is none.
  private(set) var unclearChanges: Set<Int> = []
  /// All periods that any snapshot shows, by id, each with what every snapshot adds, and the first record that shows it.
  let periods: [UInt64: (period: Period, seenBy: Int)]

  /// - Parameter upgrades: rows of the decision table that may mean an upgrade.
  init(
    _ messages: [HistoryMessage], _ parameters: DecisionParameters, complete: [ClosedRange<Int64>], upgrades: Set<Int>
  ) {
    unclearChanges = Set(messages.indices.filter { upgrades.contains(messages[$0].rule) })
    (self.messages, self.parameters, self.complete) = (messages, parameters, complete)
    var periods: [UInt64: (period: Period, seenBy: Int)] = [:]
    for (place, message) in messages.enumerated() {
      for period in message.periods {
        guard var known = periods[period.id] else {
          periods[period.id] = (period, place)
          continue
        }
        known.period.traits.formUnion(period.traits)
        if known.period.cancellation == HistoryMessage.noTime { known.period.cancellation = period.cancellation }
        known.period.expires = max(known.period.expires, period.expires)
        periods[period.id] = known
      }
    }
    self.periods = periods
  }

  /// A message turned out to be nothing but a change of auto-renew.
  mutating func notePlainChange(_ place: Int) { unclearChanges.remove(place) }

  /// The places of messages that show a fact about a message; `nil` where none does.
  func evidence(for fact: ArchiveFact, of place: Int) -> [Int]? {
    let message = messages[place]
    switch fact {
    case .recoveryReported: return report(place) { $0 == .DID_RECOVER }
    case .purchaseReported: return report(place) { $0 == .INTERACTIVE_RENEWAL || $0 == .INITIAL_BUY }
    case .renewalReported: return report(place) { $0 == .DID_RENEW }
    case .failedBefore: return failure(place)
    case .lapsedVoluntarily: return lapse(place, isVoluntary)
    case .retryOver: return lapse(place) { other, _ in other.intent != 0 && other.isRetrying == false }
    case .boughtNear, .nothingBoughtNear: return purchase(near: place, isWanted: fact == .boughtNear)
    case .autoRenewOnSince:
      return status(place) { other, time in other.autoRenew == true && other.statusChange <= time }
    case .autoRenewOffSince:
      return status(place) { other, time in other.autoRenew == false && other.statusChange == time }
    case .turnedOn, .turnedOff: return change(place, to: fact == .turnedOn)
    case .offAtExpiry: return offAtExpiry(place)
    case .wasOff: return wasOff(place)
    case .stayedOn: return stayed(on: true, place)
    case .stayedOff: return stayed(on: false, place)
    case .atPurchase: return atPurchase(place)
    case .previousEnded, .previousRan, .previousUpgraded, .otherProductBefore, .sameProductBefore, .lapsedLong,
      .previousRevoked:
      return previous(place, fact)
    case .earlierEnded, .firstOfGroup: return earlier(place, fact)
    case .markedUpgraded: return mark(place) { $0.traits.contains(.upgraded) }
    case .notMarkedUpgraded:
      return mark(place) {
        $0.traits.contains(.markable) && !$0.traits.contains(.upgraded) && $0.cancellation != HistoryMessage.noTime
      }
    case .upgradeNear: return upgrade(place)
    case .offerPendingBefore: return pendingOffer(place)
    case .graceShown:
      return failedPeriod(place) { other, period in other.grace != HistoryMessage.noTime && other.grace > period.expires
      }
    case .noGraceShown:
      return failedPeriod(place) { other, _ in
        other.scope.contains(.renewal) && other.isRetrying == true && other.grace == HistoryMessage.noTime
      }
    case .noFailureReported, .noRecoveryReported, .noPurchaseReported:
      return message.time == nil ? nil : absence(place, fact)
    }
  }

  // MARK: parts

  /// Messages other than one and its redeliveries.
  func others(of place: Int) -> [Int] {
    let own = messages[place]
    return messages.indices.filter { index in
      index != place
        && (messages[index].high != own.high || messages[index].low != own.low || own.high == 0 && own.low == 0)
    }
  }

  /// The period of the event.
  func target(_ place: Int) -> Period? {
    let message = messages[place]
    guard message.target >= 0 else { return nil }
    return periods[message.periods[message.target].id]?.period ?? message.periods[message.target]
  }

  /// The period before the event's own, as a list shows it that has both.
  func previousPeriod(_ place: Int) -> (period: Period, shownBy: Int)? {
    guard let target = target(place) else { return nil }
    let first = messages.indices.first { index in
      messages[index].scope.contains(.list) && messages[index].period(before: target.id) != nil
    }
    guard let first, let period = messages[first].period(before: target.id) else { return nil }
    // Messages of other lists agree, or the period before is not known.
    for message in messages
    where message.scope.contains(.list) && message.periods.contains(where: { $0.id == target.id }) {
      if let other = message.period(before: target.id), other.id != period.id { return nil }
    }
    return (periods[period.id]?.period ?? period, first)
  }

  /// A length of time in the subscription's environment.
  func length(_ window: DecisionParameters.Window, _ message: HistoryMessage) -> Int64 {
    window.length(isSandbox: message.scope.contains(.sandbox))
  }

  /// The owner says that no message of a time range is missing.
  func isComplete(_ range: ClosedRange<Int64>) -> Bool {
    complete.contains { $0.lowerBound <= range.lowerBound && $0.upperBound >= range.upperBound }
  }
}
