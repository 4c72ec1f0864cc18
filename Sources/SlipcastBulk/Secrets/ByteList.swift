/// Lists of numbers that are the bytes of a text, as some programs print a buffer.
enum ByteList {
  private static let shortest = 32

  /// The text holds a list of numbers below 256 that is long enough for a secret.
  static func holdsText(_ bytes: [UInt8]) -> Bool {
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
}
