/// The messages of one subscription as evidence about each of them.
///
/// Only what a record shows counts. A state is known from the date of its last change until the newest date of the record
/// that shows it; a list that is not cut shows all periods until then.
final class SubscriptionHistory {
  typealias Period = HistoryMessage.Period

  let messages: [HistoryMessage]
  let parameters: DecisionParameters
  let table: ArchiveFactTable
  /// All messages of a subscription are from one environment.
  let isSandbox: Bool
  /// Time ranges for which the owner says that no message is missing.
  let complete: [ClosedRange<Int64>]
  /// Messages that may be companions of an upgrade, whose auto-renew status need not be a change; not settled ones.
  private(set) var unclearChanges: Set<Int> = []
  let newest: [Period?]
  /// The period before each event's own, as lists show it, and the first message that does.
  let previousPeriods: [UInt64: (period: Period, shownBy: Int)]
  /// All periods that any snapshot shows, by their numbers.
  let periods: [UInt64: UnitedPeriods.Entry]

  /// - Parameters:
  ///   - united: the periods of the messages.
  ///   - upgrades: rows of the decision table that may mean an upgrade.
  init(
    _ messages: [HistoryMessage], periods united: UnitedPeriods, _ parameters: DecisionParameters,
    _ table: ArchiveFactTable,
    complete: [ClosedRange<Int64>], upgrades: Set<Int>
  ) {
    self.table = table
    unclearChanges = Set(messages.indices.filter { upgrades.contains(messages[$0].rule) })
    let messages = Self.datedAsFirst(messages, parameters)
    (self.messages, self.parameters, self.complete) = (messages, parameters, complete)
    isSandbox = messages.first?.scope.contains(.sandbox) ?? false
    periods = united.entries
    newest = messages.map(\.newest)
    let targets = Set(messages.compactMap { $0.about?.id })
    var previous: [UInt64: (period: Period, shownBy: Int)] = [:]
    for id in targets {
      guard let (period, place) = Self.period(before: id, in: messages, parameters) else { continue }
      previous[id] = (periods[period.id]?.period ?? period, place)
    }
    previousPeriods = previous
  }

  /// The messages with redeliveries dated as the first delivery: Apple repeats a message, but the event is older.
  private static func datedAsFirst(_ messages: [HistoryMessage], _ parameters: DecisionParameters) -> [HistoryMessage] {
    let events = messages.indices.filter { place in
      let message = messages[place]
      return (message.high, message.low) != (0, 0) && message.receivedAt != HistoryMessage.noTime
    }
    var dated = messages
    for same in Dictionary(grouping: events, by: { [messages[$0].high, messages[$0].low] }).values where same.count > 1
    {
      var first = HistoryMessage.noTime
      for place in same.sorted(by: { messages[$0].receivedAt < messages[$1].receivedAt }) {
        let received = messages[place].receivedAt
        if first == HistoryMessage.noTime
          || received - first > parameters.delivery.length(isSandbox: messages[place].scope.contains(.sandbox))
        {
          first = received
        }
        dated[place].receivedAt = first
      }
    }
    return dated
  }

  /// The period before one, where all lists that have both agree.
  private static func period(
    before id: UInt64, in messages: [HistoryMessage], _ parameters: DecisionParameters
  ) -> (Period, Int)? {
    var found: (period: Period, place: Int)?
    for (place, message) in messages.enumerated() where message.scope.contains(.list) {
      guard
        let period = message.period(
          before: id, early: parameters.early.length(isSandbox: message.scope.contains(.sandbox)))
      else { continue }
      if let found, found.period.id != period.id { return nil }
      if found == nil { found = (period, place) }
    }
    return found
  }

  /// A message turned out to be nothing but a change of auto-renew.
  func notePlainChange(_ place: Int) { unclearChanges.remove(place) }

  // MARK: parts

  /// A message is neither this one nor a redelivery of it.
  func isOther(_ index: Int, than place: Int) -> Bool {
    guard index != place else { return false }
    let (high, low) = (messages[place].high, messages[place].low)
    return messages[index].high != high || messages[index].low != low || high == 0 && low == 0
  }

  /// The places of the messages other than one and its redeliveries that fulfill a condition.
  func others(of place: Int, where fits: (Int, HistoryMessage) -> Bool) -> [Int] {
    messages.indices.filter { isOther($0, than: place) && fits($0, messages[$0]) }
  }

  /// Another message has the same content: a redelivery, or a second choice, one of the two with a body written late.
  func isRepeated(_ place: Int) -> Bool {
    messages.indices.contains { $0 != place && !isOther($0, than: place) }
  }

  /// The message's event is about a period, and its record names the subscription.
  func isAbout(_ message: HistoryMessage, _ period: Period) -> Bool {
    message.scope.contains(.named) && message.about?.id == period.id
  }

  func isAtPurchase(_ time: Int64, of period: Period) -> Bool {
    abs(time - period.purchase) <= length(parameters.companion)
  }

  /// A message other than one reports a change of auto-renew at a purchase.
  func isChanged(at bought: Period, besides place: Int) -> Bool {
    messages.indices.contains { index in
      isOther(index, than: place) && messages[index].type.changesAutoRenew
        && messages[index].scope.contains(.named) && isAtPurchase(messages[index].eventTime, of: bought)
    }
  }

  /// The customer had turned auto-renew off before the end.
  func isVoluntary(_ message: HistoryMessage, _ period: Period) -> Bool {
    if message.intent == 1, message.autoRenew != true { return true }
    return message.autoRenew == false && message.statusChange != HistoryMessage.noTime
      && message.statusChange <= period.expires && message.writtenFrom >= period.expires
      && !mayBeCompanion(message.statusChange, of: period)
  }

  /// A change at the purchase of a period may be the companion message of an upgrade, whose status need not be the
  /// subscription's: flat bodies do not mark upgrades.
  func mayBeCompanion(_ change: Int64, of period: Period) -> Bool {
    abs(change - period.purchase) <= length(parameters.action)
  }

  func length(_ window: DecisionParameters.Window) -> Int64 { window.length(isSandbox: isSandbox) }

  func tolerance(_ window: DecisionParameters.Window) -> Int64 { window.tolerance(isSandbox: isSandbox) }

  /// How far a purchase may be from a change of auto-renew that belongs to it.
  var day: Int64 { isSandbox ? length(parameters.action) : length(parameters.upgrade) }

  /// The owner says that no message of a time range is missing.
  func isComplete(_ range: ClosedRange<Int64>) -> Bool {
    complete.contains { $0.lowerBound <= range.lowerBound && $0.upperBound >= range.upperBound }
  }
}
