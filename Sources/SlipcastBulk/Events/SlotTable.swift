// Unsafe on purpose: slots are in memory that the system maps, so that a large table can be in a file.
import SlipcastSystem

/// The key of a slot; at least one half is not 0.
struct SlotKey: Hashable {
  var high: UInt64
  var low: UInt64
}

/// Slots of 64 bytes.
typealias SlotTable = SlotMap<(Int64, Int64, Int64, Int64, Int64, Int64)>

/// A hash table of slots with 128-bit keys, whose values are plain numbers.
///
/// Up to `memory` bytes are in memory, more in an unnamed file in the folder for temporary files (`TMPDIR`). The system
/// caches the used part of the file, and the program's own memory does not grow.
final class SlotMap<Values> {
  typealias Key = SlotKey

  struct Slot {
    fileprivate var high: UInt64
    fileprivate var low: UInt64
    /// Zero in a new slot.
    var values: Values
  }

  private var slots: UnsafeMutablePointer<Slot>?
  private var capacity = 0
  private let memory: Int
  private(set) var count = 0
  private static var firstCapacity: Int { 256 }

  /// An empty table uses no memory.
  init(memory: Int) { self.memory = memory }

  deinit { removeAll() }

  func removeAll() {
    if let slots { Platform.unmap(slots, bytes: capacity * MemoryLayout<Slot>.stride) }
    (slots, capacity, count) = (nil, 0, 0)
  }

  /// The slot of a key; `nil` if absent.
  ///
  /// It is valid until the next new slot.
  func find(_ key: Key) -> UnsafeMutablePointer<Slot>? {
    guard let slots else { return nil }
    let slot = slots + Self.place(of: key, in: slots, capacity)
    return slot.pointee.high == 0 && slot.pointee.low == 0 ? nil : slot
  }

  /// The slot of a key, a new one where there was none.
  func slot(_ key: Key) throws(FileError) -> UnsafeMutablePointer<Slot> {
    if let found = find(key) { return found }
    if count >= capacity / 4 * 3 { try grow() }
    guard let slots else { throw FileError(path: "memory", doing: "make a table", reason: "out of memory") }
    let slot = slots + Self.place(of: key, in: slots, capacity)
    (slot.pointee.high, slot.pointee.low) = (key.high, key.low)
    count += 1
    return slot
  }

  private func grow() throws(FileError) {
    let larger = max(Self.firstCapacity, capacity * 2)
    let bytes = larger * MemoryLayout<Slot>.stride
    // Mapped memory is zero.
    let new = try Platform.map(bytes: bytes, inFile: bytes > memory).bindMemory(to: Slot.self, capacity: larger)
    if let slots {
      for index in 0..<capacity where slots[index].high != 0 || slots[index].low != 0 {
        new[Self.place(of: Key(high: slots[index].high, low: slots[index].low), in: new, larger)] = slots[index]
      }
      Platform.unmap(slots, bytes: capacity * MemoryLayout<Slot>.stride)
    }
    (slots, capacity) = (new, larger)
  }

  private static func place(of key: Key, in slots: UnsafeMutablePointer<Slot>, _ capacity: Int) -> Int {
    let hash = (key.high ^ key.low &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
    var place = Int(truncatingIfNeeded: hash >> 20) & (capacity - 1)
    while slots[place].high != 0 || slots[place].low != 0, slots[place].high != key.high || slots[place].low != key.low
    {
      place = (place + 1) & (capacity - 1)
    }
    return place
  }
}
