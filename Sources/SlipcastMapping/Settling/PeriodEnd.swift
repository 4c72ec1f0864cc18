@_spi(Slipcast) internal import SlipcastWire

/// What records other than the messages about a period show of its end: V1 sends no message when a period runs out.
///
/// Times are milliseconds since 1970 UTC.
package struct PeriodEnd: Hashable, Sendable {
  /// The period as messages number it.
  package var id: UInt64
  package var purchase: Int64
  /// When the first later purchase was made that no message reports; `Int64.max` for none.
  package var next = Int64.max
  /// When it was taken back or upgraded, where no message reports this; `Int64.max` if not.
  package var cancellation = Int64.max
  /// Another purchase replaced it, at a time that no list need state: `cancellation` is then not after the purchase.
  package var isReplaced = false
  /// The latest end that a record shows.
  package var expires: Int64
  /// Auto-renew was on in a record that was written at this time or later.
  package var lastOn = Int64.min
  /// A list that was written after the end shows it, and not taken back.
  package var isShownAfter = false
  /// The expiration intents of records that were written after the end, one bit each.
  package var intents: Int64 = 0
  /// In `intents`: Apple tried to renew the period.
  package static let retry: Int64 = 1 << 6

  package init(id: UInt64, purchase: Int64, expires: Int64) {
    (self.id, self.purchase, self.expires) = (id, purchase, expires)
  }
}

extension HistoryMessage {
  /// The number of a period: its line item's, else its transaction's.
  package static func number(ofPeriod name: String) -> UInt64 {
    let text = JSONWriter(capacity: name.utf8.count + 8)
    text.raw(name)
    var hash = QuickHash()
    hash.add(JSONText(base: text.base, count: text.count, isVerbatim: true))
    return withExtendedLifetime(text) { hash.value }
  }

  var hasEvent: Bool { high != 0 || low != 0 }

  /// Apple may not renew the period that the event's message shows.
  fileprivate var mayEnd: Bool { hasEvent && (autoRenew == false || intent != 0 || grace != Self.noTime) }
}

extension Settler {
  /// What records that report no event show of the periods that may have ended, where no message reports it.
  package static func ends(of messages: [HistoryMessage]) -> [PeriodEnd] {
    let ending = messages.filter(\.mayEnd)
    let ended = lapsed(in: messages) + takenBack(in: messages)
    // Most subscriptions: everything that any record shows was reported.
    guard !ending.isEmpty || !ended.isEmpty, messages.count > 1 else { return [] }
    var found: [UInt64: PeriodEnd] = [:]
    for period in ended {
      found[period.id] = PeriodEnd(id: period.id, purchase: period.purchase, expires: period.expires)
    }
    for period in ending.flatMap({ [$0.about, $0.newest].compactMap(\.self) })
    where period.traits.contains(.own) && period.expires != HistoryMessage.noTime {
      found[period.id] = PeriodEnd(id: period.id, purchase: period.purchase, expires: period.expires)
    }
    var (told, taken): ([UInt64: Int64], Set<UInt64>) = ([:], [])
    for message in messages where message.hasEvent {
      guard let about = message.about else { continue }
      told[about.id] = max(told[about.id] ?? about.expires, about.expires)
      if message.type.is(.reversal) { taken.insert(about.id) }
    }
    var purchases: Set<Int64> = []
    for message in messages {
      for period in message.periods where period.traits.contains(.own) && period.expires != HistoryMessage.noTime {
        if told[period.id] == nil { purchases.insert(period.purchase) }
        found[period.id]?.learn(period, isTaken: taken.contains(period.id))
        if message.writtenFrom > period.expires, !period.isTakenBack { found[period.id]?.isShownAfter = true }
      }
      if !message.hasEvent, let newest = message.newest { found[newest.id]?.learn(message, newest) }
    }
    let order = purchases.sorted()
    return found.values.compactMap { end in
      var end = end
      if let next = order.firstIndex(after: end.purchase) { end.next = order[next] }
      return end.isNew || told[end.id].map { end.expires > $0 } ?? false ? end : nil
    }
  }
}

extension Settler {
  /// The periods after which a pause follows until the next one.
  private static func lapsed(in messages: [HistoryMessage]) -> [HistoryMessage.Period] {
    let order = own(in: messages).sorted { ($0.purchase, $0.id) < ($1.purchase, $1.id) }
    return zip(order, order.dropFirst()).compactMap { $0.id != $1.id && $1.purchase > $0.expires ? $0 : nil }
  }

  /// The periods that Apple took back, or that another purchase replaced.
  private static func takenBack(in messages: [HistoryMessage]) -> [HistoryMessage.Period] {
    own(in: messages).filter(\.isTakenBack)
  }

  private static func own(in messages: [HistoryMessage]) -> some Sequence<HistoryMessage.Period> {
    messages.lazy.flatMap(\.periods).filter { $0.traits.contains(.own) && $0.expires != HistoryMessage.noTime }
  }
}

extension PeriodEnd {
  fileprivate var isNew: Bool { isShownAfter || next != .max || cancellation != .max || lastOn != .min || intents != 0 }

  fileprivate mutating func learn(_ period: HistoryMessage.Period, isTaken: Bool) {
    expires = max(expires, period.expires)
    // Another purchase replaced it, at a time that the list need not state, whatever reported it: it did not run out.
    if period.traits.contains(.upgraded) { (isReplaced, cancellation) = (true, min(cancellation, period.purchase)) }
    guard !isTaken, period.cancellation != HistoryMessage.noTime else { return }
    cancellation = min(cancellation, period.cancellation)
  }

  /// Takes what a record shows that reports no event of the subscription.
  fileprivate mutating func learn(_ message: HistoryMessage, _ newest: HistoryMessage.Period) {
    if message.autoRenew == true { lastOn = max(lastOn, message.writtenFrom) }
    guard message.writtenFrom >= newest.expires else { return }
    if message.intent != 0 { intents |= 1 << Int64(message.intent) }
    if message.isRetrying == true { intents |= Self.retry }
  }
}

extension [Int64] {
  /// The first element of a sorted array that is greater than a number.
  fileprivate func firstIndex(after number: Int64) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= number { low = middle + 1 } else { high = middle }
    }
    return low < count ? low : nil
  }
}
