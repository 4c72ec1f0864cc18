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
  /// A list that lacks nothing shows the purchase after it, which was made after the end: no other is between the two.
  package var isNextListed = false
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
  var mayEnd: Bool { hasEvent && (autoRenew == false || intent != 0 || grace != Self.noTime) }
}

extension UnitedPeriods {
  /// What records that report no event show of the periods that may have ended, where no message reports it.
  package var ends: [PeriodEnd] {
    guard messageCount > 1 || hasUntold else { return [] }
    let order = terms
    let untold = order.filter { $0.told == nil }.map(\.period.purchase)
    return order.indices.compactMap { place in
      let known = order[place]
      let isLapse = place + 1 < order.count && order[place + 1].period.purchase > known.period.expires
      // Most periods: everything that any record shows of their end was reported.
      guard isLapse || known.mayEnd || known.period.isTakenBack else { return nil }
      var end = PeriodEnd(known)
      end.isNextListed = isLapse && order[place + 1].isListedWhole
      if let next = untold.firstIndex(after: end.purchase) { end.next = untold[next] }
      return end.isNew || known.told.map { end.expires > $0 } ?? false ? end : nil
    }
  }
}

extension PeriodEnd {
  fileprivate init(_ known: UnitedPeriods.Entry) {
    self.init(id: known.period.id, purchase: known.period.purchase, expires: known.period.expires)
    // Another purchase replaced it, at a time that the list need not state, whatever reported it: it did not run out.
    if known.period.traits.contains(.upgraded) { (isReplaced, cancellation) = (true, purchase) }
    if !known.isReversalTold { cancellation = min(cancellation, known.cancellation) }
    (lastOn, intents, isShownAfter) = (known.lastOn, known.intents, known.isShownAfter)
  }

  fileprivate var isNew: Bool {
    isShownAfter || isNextListed || next != .max || cancellation != .max || lastOn != .min || intents != 0
  }
}

extension [Int64] {
  /// The first element of a sorted array that is greater than a number.
  package func firstIndex(after number: Int64) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= number { low = middle + 1 } else { high = middle }
    }
    return low < count ? low : nil
  }
}
