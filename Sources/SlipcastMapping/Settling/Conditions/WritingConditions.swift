/// When another message was written or received.
enum WritingCondition: String, CaseIterable, Sendable {
  /// Written before the event's purchase, as far as it shows.
  case writtenThen, writtenByPurchase
  case writtenAfterAction, writtenAfterDay, writtenAfterEnd, writtenAfterCancellation, writtenLater
  /// A day or more after the next purchase of another product.
  case writtenAfterUpgrade
  case receivedRetryEndBefore
  case received, receivedBefore, receivedWithEvent, receivedSinceNeighbour
  /// It is about the period, or was received before the event's message.
  case earlierOrAboutPeriod
  /// The neighbour shows the state at a time after the event.
  case shownAfterEvent
  /// In the time range of `complete`, as far as it shows; not before it; not before it as far as both state a time; in
  /// it, and soon after the period.
  case writtenWithin, receivedSinceStart, mayBeChosenSince, writtenAtEnd
  /// Soon after the purchase, which its list shows: its event may be this purchase.
  case mayReportPurchase
  /// Its event has no date, or one near the purchase.
  case datedNearPurchase

  var needsPeriod: Bool {
    switch self {
    case .writtenAfterAction, .writtenAfterDay, .writtenLater, .receivedRetryEndBefore, .received, .receivedBefore,
      .receivedWithEvent, .receivedSinceNeighbour, .shownAfterEvent, .writtenWithin, .receivedSinceStart,
      .mayBeChosenSince:
      false
    case .writtenThen, .writtenByPurchase, .writtenAfterEnd, .writtenAfterCancellation, .writtenAfterUpgrade,
      .earlierOrAboutPeriod, .writtenAtEnd, .mayReportPurchase, .datedNearPurchase:
      true
    }
  }

  var needsRange: Bool { [.writtenWithin, .receivedSinceStart, .mayBeChosenSince, .writtenAtEnd].contains(self) }

  var needsNeighbour: Bool { self == .receivedSinceNeighbour || self == .shownAfterEvent }
}

extension FactSubject {
  func holds(_ condition: WritingCondition, _ other: HistoryMessage) -> Bool {
    switch condition {
    // An object without a list may be older than the renewal state in the same record.
    case .writtenThen:
      other.scope.contains(.list) || target.map { other.isWritten(by: $0.purchase) } ?? false
    case .writtenByPurchase: target.map { other.writtenFrom <= $0.purchase } ?? false
    case .writtenAfterAction: other.writtenFrom > message.eventTime + length(parameters.action)
    case .writtenAfterDay: message.time.map { other.writtenFrom > $0 + history.day } ?? false
    case .writtenAfterEnd: period.map { other.writtenFrom >= $0.expires } ?? false
    case .writtenAfterCancellation:
      period.map { other.writtenFrom > $0.cancellation + length(parameters.action) } ?? false
    // A renewal may be charged a day before it begins: `writtenFrom` allows for that, and is that much too early here.
    case .writtenLater: other.writtenFrom > message.writtenFrom + length(parameters.early)
    case .writtenAfterUpgrade:
      target.flatMap(history.upgrade).map { other.writtenFrom > $0 + length(parameters.upgrade) } ?? false
    case .receivedRetryEndBefore: isRetryEnd(other)
    case .received: other.receivedAt != HistoryMessage.noTime
    case .receivedBefore: isReceivedBefore(other)
    case .receivedWithEvent: isUndated(other) || other.receivedAt <= message.receivedAt + length(parameters.delivery)
    case .receivedSinceNeighbour: neighbour.map { other.receivedAt >= $0.time } ?? false
    case .earlierOrAboutPeriod: period.map { other.about?.id == $0.id } ?? false || isReceivedBefore(other)
    case .shownAfterEvent: neighbour.map { $0.time > message.eventTime } ?? false
    case .writtenWithin: range.map { other.mayBeWritten(in: $0) } ?? false
    case .receivedSinceStart:
      range.map { other.receivedAt == HistoryMessage.noTime || other.receivedAt >= $0.lowerBound } ?? false
    case .mayBeChosenSince: range.map { isUndated(other) || other.receivedAt >= $0.lowerBound } ?? false
    case .writtenAtEnd: isWrittenAtEnd(other)
    case .mayReportPurchase: target.map { mayReport(other, $0) } ?? false
    case .datedNearPurchase: target.map { isDated(other, near: $0) } ?? false
    }
  }

  /// The failure was received so long before the event that billing retry had ended.
  private func isRetryEnd(_ other: HistoryMessage) -> Bool {
    guard other.receivedAt != HistoryMessage.noTime else { return false }
    let age = message.eventTime - other.receivedAt
    return age >= length(parameters.retryEndFrom) && age <= length(parameters.retryEndUntil)
  }

  private func isReceivedBefore(_ other: HistoryMessage) -> Bool {
    message.receivedAt != HistoryMessage.noTime && other.receivedAt != HistoryMessage.noTime
      && other.receivedAt < message.receivedAt
  }

  /// Of the two messages one has no received time.
  private func isUndated(_ other: HistoryMessage) -> Bool {
    message.receivedAt == HistoryMessage.noTime || other.receivedAt == HistoryMessage.noTime
  }

  private func isWrittenAtEnd(_ other: HistoryMessage) -> Bool {
    guard let period, let range else { return false }
    let end = period.expires + length(parameters.delivery)
    return range.lowerBound <= end && other.mayBeWritten(in: range.lowerBound...end)
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
