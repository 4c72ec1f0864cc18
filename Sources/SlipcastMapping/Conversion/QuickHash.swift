@_spi(Slipcast) internal import SlipcastWire

/// A fast 64-bit hash for values that only have to be distinct; the same in every run and on every machine.
///
/// It does not protect against values that were chosen to collide. Whether an event is lost never depends on it
/// alone: ids of events are SHA-1.
struct QuickHash {
  private(set) var value: UInt64

  init(seed: UInt64 = 0) { value = seed ^ 0x2D35_8DCC_AA6C_78A5 }

  @inline(__always)
  mutating func add(_ number: UInt64) {
    let product = (value ^ number).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    value = product.high ^ product.low ^ 0x8BB8_4B93_962E_ACC9
  }

  /// Takes a text; an absent one differs from an empty one.
  @inline(__always)
  mutating func add(_ text: JSONText?) {
    guard let text else { return add(UInt64.max) }
    add(UInt64(text.count))
    var at = 0
    while at + 8 <= text.count {
      add(text.word(at))
      at += 8
    }
    guard at < text.count else { return }
    // The last eight bytes once more are faster than the rest one by one.
    if text.count >= 8 {
      return add(text.word(text.count - 8))
    }
    var rest: UInt64 = 0
    while at < text.count {
      rest = rest << 8 | UInt64(text[at])
      at += 1
    }
    add(rest)
  }
}
