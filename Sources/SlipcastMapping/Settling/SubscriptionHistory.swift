/// The messages of one subscription as evidence about each of them.
///
/// Only what a record shows counts. A state is known from the date of its last change until the newest date of the record
/// that shows it; a list that is not cut shows all periods until then.
struct SubscriptionHistory {
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
  private let previousPeriods: [UInt64: (period: Period, shownBy: Int)]
  /// All periods that any snapshot shows, by id, each with what every snapshot adds, and the first record that shows it.
  let periods: [UInt64: (period: Period, seenBy: Int)]

  /// - Parameter upgrades: rows of the decision table that may mean an upgrade.
  init(
    _ messages: [HistoryMessage], _ parameters: DecisionParameters, _ table: ArchiveFactTable,
    complete: [ClosedRange<Int64>], upgrades: Set<Int>
  ) {
    self.table = table
    unclearChanges = Set(messages.indices.filter { upgrades.contains(messages[$0].rule) })
    let messages = Self.datedAsFirst(messages, parameters)
    (self.messages, self.parameters, self.complete) = (messages, parameters, complete)
    isSandbox = messages.first?.scope.contains(.sandbox) ?? false
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
  mutating func notePlainChange(_ place: Int) { unclearChanges.remove(place) }

  /// The places of messages that show a fact about a message; `nil` where none does.
  func evidence(for fact: ArchiveFact, of place: Int) -> [Int]? {
    if let row = table[fact] { return evidence(by: row, of: place) }
    return Self.functions[fact]?(self, place)
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

  func target(_ place: Int) -> Period? {
    messages[place].about.map { periods[$0.id]?.period ?? $0 }
  }

  /// The period before the event's own, as a list shows it that has both.
  func previousPeriod(_ place: Int) -> (period: Period, shownBy: Int)? {
    target(place).flatMap { previousPeriods[$0.id] }
  }

  func length(_ window: DecisionParameters.Window) -> Int64 { window.length(isSandbox: isSandbox) }

  func tolerance(_ window: DecisionParameters.Window) -> Int64 { window.tolerance(isSandbox: isSandbox) }

  /// The owner says that no message of a time range is missing.
  func isComplete(from start: Int64, until end: Int64) -> Bool {
    start <= end && complete.contains { $0.lowerBound <= start && $0.upperBound >= end }
  }
}
