/// An event with what the conditions of a row compare: the period that they are about, the message that shows the fact.
struct FactSubject {
  let history: SubscriptionHistory
  let place: Int
  let message: HistoryMessage
  /// The period that the row is about; `nil` where it is about none.
  let period: HistoryMessage.Period?
  /// The event's own period.
  let target: HistoryMessage.Period?
  /// The first message that shows a period which the event's own message need not show.
  let shownBy: Int?
  /// The first message that must be there, and the time for which it shows a state.
  var neighbour: (place: Int, time: Int64)?
  /// The time of which no message is missing.
  var range: ClosedRange<Int64>?

  /// `nil` where the period of a row is in no record.
  init?(_ role: FactPeriod, of place: Int, in history: SubscriptionHistory) {
    (self.history, self.place, message) = (history, place, history.messages[place])
    target = history.target(place)
    guard role != .none else {
      (period, shownBy) = (nil, nil)
      return
    }
    let found: (period: HistoryMessage.Period, shownBy: Int?)? =
      switch role {
      case .none: nil
      case .own: target.map { ($0, nil) }
      case .told: message.about.map { ($0, nil) }
      case .cancelled: history.cancelled(place).map { ($0, nil) }
      case .newest: history.newest[place].map { ($0, nil) }
      case .before: history.previousPeriod(place).map { ($0.period, $0.shownBy) }
      case .last: history.lastPeriod(before: place).map { ($0.period, $0.seenBy) }
      case .next: history.nextPurchase(after: place).map { ($0.period, $0.shownBy) }
      case .nextUnlisted: history.nextUnlisted(after: place).map { ($0, nil) }
      }
    guard let found else { return nil }
    (period, shownBy) = (found.period, found.shownBy)
  }

  var parameters: DecisionParameters { history.parameters }

  func length(_ window: DecisionParameters.Window) -> Int64 { history.length(window) }

  /// A purchase that may belong to the event.
  func isNear(_ period: HistoryMessage.Period) -> Bool {
    guard let target, let time = message.time else { return false }
    return period.id == target.id || abs(period.purchase - time) <= length(parameters.action)
  }

  /// A time that a row names; `nil` where nothing shows it.
  func time(_ time: FactTime) -> Int64? {
    switch time {
    case .purchase: target?.purchase
    case .periodStart: period?.purchase
    case .periodEnd: period?.expires
    case .event: message.time
    case .received: message.receivedAt != HistoryMessage.noTime ? message.receivedAt : period?.expires
    case .shown: neighbour?.time
    }
  }
}

extension SubscriptionHistory {
  /// The places of messages that show a fact about a message, the one that its conditions are about at the end; `nil` where
  /// none does.
  func evidence(for fact: ArchiveFact, of place: Int) -> [Int]? {
    for row in table[fact] {
      if let found = evidence(by: row, of: place) { return found }
    }
    return nil
  }

  private func evidence(by row: ArchiveFactTable.Row, of place: Int) -> [Int]? {
    let conditions = row.conditions
    // Most owners do not say that anything is complete.
    if conditions.complete != nil, complete.isEmpty { return nil }
    guard var subject = FactSubject(conditions.period, of: place, in: self),
      conditions.when.allSatisfy({ $0.holds(for: subject) })
    else { return nil }
    var found = [subject.shownBy].compactMap(\.self)
    if !conditions.anyPeriod.isEmpty {
      let shown = periods.values.filter { known in holds(conditions.anyPeriod, known.period, subject) }
      guard let first = shown.map(\.seenBy).min() else { return nil }
      found.append(first)
    }
    guard
      conditions.noPeriod.isEmpty || !periods.values.contains(where: { holds(conditions.noPeriod, $0.period, subject) })
    else { return nil }
    for witness in conditions.witnesses {
      guard let shown = neighbour(witness, of: subject) else { return nil }
      found.append(shown.place)
      if subject.neighbour == nil { subject.neighbour = shown }
    }
    if let range = conditions.complete {
      guard let range = self.range(range, row, subject), isComplete(range) else { return nil }
      subject.range = range
    }
    let isAny = conditions.witnesses.first?.neighbour == .any
    let isRuledOut = conditions.none.contains { list in
      messages.indices.contains { index in
        (isAny || isOther(index, than: place)) && fulfills(list, index, subject)
      }
    }
    return isRuledOut ? nil : found
  }

  private func holds(_ lists: [[any PeriodTest]], _ period: Period, _ subject: FactSubject) -> Bool {
    lists.contains { $0.allSatisfy { $0.holds(period, for: subject) } }
  }

  private func range(_ range: FactRange, _ row: ArchiveFactTable.Row, _ subject: FactSubject) -> ClosedRange<Int64>? {
    guard let from = subject.time(range.from.time), let until = subject.time(range.until.time) else { return nil }
    let (first, last) = row.distances
    let start = from + (isSandbox ? first.sandbox : first.production)
    let end = until + (isSandbox ? last.sandbox : last.production)
    return start <= end ? start...end : nil
  }

  private func neighbour(_ witness: ArchiveFactRow.Witness, of subject: FactSubject) -> (place: Int, time: Int64)? {
    let place = subject.place
    switch witness.neighbour {
    case .other, .any:
      let found = messages.indices.first { index in
        (witness.neighbour == .any || isOther(index, than: place))
          && fulfills(witness.shows, index, subject)
      }
      return found.map { ($0, HistoryMessage.noTime) }
    case .lastOff, .nextChange, .renewal, .stillOn, .ended, .latest, .earlier, .lastChoice, .following:
      guard let found = neighbour(witness.neighbour, of: subject) else { return nil }
      var subject = subject
      if subject.neighbour == nil { subject.neighbour = found }
      return fulfills(witness.shows, found.place, subject) ? found : nil
    }
  }

  private func fulfills(_ conditions: [any MessageCondition], _ index: Int, _ subject: FactSubject) -> Bool {
    let other = messages[index]
    return conditions.allSatisfy { $0.holds(other, at: index, for: subject) }
  }
}
