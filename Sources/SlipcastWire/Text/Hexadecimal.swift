package enum Hexadecimal {
  /// Upper-case digits, two a byte.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text with all bytes as `%XX` but letters, digits, and other characters of ASCII that are kept.
  package static func percentEncoded(_ text: String, keeping others: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: bytes.append(byte)
      case _ where others.utf8.contains(byte): bytes.append(byte)
      default: bytes += "%\(encode([byte]))".utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes digits of either case, ignoring dashes and colons between them; `nil` for anything else.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = UUIDText.hexDigit(digits[place]), let low = UUIDText.hexDigit(digits[place + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}
