/// Base 64: the standard alphabet with padding, and the one for URLs without (RFC 4648 sections 4 and 5).
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    let count = bytes.count
    let writer = JSONWriter(capacity: count / 3 * 4 + 4)
    writeURL(Array(bytes).span, to: writer)
    writer.change(0..<writer.written) { text in
      for place in text.indices {
        if text[place] == UInt8(ascii: "-") { text[place] = UInt8(ascii: "+") }
        if text[place] == UInt8(ascii: "_") { text[place] = UInt8(ascii: "/") }
      }
    }
    for _ in 0..<(3 - count % 3) % 3 { writer.byte(UInt8(ascii: "=")) }
    return writer.string
  }

  /// Reads base64url without padding; `nil` for any other character, an impossible length, or bits left over that are
  /// not zero: then two texts would mean the same bytes.
  package static func decodeURL(_ text: some Collection<UInt8>) -> [UInt8]? {
    decode(text, isURL: true, passesBlanks: false)
  }

  /// Decodes the standard alphabet with its padding, ignoring blanks and line ends; `nil` for anything else.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    decode(text, isURL: false, passesBlanks: true)
  }

  /// Decodes the standard alphabet with its padding and nothing else (RFC 4648 section 3.3), as in `x5c`.
  package static func decodeStrictly(_ text: some Collection<UInt8>) -> [UInt8]? {
    decode(text, isURL: false, passesBlanks: false)
  }

  /// Decodes either alphabet, with its padding or without, ignoring blanks and line ends; `nil` for a text with
  /// characters of both, and for anything else.
  ///
  /// A text of one alphabet has one meaning only.
  package static func decodeEither(_ text: some Collection<UInt8>) -> [UInt8]? { decodeEither(Array(text).span) }

  package static func decodeEither(_ text: Span<UInt8>) -> [UInt8]? {
    let isURL = text.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    return decode(text, isURL: isURL, passesBlanks: true, mayLackPadding: true)
  }

  /// True for the characters of either alphabet and padding.
  package static func isCharacter(_ byte: UInt8) -> Bool {
    valuesOfStandard[Int(byte)] < 64 || valuesOfURL[Int(byte)] < 64 || byte == padding
  }

  private static let padding = UInt8(ascii: "=")

  private static func decode(_ text: some Collection<UInt8>, isURL: Bool, passesBlanks: Bool) -> [UInt8]? {
    let done = text.withContiguousStorageIfAvailable { decode($0.span, isURL: isURL, passesBlanks: passesBlanks) }
    return done ?? decode(Array(text).span, isURL: isURL, passesBlanks: passesBlanks)
  }

  /// - Parameter mayLackPadding: either alphabet, with its whole padding or without.
  private static func decode(
    _ text: Span<UInt8>, isURL: Bool, passesBlanks: Bool, mayLackPadding: Bool = false
  ) -> [UInt8]? {
    let values = isURL ? valuesOfURL : valuesOfStandard
    var isSound = false
    let bytes = [UInt8](capacity: text.count / 4 * 3 + 3) { bytes in
      var (bits, width, digits, place): (UInt32, UInt32, Int, Int) = (0, 0, 0, 0)
      while place < text.count {
        let character = text[place]
        let value = values[Int(character)]
        if value < 64 {
          bits = bits << 6 | UInt32(value)
          (width, digits) = (width + 6, digits + 1)
          if width >= 8 {
            width -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> width))
          }
        } else if !(passesBlanks && isBlank(character)) {
          break
        }
        place += 1
      }
      let after = text.extracting(place...)
      let padding = after.count { $0 == UInt8(ascii: "=") }
      let rest = after.allSatisfy { $0 == UInt8(ascii: "=") || passesBlanks && isBlank($0) }
      let isWhole = (digits + padding) % 4 == 0 && padding < 3
      let isPadded = mayLackPadding ? padding == 0 || isWhole : isURL ? padding == 0 : isWhole
      isSound = rest && isPadded && digits % 4 != 1 && bits & (1 << width - 1) == 0
    }
    return isSound ? bytes : nil
  }

  /// Reads base64url without padding; `nil` as for other texts.
  package static func decodeURL(_ text: Span<UInt8>) -> [UInt8]? { decode(text, isURL: true, passesBlanks: false) }

  /// Decodes the standard alphabet with its padding, ignoring blanks and line ends; `nil` for anything else.
  package static func decode(_ text: Span<UInt8>) -> [UInt8]? { decode(text, isURL: false, passesBlanks: true) }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  private static let valuesOfStandard: [UInt8] = values(alphabet)
  private static let valuesOfURL: [UInt8] = values(alphabet.dropLast(2) + [UInt8(ascii: "-"), UInt8(ascii: "_")])

  private static func values(_ alphabet: [UInt8]) -> [UInt8] {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }
}
