/// When another message was written or received.
enum WritingCondition: String, MessageCondition {
  case writtenAfterAction, writtenAfterDay, writtenLater
  case receivedRetryEndBefore
  case received, receivedBefore, receivedWithEvent

  func holds(_ other: HistoryMessage, at index: Int, for subject: FactSubject) -> Bool {
    subject.holds(self, other)
  }
}

/// The same, compared with the period or the purchase.
enum WritingByPeriodCondition: String, MessageCondition {
  /// Written before the event's purchase, as far as it shows.
  case writtenThen, writtenByPurchase
  case writtenAfterEnd, writtenAfterCancellation
  /// A day or more after the next purchase of another product.
  case writtenAfterUpgrade
  /// About when Apple tried to renew the period, as far as it shows.
  case writtenAtEnd
  /// It is about the period, or was received before the event's message.
  case earlierOrAboutPeriod
  /// Soon after the purchase, which its list shows: its event may be this purchase.
  case mayReportPurchase
  /// Its event has no date, or one near the purchase.
  case datedNearPurchase

  static let needsPeriod = true

  func holds(_ other: HistoryMessage, at index: Int, for subject: FactSubject) -> Bool {
    subject.period.map { subject.holds(self, other, $0) } ?? false
  }
}

/// When another message was written or received, compared with the time range of `complete`.
enum RangeCondition: String, MessageCondition {
  /// In it, as far as the message shows; not before it; not before it as far as both messages state a time.
  case writtenWithin, receivedSinceStart, mayBeChosenSince

  static let needsRange = true

  func holds(_ other: HistoryMessage, at index: Int, for subject: FactSubject) -> Bool {
    guard let range = subject.range else { return false }
    return switch self {
    case .writtenWithin: other.mayBeWritten(in: range)
    case .receivedSinceStart: other.receivedAt == HistoryMessage.noTime || other.receivedAt >= range.lowerBound
    case .mayBeChosenSince: subject.isUndated(other) || other.receivedAt >= range.lowerBound
    }
  }
}

/// What is compared with the message that shows a fact, at the time for which it does.
enum NeighbourCondition: String, MessageCondition {
  /// Its event is between this one and the time that the neighbour shows, and it is not the neighbour.
  case changedBetween
  case receivedSinceNeighbour
  /// The neighbour shows the state at a time after the event.
  case shownAfterEvent

  static let needsNeighbour = true

  func holds(_ other: HistoryMessage, at index: Int, for subject: FactSubject) -> Bool {
    guard let (place, time) = subject.neighbour else { return false }
    let event = subject.message.eventTime
    return switch self {
    case .changedBetween: index != place && other.eventTime > min(event, time) && other.eventTime <= max(event, time)
    case .receivedSinceNeighbour: other.receivedAt >= time
    case .shownAfterEvent: time > event
    }
  }
}

extension FactSubject {
  fileprivate func holds(_ condition: WritingCondition, _ other: HistoryMessage) -> Bool {
    switch condition {
    case .writtenAfterAction: other.writtenFrom > message.eventTime + length(parameters.action)
    case .writtenAfterDay: message.time.map { other.writtenFrom > $0 + history.day } ?? false
    // A renewal may be charged a day before it begins: `writtenFrom` allows for that, and is that much too early here.
    case .writtenLater: other.writtenFrom > message.writtenFrom + length(parameters.early)
    case .receivedRetryEndBefore: isRetryEnd(other)
    case .received: other.receivedAt != HistoryMessage.noTime
    case .receivedBefore: !isUndated(other) && other.receivedAt < message.receivedAt
    case .receivedWithEvent: isUndated(other) || other.receivedAt <= message.receivedAt + length(parameters.delivery)
    }
  }

  fileprivate func holds(
    _ condition: WritingByPeriodCondition, _ other: HistoryMessage, _ period: HistoryMessage.Period
  ) -> Bool {
    func purchased(_ holds: (HistoryMessage.Period) -> Bool) -> Bool { target.map(holds) ?? false }
    return switch condition {
    // An object without a list may be older than the renewal state in the same record.
    case .writtenThen: other.scope.contains(.list) || purchased { other.isWritten(by: $0.purchase) }
    case .writtenByPurchase: purchased { other.writtenFrom <= $0.purchase }
    case .writtenAfterEnd: other.writtenFrom >= period.expires
    case .writtenAfterCancellation: other.writtenFrom > period.cancellation + length(parameters.action)
    case .writtenAfterUpgrade:
      target.flatMap(history.upgrade).map { other.writtenFrom > $0 + length(parameters.upgrade) } ?? false
    case .writtenAtEnd:
      other.mayBeWritten(in: period.expires - length(parameters.early)...period.expires + length(parameters.delivery))
    case .earlierOrAboutPeriod: other.about?.id == period.id || holds(.receivedBefore, other)
    case .mayReportPurchase: purchased { mayReport(other, $0) }
    case .datedNearPurchase: purchased { isDated(other, near: $0) }
    }
  }

  /// The failure was received so long before the event that billing retry had ended.
  private func isRetryEnd(_ other: HistoryMessage) -> Bool {
    guard other.receivedAt != HistoryMessage.noTime else { return false }
    let age = message.eventTime - other.receivedAt
    return age >= length(parameters.retryEndFrom) && age <= length(parameters.retryEndUntil)
  }

  /// Of the two messages one has no received time.
  fileprivate func isUndated(_ other: HistoryMessage) -> Bool {
    message.receivedAt == HistoryMessage.noTime || other.receivedAt == HistoryMessage.noTime
  }

  /// Its list shows the purchase, and it was not written long after it.
  private func mayReport(_ other: HistoryMessage, _ target: HistoryMessage.Period) -> Bool {
    let latest = target.purchase + length(parameters.delivery)
    let isSoon = other.receivedAt == HistoryMessage.noTime || other.receivedAt <= latest
    return isSoon && other.writtenFrom <= latest && other.periods.contains { $0.id == target.id }
  }

  private func isDated(_ other: HistoryMessage, near target: HistoryMessage.Period) -> Bool {
    let (from, until) = (target.purchase - length(parameters.action), target.purchase + length(parameters.upgrade))
    return other.eventTime == HistoryMessage.noTime || (from...until).contains(other.eventTime)
  }
}

extension HistoryMessage {
  /// What it shows, and when it came, allow that it was written in a time range.
  fileprivate func mayBeWritten(in range: ClosedRange<Int64>) -> Bool {
    writtenFrom <= range.upperBound && (receivedAt == Self.noTime || receivedAt >= range.lowerBound)
  }
}
