internal import SlipcastV2

/// The periods of one subscription, as the lists of all its messages show them together.
///
/// Only this unites what several records show of a period: the facts that settle readings, the periods that no message is
/// about, and the ends that V1 does not report are read from it.
package struct UnitedPeriods {
  /// A period with what every list adds.
  struct Entry {
    /// With the latest expiry, all traits and the first cancellation that is shown.
    var period: HistoryMessage.Period
    /// The first record that shows it.
    let seenBy: Int
    /// The earliest cancellation that a record shows, of an upgrade too; `Int64.max` for none.
    var cancellation = Int64.max
    /// The earliest refund or revocation; `Int64.max` for none.
    var revocation = Int64.max
    /// A list that lacks nothing shows it, and so every older one.
    var isListedWhole = false
    /// A list that was written after the end shows it, and not taken back.
    var isShownAfter = false
    /// The latest expiry that messages about it show; `nil`: no message is about it.
    var told: Int64?
    /// A message reports that it was taken back.
    var isReversalTold = false
    /// A message shows that Apple may not renew it.
    var mayEnd = false
    /// When the latest record without an event was written that shows auto-renew on.
    var lastOn = Int64.min
    /// What records without an event state of its end, as `PeriodEnd.intents`.
    var intents: Int64 = 0

    /// It is of the subscription itself, and ends.
    var isTerm: Bool { period.traits.contains(.own) && period.expires != HistoryMessage.noTime }
    var key: UntoldPeriod.Key { UntoldPeriod.Key(id: period.id, purchase: period.purchase) }
  }

  /// By the numbers of the periods.
  var entries: [UInt64: Entry] = [:]
  /// How many messages show them.
  let messageCount: Int

  init(entries: [UInt64: Entry], messageCount: Int) { (self.entries, self.messageCount) = (entries, messageCount) }

  package init(_ messages: [HistoryMessage]) {
    messageCount = messages.count
    // The longest list has most periods of all.
    entries.reserveCapacity(messages.reduce(0) { max($0, $1.periods.count) })
    for (place, message) in messages.enumerated() {
      for period in message.periods {
        entries[period.id, default: Entry(period: period, seenBy: place)].learn(period, of: message)
      }
      addEvent(of: message)
    }
    noteWholeLists(messages)
  }

  /// The periods of the subscription itself, in the order of their purchases.
  var terms: [Entry] {
    entries.values.filter(\.isTerm).sorted { ($0.period.purchase, $0.period.id) < ($1.period.purchase, $1.period.id) }
  }

  /// Notes what a message shows of the period that it is about, and of the newest period.
  private mutating func addEvent(of message: HistoryMessage) {
    guard message.hasEvent else {
      if let newest = message.newest { entries[newest.id]?.learnState(of: message, newest) }
      return
    }
    if message.mayEnd {
      for period in [message.about, message.newest].compactMap(\.self) { entries[period.id]?.mayEnd = true }
    }
    guard let about = message.about else { return }
    entries[about.id]?.learnEvent(of: message, about)
  }
}

extension UnitedPeriods.Entry {
  fileprivate mutating func learn(_ shown: HistoryMessage.Period, of message: HistoryMessage) {
    period.traits.formUnion(shown.traits)
    if period.cancellation == HistoryMessage.noTime { period.cancellation = shown.cancellation }
    period.expires = max(period.expires, shown.expires)
    if shown.cancellation != HistoryMessage.noTime { cancellation = min(cancellation, shown.cancellation) }
    if shown.isRevoked { revocation = min(revocation, shown.cancellation) }
    if message.writtenFrom > shown.expires, !shown.isTakenBack { isShownAfter = true }
  }

  fileprivate mutating func learnEvent(of message: HistoryMessage, _ about: HistoryMessage.Period) {
    told = max(told ?? about.expires, about.expires)
    if message.type.is(.reversal) { isReversalTold = true }
  }

  /// Takes what a record shows that reports no event of the subscription.
  fileprivate mutating func learnState(of message: HistoryMessage, _ newest: HistoryMessage.Period) {
    if message.autoRenew == true { lastOn = max(lastOn, message.writtenFrom) }
    guard message.writtenFrom >= newest.expires else { return }
    if message.intent != 0 { intents |= 1 << Int64(message.intent) }
    if message.isRetrying == true { intents |= PeriodEnd.retry }
  }
}
