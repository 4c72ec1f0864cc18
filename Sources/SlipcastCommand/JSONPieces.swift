internal import SlipcastWire

/// The members of an object or the items of an array in sound JSON text, one after another.
///
/// It needs no memory for the values: a line that `inspect` shows may be far longer than a record.
struct JSONPieces {
  /// A member or an item: ranges of the text.
  struct Piece {
    /// The name with its quotes; `nil` in an array.
    var name: Range<Int>?
    var value: Range<Int>
  }

  let isArray: Bool
  private var at = 1

  /// - Parameter text: a whole value; `nil` is returned for one that contains no others.
  init?(_ text: Span<UInt8>) {
    guard let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
    isArray = first == UInt8(ascii: "[")
  }

  /// The next member or item of the same text.
  mutating func next(in text: Span<UInt8>) -> Piece? {
    skip(" \t\r\n,", in: text)
    guard at < text.count - 1 else { return nil }
    guard !isArray else { return Piece(value: take(text)) }
    let name = take(text)
    skip(" \t\r\n:", in: text)
    return Piece(name: name, value: take(text))
  }

  private mutating func skip(_ signs: StaticString, in text: Span<UInt8>) {
    while at < text.count, contains(signs, text[at]) { at += 1 }
  }

  private func contains(_ signs: StaticString, _ byte: UInt8) -> Bool {
    (0..<signs.utf8CodeUnitCount).contains { signs.utf8Start[$0] == byte }
  }

  private mutating func take(_ text: Span<UInt8>) -> Range<Int> {
    let start = at
    var depth = 0
    repeat {
      guard at < text.count else { break }
      switch text[at] {
      case UInt8(ascii: "\""): skipString(text)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        at += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        at += 1
      default:
        // A number or a word, or what separates values of this one.
        repeat { at += 1 } while at < text.count && !contains(" \t\r\n,:{}[]\"", text[at])
      }
    } while depth > 0
    return start..<max(start, min(at, text.count))
  }

  private mutating func skipString(_ text: Span<UInt8>) {
    at += 1
    while at < text.count, text[at] != UInt8(ascii: "\"") { at += text[at] == UInt8(ascii: "\\") ? 2 : 1 }
    at += 1
  }
}
