internal import SlipcastSystem

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

  /// How a text is read; each reading rejects every other text.
  package enum Reading {
    /// The standard alphabet with its padding; blanks and line ends are ignored.
    case standard
    /// The standard alphabet with its padding and nothing else (RFC 4648 section 3.3), as in `x5c`.
    case strict
    /// base64url without padding; bits left over are zero: otherwise two texts would mean the same bytes.
    case url
    /// Either alphabet, with its padding or without; blanks and line ends are ignored.
    ///
    /// A text of one alphabet has one meaning only, so the characters of both are not in one text.
    case either
  }

  /// The bytes of a text; `nil` for anything else.
  package static func decode(_ text: some Collection<UInt8>, _ reading: Reading = .standard) -> [UInt8]? {
    text.withContiguousStorageIfAvailable { decode($0.span, reading) } ?? decode(Array(text).span, reading)
  }

  package static func decode(_ text: Span<UInt8>, _ reading: Reading = .standard) -> [UInt8]? {
    let isURL =
      reading == .url
      || reading == .either
        && (Platform.find(UInt8(ascii: "-"), in: text) ?? Platform.find(UInt8(ascii: "_"), in: text)) != nil
    let passesBlanks = reading == .standard || reading == .either
    let (bytes, digits, unused, place) = decode(text, isURL ? .url : .standard, passesBlanks: passesBlanks)
    let after = text.extracting(place...)
    let padding = after.count { $0 == UInt8(ascii: "=") }
    let isWhole = (digits + padding) % 4 == 0 && padding < 3
    let isPadded =
      switch reading {
      case .standard, .strict: isWhole
      case .url: padding == 0
      case .either: padding == 0 || isWhole
      }
    let isSound = isPadded && digits % 4 != 1 && unused == 0
    return isSound && after.allSatisfy { $0 == UInt8(ascii: "=") || passesBlanks && $0.isBlank } ? bytes : nil
  }

  /// Decodes letters of both alphabets, mixed or not, and drops bits at the end that fill no byte: the text may be a part
  /// of another one.
  package static func decodePart(_ letters: ArraySlice<UInt8>) -> [UInt8] {
    decode(letters.span, .both, passesBlanks: false).bytes
  }

  /// True for the letters of either alphabet.
  @inlinable
  package static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: byte.isAlphanumeric
    }
  }

  /// True for the letters of either alphabet and padding.
  package static func isCharacter(_ byte: UInt8) -> Bool { isLetter(byte) || byte == UInt8(ascii: "=") }

  /// Decodes letters up to the first other character.
  ///
  /// - Returns: the bytes, the number of letters, the bits after the last byte, and where it ended.
  private static func decode(
    _ text: Span<UInt8>, _ letters: Base64Groups.Letters, passesBlanks: Bool
  ) -> (bytes: [UInt8], digits: Int, unused: UInt32, end: Int) {
    let values =
      switch letters {
      case .standard: valuesOfStandard
      case .url: valuesOfURL
      case .both: valuesOfBoth
      }
    var (bits, width, digits, place): (UInt32, UInt32, Int, Int) = (0, 0, 0, 0)
    let bytes = [UInt8](capacity: text.count / 4 * 3 + 3) { bytes in
      while place < text.count {
        // Four letters at once are three bytes.
        if width == 0 {
          let read = Base64Groups.decode(text.extracting(place...), letters, to: &bytes)
          (digits, place) = (digits + read, place + read)
        }
        guard place < text.count else { break }
        let character = text[place]
        let value = values[Int(character)]
        if value < 64 {
          bits = bits << 6 | UInt32(value)
          (width, digits) = (width + 6, digits + 1)
          if width >= 8 {
            width -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> width))
          }
        } else if !(passesBlanks && character.isBlank) {
          break
        }
        place += 1
      }
    }
    return (bytes, digits, bits & (1 << width - 1), place)
  }

  private static let valuesOfStandard: [UInt8] = values(alphabet)
  private static let valuesOfURL: [UInt8] = values(alphabet.dropLast(2) + [UInt8(ascii: "-"), UInt8(ascii: "_")])

  private static let valuesOfBoth = zip(valuesOfStandard, valuesOfURL).map(min)

  private static func values(_ alphabet: [UInt8]) -> [UInt8] {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }
}
