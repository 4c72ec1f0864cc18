/// A period of a subscription as the lists of one run show it together: what a store keeps of lists.
///
/// With those of all runs, `UnitedPeriods` are the same as if one run had read all messages.
package struct KeptPeriod: Sendable {
  /// The number of the subscription in its environment and app.
  package let subscription: Int64
  package let originalTransactionId: String
  /// The run that kept it; 0 before it is kept.
  package let run: Int64
  /// How many messages of the run show the subscription.
  package let messages: Int64
  var entry: UnitedPeriods.Entry
  /// The number of the period.
  package var period: Int64 { Int64(bitPattern: entry.period.id) }

  /// What the lists show, in the order of the table's columns: the numbers of the period and of its product, purchase,
  /// latest expiry, earliest cancellation, earliest refund or revocation, latest expiry that messages about it show, latest
  /// record with auto-renew on (all in milliseconds since 1970 UTC, `nil` for none), intents and traits as bits.
  package var numbers: [Int64?] { entry.numbers }

  init(_ entry: UnitedPeriods.Entry, subscription: Int64, originalTransactionId: String, messages: Int) {
    (self.subscription, self.originalTransactionId, run) = (subscription, originalTransactionId, 0)
    (self.messages, self.entry) = (Int64(messages), entry)
  }

  /// Takes `numbers` back.
  package init(subscription: Int64, originalTransactionId: String, run: Int64, messages: Int64, numbers: [Int64?]) {
    (self.subscription, self.originalTransactionId) = (subscription, originalTransactionId)
    (self.run, self.messages, entry) = (run, messages, UnitedPeriods.Entry(numbers))
  }
}

extension UnitedPeriods {
  /// The periods of the subscription itself, to be kept.
  package func kept(subscription: Int64, originalTransactionId: String) -> [KeptPeriod] {
    terms.map {
      KeptPeriod(
        $0, subscription: subscription, originalTransactionId: originalTransactionId, messages: messageCount)
    }
  }

  /// The periods of one subscription that several runs kept.
  package init(_ kept: some Sequence<KeptPeriod>) {
    var entries: [UInt64: Entry] = [:]
    var messages: [Int64: Int64] = [:]
    for period in Self.checked(Array(kept)) {
      // A live run counts in the rows that it changes, and only there.
      messages[period.run] = max(messages[period.run] ?? 0, period.messages)
      entries[period.entry.period.id, default: period.entry].unite(with: period.entry)
    }
    self.init(entries: entries, messageCount: Int(messages.values.reduce(0, +)))
  }
}

extension UnitedPeriods.Entry {
  /// The flags as bits, from the lowest.
  private var flags: [Bool] {
    [period.traits.contains(.upgraded), isListedWhole, isShownAfter, isReversalTold, mayEnd]
  }

  fileprivate var numbers: [Int64?] {
    let traits = flags.enumerated().reduce(Int64(0)) { $1.element ? $0 | 1 << Int64($1.offset) : $0 }
    return [
      Int64(bitPattern: period.id), Int64(bitPattern: period.product), period.purchase, period.expires,
      cancellation == .max ? nil : cancellation, revocation == .max ? nil : revocation, told,
      lastOn == .min ? nil : lastOn, intents, traits,
    ]
  }

  fileprivate init(_ numbers: [Int64?]) {
    func number(_ place: Int) -> Int64? { place < numbers.count ? numbers[place] : nil }
    func flag(_ place: Int64) -> Bool { (number(9) ?? 0) & 1 << place != 0 }
    let traits: HistoryMessage.Traits = flag(0) ? [.own, .upgraded] : .own
    self.init(
      period: HistoryMessage.Period(
        id: UInt64(bitPattern: number(0) ?? 0), product: UInt64(bitPattern: number(1) ?? 0), purchase: number(2) ?? 0,
        expires: number(3) ?? 0, cancellation: number(4) ?? HistoryMessage.noTime, traits: traits),
      seenBy: 0)
    (cancellation, revocation) = (number(4) ?? .max, number(5) ?? .max)
    (told, lastOn, intents) = (number(6), number(7) ?? .min, number(8) ?? 0)
    (isListedWhole, isShownAfter, isReversalTold, mayEnd) = (flag(1), flag(2), flag(3), flag(4))
  }

  /// Takes what another run shows of the same period.
  fileprivate mutating func unite(with other: Self) {
    period.traits.formUnion(other.period.traits)
    period.expires = max(period.expires, other.period.expires)
    if period.cancellation == HistoryMessage.noTime { period.cancellation = other.period.cancellation }
    (cancellation, revocation) = (min(cancellation, other.cancellation), min(revocation, other.revocation))
    if let time = other.told { told = max(told ?? time, time) }
    (lastOn, intents) = (max(lastOn, other.lastOn), intents | other.intents)
    isListedWhole = isListedWhole || other.isListedWhole
    isShownAfter = isShownAfter || other.isShownAfter
    isReversalTold = isReversalTold || other.isReversalTold
    mayEnd = mayEnd || other.mayEnd
  }
}
