/// Short names for texts that only have to be told apart.
enum Fingerprint {
  /// Two FNV-1a hashes of 64 bits.
  static func of(_ text: some Sequence<UInt8>) -> (high: UInt64, low: UInt64) {
    var (one, two): (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9AE1_6A3B_2F90_404F)
    for byte in text {
      one = (one ^ UInt64(byte)) &* 0x100_0000_01B3
      two = (two &* 0x100_0000_01B3) ^ UInt64(byte)
    }
    return (one, two)
  }
}
