// Unsafe on purpose: slots of the table are read in place.
package import SlipcastMapping
package import SlipcastSystem
internal import SlipcastV2

/// The readings that the messages of an archive settle among each other (`SettleRun` makes them).
///
/// The table is in memory up to 32 MiB; a larger one is in an unnamed temporary file.
public final class SettledReadings: @unchecked Sendable {
  // Safe to share: it is filled before anyone else has it, and then only read.
  private let table = SlotTable(memory: 32 << 20)
  /// The numbers of events that only the order of receipt distinguishes.
  private let order = SlotTable(memory: 8 << 20)
  private let ends = SlotTable(memory: 8 << 20)
  /// Periods that no message is about, by the period before each; the first ones by the period after them.
  private let untold = SlotTable(memory: 8 << 20)
  /// The sources of the archive, in the order in which `migration.settled` counts them.
  package let sources: [String]
  /// How many readings there were and are, by V1's type, sorted by type.
  public private(set) var counts: [SettlingCounts] = []
  private static let mostWitnesses = 4

  package init(sources: [String]) { self.sources = sources }

  /// Counts a message whose record alone is ambiguous.
  package func countAmbiguous(_ type: String) { count(type) { $0.ambiguous += 1 } }

  private func count(_ type: String, _ change: (inout SettlingCounts) -> Void) {
    let place = counts.firstIndex { $0.type >= type } ?? counts.count
    if place == counts.count || counts[place].type != type { counts.insert(SettlingCounts(type: type), at: place) }
    change(&counts[place])
  }

  /// Adds what was found of a subscription; subscriptions come in their order.
  package func add(_ found: SettledSubscription) throws(FileError) {
    for (trace, ordinal) in found.ordinals { try add(ordinal, of: trace) }
    for result in found.results { try add(result) }
    if let periods = found.periods { try add(periods) }
  }

  private func add(_ result: Settler.Result) throws(FileError) {
    let settlement = result.settlement
    count(result.type) { counts in
      if settlement.isContradicted || settlement.isDoubted {
        counts.contradicted += 1
      } else if result.from == .ambiguous {
        counts.settled += 1
      } else {
        counts.confirmed += 1
      }
    }
    let slot = try table.slot(Self.key(result.key))
    let state = State(settlement)
    guard slot.pointee.values.0 == 0 else {
      // Two indistinguishable messages that are settled in different ways stay as they are.
      if State(word: slot.pointee.values.0).reading != state.reading { slot.pointee.values.0 = State.undecided.word }
      return
    }
    let by = (0..<Self.mostWitnesses).map { $0 < settlement.by.count ? Self.word(settlement.by[$0]) : 0 }
    slot.pointee.values = (state.word, Int64(bitPattern: settlement.facts), by[0], by[1], by[2], by[3])
  }

  /// What settles a message; `nil` for one that stays as it is.
  package func find(_ key: SettlingKey) -> Settlement? {
    guard let values = table.find(Self.key(key))?.pointee.values else { return nil }
    let state = State(word: values.0)
    guard state.isDecided else { return nil }
    let by = [values.2, values.3, values.4, values.5].filter { $0 != 0 }.map(Self.witness)
    var settlement = Settlement(
      candidate: state.candidate, facts: UInt64(bitPattern: values.1), by: by,
      usesCompleteness: state.usesCompleteness, isContradicted: state.isContradicted,
      disproved: state.disproved)
    settlement.isDoubted = state.isDoubted
    return settlement
  }

  // MARK: deliveries, and ends of periods

  private func add(_ ordinal: Int, of trace: EventTrace) throws(FileError) {
    try order.slot(Self.key(trace)).pointee.values.0 = Int64(ordinal + 1)
  }

  /// The number of a message's event among those with its key; `nil` where the order of the archive decides.
  func ordinal(of trace: EventTrace) -> Int? {
    guard order.count > 0, trace.kind != .dated else { return nil }
    return order.find(Self.key(trace)).map { Int($0.pointee.values.0) - 1 }
  }

  private func add(_ end: PeriodEnd) throws(FileError) {
    let slot = try ends.slot(Self.key(end.id, end.purchase))
    let traits: Int64 = (end.isShownAfter ? 1 : 0) | (end.isReplaced ? 2 : 0) | (end.isNextListed ? 4 : 0)
    slot.pointee.values = (end.next, end.cancellation, end.expires, end.lastOn, end.intents, traits)
  }

  /// What records other than its own messages show of the end of a period.
  package func end(of period: UntoldPeriod.Key) -> PeriodEnd? {
    guard ends.count > 0, let values = ends.find(Self.key(period.id, period.purchase))?.pointee.values else {
      return nil
    }
    var end = PeriodEnd(id: period.id, purchase: period.purchase, expires: values.2)
    (end.next, end.cancellation, end.lastOn, end.intents) = (values.0, values.1, values.3, values.4)
    (end.isShownAfter, end.isReplaced) = (values.5 & 1 != 0, values.5 & 2 != 0)
    end.isNextListed = values.5 & 4 != 0
    return end
  }

