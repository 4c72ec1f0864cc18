internal import SlipcastMapping
import SlipcastSystem

/// The messages of earlier runs into a store, so that a run that reads them again finds their events.
///
/// A message that a run has twice, and one of the same values that an earlier run had once, are two messages: they are
/// counted. Each takes one slot of 64 bytes (`SlotTable`).
final class EarlierMessages {
  private let table: SlotTable
  private var run: Int64 = 1

  init(memory: Int) { table = SlotTable(memory: memory) }

  func beginRun() { run += 1 }

  /// The number of the event of a message that an earlier run had; `nil` for another one.
  func ordinal(of trace: EventTrace) -> Int? {
    guard table.count > 0, let first = table.find(Self.key(trace, 0)) else { return nil }
    let counts = turn(&first.pointee)
    guard counts.seen < counts.earlier, let slot = table.find(Self.key(trace, counts.seen)) else { return nil }
    first.pointee.values.2 += 1
    return Int(slot.pointee.values.4)
  }

  /// Adds a message of the current run, for the runs after it.
  func add(_ trace: EventTrace, ordinal: Int) throws(FileError) {
    let first = try table.slot(Self.key(trace, 0))
    let counts = turn(&first.pointee)
    first.pointee.values.1 += 1
    try table.slot(Self.key(trace, counts.earlier + counts.own)).pointee.values.4 = Int64(ordinal)
  }

  /// The first slot of a message counts those of all earlier runs, of the current one, and those that this one repeated.
  private func turn(_ slot: inout SlotTable.Slot) -> (earlier: Int, own: Int, seen: Int) {
    let values = slot.values
    if values.3 != run {
      (slot.values.0, slot.values.1) = (values.0 + values.1, 0)
      (slot.values.2, slot.values.3) = (0, run)
    }
    return (Int(slot.values.0), Int(slot.values.1), Int(slot.values.2))
  }

  /// The id already depends on all that an event's key has.
  private static func key(_ trace: EventTrace, _ number: Int) -> SlotTable.Key {
    let (one, two): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93)
    let received = UInt64(bitPattern: trace.receivedAt ?? .min)
    return SlotTable.Key(
      high: trace.high ^ trace.state &* one ^ trace.content &* two,
      low: (trace.low ^ received &* two) &+ UInt64(number) &* one)
  }
}
