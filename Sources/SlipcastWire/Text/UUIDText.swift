/// UUIDs as text: compared by value, kept in their original spelling (RFC 9562 section 4).
package enum UUIDText {
  /// True for 8-4-4-4-12 hexadecimal digits in either case.
  package static func isValid(_ text: Span<UInt8>) -> Bool { halves(text) != nil }

  /// Writes the usual spelling of a UUID, 36 lowercase characters.
  ///
  /// - Parameters:
  ///   - high: its first eight bytes.
  ///   - low: its last eight bytes.
  ///   - place: where the text starts.
  package static func write(_ high: UInt64, _ low: UInt64, to text: inout MutableSpan<UInt8>, at place: Int = 0) {
    let digits: StaticString = "0123456789abcdef"
    var at = place
    for index in 0..<32 {
      if index == 8 || index == 12 || index == 16 || index == 20 {
        text[at] = UInt8(ascii: "-")
        at += 1
      }
      let half = index < 16 ? high : low
      text[at] = digits.utf8Start[Int(half >> UInt64(60 - 4 * (index & 15)) & 15)]
      at += 1
    }
  }

  package static func write(_ high: UInt64, _ low: UInt64, to writer: JSONWriter) {
    writer.reserve(36)
    writer.written += 36
    writer.change(writer.written - 36..<writer.written) { write(high, low, to: &$0) }
  }

  package static func string(_ high: UInt64, _ low: UInt64) -> String {
    var bytes = [UInt8](repeating: 0, count: 36)
    var text = bytes.mutableSpan
    write(high, low, to: &text)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The two halves of a UUID; `nil` for a text that is not a UUID.
  package static func halves(_ text: Span<UInt8>) -> (high: UInt64, low: UInt64)? {
    guard text.count == 36 else { return nil }
    var halves: (high: UInt64, low: UInt64) = (0, 0)
    for index in text.indices {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard text[index] == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = text[index].hexadecimalValue else { return nil }
      halves = (halves.high << 4 | halves.low >> 60, halves.low << 4 | UInt64(digit))
    }
    return halves
  }

  /// The two halves of a UUID; `nil` for a text that is not a UUID.
  package static func halves(_ text: String) -> (high: UInt64, low: UInt64)? {
    var text = text
    return text.withUTF8 { halves($0.span) }
  }

  /// True for a hash of a name, version 5 (RFC 9562 section 5.5), as conversion makes ids; Apple's are random, version 4.
  package static func isNameBased(_ halves: (high: UInt64, low: UInt64)) -> Bool { halves.high >> 12 & 15 == 5 }

  /// True when two texts are spellings of the same UUID.
  public static func isSame(_ left: String, _ right: String) -> Bool {
    left == right || (left.utf8.count == 36 && left.lowercased() == right.lowercased())
  }
}
