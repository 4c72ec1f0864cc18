/// A period of a subscription as the lists of one run show it together: what a store keeps of lists.
///
/// With those of all runs, `UnitedPeriods` are the same as if one run had read all messages. Times are milliseconds since
/// 1970 UTC; `nil` where no record shows one.
package struct KeptPeriod: Hashable, Sendable {
  /// The number of the subscription in its environment and app.
  package var subscription: Int64
  package var originalTransactionId: String
  package var period: UntoldPeriod.Key
  /// The product, hashed.
  package var product: UInt64
  /// The latest expiry that a list shows.
  package var expires: Int64
  /// The earliest cancellation, of an upgrade too.
  package var cancellation: Int64?
  /// The earliest refund or revocation.
  package var revocation: Int64?
  /// The latest expiry that messages about it show; `nil`: no message is about it.
  package var told: Int64?
  /// When the latest record without an event was written that shows auto-renew on.
  package var lastOn: Int64?
  /// What records without an event state of its end, as `PeriodEnd.intents`.
  package var intents: Int64
  package var traits: Traits
  /// The run that kept it, and how many of its messages show the subscription.
  package var run: Int64 = 0
  package var messages: Int64

  package struct Traits: OptionSet, Hashable, Sendable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Another purchase replaced it.
    package static let upgraded = Traits(rawValue: 1)
    /// A list that lacks nothing shows it.
    package static let listedWhole = Traits(rawValue: 2)
    /// A list that was written after the end shows it, and not taken back.
    package static let shownAfter = Traits(rawValue: 4)
    /// A message reports that it was taken back.
    package static let reversalTold = Traits(rawValue: 8)
    /// A message shows that Apple may not renew it.
    package static let mayEnd = Traits(rawValue: 16)
  }

  package init(
    subscription: Int64, originalTransactionId: String, period: UntoldPeriod.Key, product: UInt64, expires: Int64,
    cancellation: Int64? = nil, revocation: Int64? = nil, told: Int64? = nil, lastOn: Int64? = nil, intents: Int64 = 0,
    traits: Traits = [], messages: Int64
  ) {
    (self.subscription, self.originalTransactionId) = (subscription, originalTransactionId)
    (self.period, self.product, self.expires) = (period, product, expires)
    (self.cancellation, self.revocation, self.told, self.lastOn) = (cancellation, revocation, told, lastOn)
    (self.intents, self.traits, self.messages) = (intents, traits, messages)
  }
}

extension UnitedPeriods {
  /// The periods of the subscription itself, to be kept.
  package func kept(subscription: Int64, originalTransactionId: String) -> [KeptPeriod] {
    terms.map { entry in
      var kept = KeptPeriod(
        subscription: subscription, originalTransactionId: originalTransactionId, period: entry.key,
        product: entry.period.product, expires: entry.period.expires, intents: entry.intents,
        messages: Int64(messageCount))
      if entry.cancellation != .max { kept.cancellation = entry.cancellation }
      if entry.revocation != .max { kept.revocation = entry.revocation }
      if entry.lastOn != .min { kept.lastOn = entry.lastOn }
      kept.told = entry.told
      if entry.period.traits.contains(.upgraded) { kept.traits.insert(.upgraded) }
      if entry.isListedWhole { kept.traits.insert(.listedWhole) }
      if entry.isShownAfter { kept.traits.insert(.shownAfter) }
      if entry.isReversalTold { kept.traits.insert(.reversalTold) }
      if entry.mayEnd { kept.traits.insert(.mayEnd) }
      return kept
    }
  }

  /// The periods of one subscription that several runs kept.
  package init(_ kept: some Sequence<KeptPeriod>) {
    var entries: [UInt64: Entry] = [:]
    var messages: [Int64: Int64] = [:]
    for period in kept {
      messages[period.run] = period.messages
      entries[period.period.id, default: Entry(period)].unite(with: period)
    }
    self.init(entries: entries, messageCount: Int(messages.values.reduce(0, +)))
  }
}

extension UnitedPeriods.Entry {
  fileprivate init(_ kept: KeptPeriod) {
    self.init(
      period: HistoryMessage.Period(
        id: kept.period.id, product: kept.product, purchase: kept.period.purchase, expires: kept.expires,
        cancellation: HistoryMessage.noTime, traits: .own),
      seenBy: 0)
  }

  fileprivate mutating func unite(with kept: KeptPeriod) {
    period.expires = max(period.expires, kept.expires)
    if let time = kept.cancellation {
      cancellation = min(cancellation, time)
      period.cancellation = cancellation
    }
    if let time = kept.revocation { revocation = min(revocation, time) }
    if let time = kept.told { told = max(told ?? time, time) }
    if let time = kept.lastOn { lastOn = max(lastOn, time) }
    intents |= kept.intents
    if kept.traits.contains(.upgraded) { period.traits.insert(.upgraded) }
    isListedWhole = isListedWhole || kept.traits.contains(.listedWhole)
    isShownAfter = isShownAfter || kept.traits.contains(.shownAfter)
    isReversalTold = isReversalTold || kept.traits.contains(.reversalTold)
    mayEnd = mayEnd || kept.traits.contains(.mayEnd)
  }
}
