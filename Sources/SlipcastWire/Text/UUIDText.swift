/// UUIDs as text: compared by value, kept in their original spelling (RFC 9562 section 4).
package enum UUIDText {
  /// True for 8-4-4-4-12 hexadecimal digits in either case.
  package static func isValid(_ text: Span<UInt8>) -> Bool {
    guard text.count == 36 else { return false }
    for index in text.indices {
      let character = text[index]
      switch index {
      case 8, 13, 18, 23: if character != UInt8(ascii: "-") { return false }
      default: if hexDigit(character) == nil { return false }
      }
    }
    return true
  }

  /// Writes the usual spelling of a UUID, 36 lowercase characters.
  ///
  /// - Parameters:
  ///   - high: its first eight bytes.
  ///   - low: its last eight bytes.
  ///   - place: where the text starts.
  package static func write(_ high: UInt64, _ low: UInt64, to text: inout MutableSpan<UInt8>, at place: Int = 0) {
    let second = digits(UInt32(truncatingIfNeeded: high))
    let third = digits(UInt32(truncatingIfNeeded: low >> 32))
    put(digits(UInt32(truncatingIfNeeded: high >> 32)), to: &text, at: place)
    put(UInt32(truncatingIfNeeded: second), to: &text, at: place + 9)
    put(UInt32(truncatingIfNeeded: second >> 32), to: &text, at: place + 14)
    put(UInt32(truncatingIfNeeded: third), to: &text, at: place + 19)
    put(UInt32(truncatingIfNeeded: third >> 32), to: &text, at: place + 24)
    put(digits(UInt32(truncatingIfNeeded: low)), to: &text, at: place + 28)
    for offset in stride(from: 8, through: 23, by: 5) { text[place + offset] = UInt8(ascii: "-") }
  }

  @inline(__always)
  private static func put<Digits: FixedWidthInteger & BitwiseCopyable>(
    _ digits: Digits, to text: inout MutableSpan<UInt8>, at place: Int
  ) {
    var bytes = text.mutableBytes
    bytes.storeBytes(of: digits.littleEndian, toByteOffset: place, as: Digits.self)
  }

  /// The eight hexadecimal digits of a number, the first one in the lowest byte.
  private static func digits(_ number: UInt32) -> UInt64 {
    // Bytes are spread first, then their halves.
    var bits = UInt64(number.byteSwapped)
    bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
    bits = (bits >> 4 | bits << 8) & 0x0F0F_0F0F_0F0F_0F0F
    // A byte that is 10 or more is a letter.
    let letters = (bits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return bits &+ 0x3030_3030_3030_3030 &+ letters &* 39
  }

  /// Appends the usual spelling of a UUID.
  package static func write(_ high: UInt64, _ low: UInt64, to writer: JSONWriter) {
    writer.reserve(36)
    writer.written += 36
    writer.change(writer.written - 36..<writer.written) { write(high, low, to: &$0) }
  }

  /// The usual spelling of a UUID as a text.
  package static func string(_ high: UInt64, _ low: UInt64) -> String {
    var bytes = [UInt8](repeating: 0, count: 36)
    var text = bytes.mutableSpan
    write(high, low, to: &text)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The two halves of a UUID; `nil` for a text that is not a UUID.
  package static func halves(_ text: Span<UInt8>) -> (high: UInt64, low: UInt64)? {
    guard isValid(text) else { return nil }
    var halves: (high: UInt64, low: UInt64) = (0, 0)
    for index in text.indices {
      guard let digit = hexDigit(text[index]) else { continue }
      halves = (halves.high << 4 | halves.low >> 60, halves.low << 4 | UInt64(digit))
    }
    return halves
  }

  /// The two halves of a UUID; `nil` for a text that is not a UUID.
  package static func halves(_ text: String) -> (high: UInt64, low: UInt64)? {
    var text = text
    return text.withUTF8 { halves($0.span) }
  }

  /// The value of one hexadecimal digit.
  package static func hexDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// True when two texts are spellings of the same UUID.
  public static func isSame(_ left: String, _ right: String) -> Bool {
    left == right || (left.utf8.count == 36 && left.lowercased() == right.lowercased())
  }
}