  /// Adds what lists show of the periods of a subscription.
  package func add(_ periods: SettledSubscription.Periods) throws(FileError) {
    for end in periods.ends { try add(end) }
    for (before, period) in periods.following { try add(period, at: Self.key(before.id, before.purchase)) }
    if let first = periods.first { try add(first.period, at: Self.key(~first.before.id, first.before.purchase)) }
  }

  private func add(_ period: UntoldPeriod, at key: SlotTable.Key) throws(FileError) {
    let traits: Int64 = (period.isUpgraded ? 1 : 0) | (period.isListedWhole ? 2 : 0)
    try untold.slot(key).pointee.values = (
      Int64(bitPattern: period.key.id), period.key.purchase, period.expires, period.revocation,
      Int64(bitPattern: period.product), traits
    )
  }

  /// The period after one, where no message is about it.
  package func untold(after period: UntoldPeriod.Key) -> UntoldPeriod? {
    untold(at: Self.key(period.id, period.purchase))
  }

  /// The oldest period of the subscription, where no message is about it; `period` is the oldest one with a message.
  package func firstUntold(before period: UntoldPeriod.Key) -> UntoldPeriod? {
    untold(at: Self.key(~period.id, period.purchase))
  }

  private func untold(at key: SlotTable.Key) -> UntoldPeriod? {
    guard untold.count > 0, let values = untold.find(key)?.pointee.values else { return nil }
    var period = UntoldPeriod(
      key: UntoldPeriod.Key(id: UInt64(bitPattern: values.0), purchase: values.1), expires: values.2,
      product: UInt64(bitPattern: values.4))
    (period.revocation, period.isUpgraded, period.isListedWhole) = (values.3, values.5 & 1 != 0, values.5 & 2 != 0)
    return period
  }

  private static func key(_ period: UInt64, _ purchase: Int64) -> SlotTable.Key {
    SlotTable.Key(high: period, low: UInt64(bitPattern: purchase) | 1)
  }

  private static func key(_ trace: EventTrace) -> SlotTable.Key {
    var low = trace.low ^ trace.content &* 0x9E37_79B9_7F4A_7C15
    if let received = trace.receivedAt { low ^= UInt64(bitPattern: received) &* 0xD6E8_FEB8_6659_FD93 | 1 }
    return SlotTable.Key(high: trace.high | 1, low: low)
  }

  private static func key(_ key: SettlingKey) -> SlotTable.Key {
    var low = key.low ^ UInt64(key.rule + 1) &* 0x9E37_79B9_7F4A_7C15
    if let received = key.receivedAt { low ^= UInt64(bitPattern: received) &* 0xD6E8_FEB8_6659_FD93 | 1 }
    return SlotTable.Key(high: key.high, low: low)
  }

  private static func word(_ witness: Settlement.Witness) -> Int64 {
    Int64(witness.source & 0xF_FFFF) << 40 | Int64(witness.record & 0xFF_FFFF_FFFF)
  }

  private static func witness(_ word: Int64) -> Settlement.Witness {
    Settlement.Witness(source: Int(word >> 40), record: Int(word & 0xFF_FFFF_FFFF))
  }

  /// The parts of a settlement that fit into one number; 0 is an empty slot.
  private struct State {
    var word: Int64

    static let undecided = State(word: 1 << 32)

    init(word: Int64) { self.word = word }

    init(_ settlement: Settlement) {
      // A row has few candidates: they fit into the bits that are free.
      word = 1 << 16 | Int64(settlement.candidate.map { $0 + 1 } ?? 0) | Int64(settlement.disproved & 0xFFFF) << 40
      if settlement.usesCompleteness { word |= 1 << 17 }
      if settlement.isContradicted { word |= 1 << 18 }
      if settlement.isDoubted { word |= 1 << 19 }
    }

    var isDecided: Bool { word & 1 << 32 == 0 && word != 0 }
    var candidate: Int? { word & 0xFFFF == 0 ? nil : Int(word & 0xFFFF) - 1 }
    var disproved: UInt64 { UInt64(word >> 40 & 0xFFFF) }
    var usesCompleteness: Bool { word & 1 << 17 != 0 }
    var isContradicted: Bool { word & 1 << 18 != 0 }
    var isDoubted: Bool { word & 1 << 19 != 0 }
    /// What two settlements of one message must agree in.
    var reading: Int64 { word & ~(1 << 17) }
  }
}

/// How the readings of one type of V1 message were settled.
public struct SettlingCounts: Hashable, Sendable {
  /// V1's `notification_type`.
  public var type: String
  /// Messages that are ambiguous as single records.
  public var ambiguous = 0
  /// Those among them that other messages settle.
  public var settled = 0
  /// Inferred readings that other messages confirm.
  public var confirmed = 0
  /// Readings that other messages contradict, or to which they add others.
  public var contradicted = 0

  init(type: String) { self.type = type }
}

extension Converter {
  /// Settles readings with other messages of the archive.
  func use(_ readings: SettledReadings?) {
    guard let readings else { return }
    (settled, sourceNames) = ({ readings.find($0) }, readings.sources)
  }
}
