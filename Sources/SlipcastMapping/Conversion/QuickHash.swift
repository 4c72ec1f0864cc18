// Unsafe on purpose: reads texts in place, eight bytes at a time, never beyond their end.
@_spi(Slipcast) internal import SlipcastWire

/// A fast 64-bit hash for values that only have to be distinct; the same in every run and on every machine.
///
/// It does not protect against values that were chosen to collide. Whether an event is lost never depends on it
/// alone: ids of events are SHA-1.
struct QuickHash {
  private(set) var value: UInt64

  init(seed: UInt64 = 0) { value = seed ^ 0x2D35_8DCC_AA6C_78A5 }

  /// Takes a number.
  @inline(__always)
  mutating func add(_ number: UInt64) {
    let product = (value ^ number).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    value = product.high ^ product.low ^ 0x8BB8_4B93_962E_ACC9
  }

  /// Takes a text; an absent one differs from an empty one.
  @inline(__always)
  mutating func add(_ text: JSONText?) {
    guard let text else { return add(UInt64.max) }
    let raw = UnsafeRawBufferPointer(text.buffer)
    add(UInt64(raw.count))
    var at = 0
    while at + 8 <= raw.count {
      add(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
      at += 8
    }
    guard at < raw.count else { return }
    // The last eight bytes once more are faster than the rest one by one.
    if raw.count >= 8 {
      return add(UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self)))
    }
    var rest: UInt64 = 0
    while at < raw.count {
      rest = rest << 8 | UInt64(raw[at])
      at += 1
    }
    add(rest)
  }
}
