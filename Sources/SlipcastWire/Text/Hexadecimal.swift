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
      if byte.isAlphanumeric || others.utf8.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += "%\(encode([byte]))".utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes digits of either case, ignoring dashes and colons between them; `nil` for anything else.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(Array(text.utf8).span) }

  package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    var (high, isSound) = (UInt8?.none, true)
    let bytes = [UInt8](capacity: text.count / 2) { bytes in
      for place in text.indices where text[place] != UInt8(ascii: "-") && text[place] != UInt8(ascii: ":") {
        guard let digit = text[place].hexadecimalValue else {
          isSound = false
          return
        }
        if let first = high { bytes.append(first << 4 | digit) }
        high = high == nil ? digit : nil
      }
    }
    return isSound && high == nil ? bytes : nil
  }
}
