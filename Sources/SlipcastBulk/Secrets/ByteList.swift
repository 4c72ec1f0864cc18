internal import SlipcastWire

/// Lists of numbers that are the bytes of a text, as some programs print a buffer.
enum ByteList {
  private static let shortest = 32

  /// Whether the text contains a list that is long enough for a secret.
  ///
  /// A list is numbers below 256 between commas, or pairs of hexadecimal digits between other characters (`7b:22`,
  /// `7b-22`, `0x7b, 0x22`).
  static func holdsText(_ bytes: [UInt8]) -> Bool { holdsNumbers(bytes) || holdsPairs(bytes) }

  private static func holdsNumbers(_ bytes: [UInt8]) -> Bool {
    var (length, number, digits) = (0, 0, 0)
    for byte in bytes {
      switch byte {
      case 0x30...0x39:
        number = min(number * 10 + Int(byte - 0x30), 1000)
        digits += 1
      case UInt8(ascii: ","), UInt8(ascii: "]"):
        length = digits > 0 && number < 256 ? length + 1 : 0
        (number, digits) = (0, 0)
        if length >= shortest { return true }
      case 0x20, 0x0A, 0x0D, 0x09: break
      default: (length, number, digits) = (0, 0, 0)
      }
    }
    return false
  }

  /// Pairs of digits that encode letters of a text, each after at most a few other characters.
  private static func holdsPairs(_ bytes: [UInt8]) -> Bool {
    var (length, signs, at) = (0, 0, 0)
    while at < bytes.count {
      if bytes[at] == 0x30, at + 1 < bytes.count, bytes[at + 1] | 0x20 == UInt8(ascii: "x") {
        at += 2
      } else if let (value, end) = pair(bytes, at) {
        length = (0x20...0x7E).contains(value) || value.isBlank ? length + 1 : 0
        if length >= shortest { return true }
        (signs, at) = (0, end)
      } else {
        signs += 1
        if signs > 3 || bytes[at].isAlphanumeric { length = 0 }
        at += 1
      }
    }
    return false
  }

  /// Two digits that no third one follows.
  private static func pair(_ bytes: [UInt8], _ at: Int) -> (value: UInt8, end: Int)? {
    guard at + 1 < bytes.count, let high = bytes[at].hexadecimalValue, let low = bytes[at + 1].hexadecimalValue,
      at + 2 == bytes.count || !bytes[at + 2].isAlphanumeric
    else { return nil }
    return (high << 4 | low, at + 2)
  }
}
