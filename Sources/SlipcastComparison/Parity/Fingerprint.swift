internal import SlipcastWire

/// Short names for texts that only have to be distinct.
package enum Fingerprint {
  /// Two FNV-1a hashes of 64 bits.
  static func of(_ text: some Sequence<UInt8>) -> (high: UInt64, low: UInt64) {
    var (one, two): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9AE1_6A3B_2F90_404F)
    for byte in text {
      one = (one ^ UInt64(byte)) &* 0x100_0000_01B3
      two = (two &* 0x100_0000_01B3) ^ UInt64(byte)
    }
    return (one, two)
  }

  /// One FNV-1a hash of 64 bits, over words of eight bytes where there are so many.
  static func number(_ text: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(text.count)
    var at = 0
    while at + 8 <= text.count {
      hash = (hash ^ text.word(at)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
      at += 8
    }
    while at < text.count {
      hash = (hash ^ UInt64(text[at])) &* 0x100_0000_01B3
      at += 1
    }
    return hash ^ hash >> 32
  }
}
