// Unsafe on purpose: the text is read where it is, by indices below its end.

/// The members of an object or the items of an array in sound JSON text, one after another.
///
/// It needs no memory for the values: a line that `inspect` shows may be far longer than a record.
struct JSONPieces: Sequence, IteratorProtocol {
  /// A member or an item.
  struct Piece {
    /// The name with its quotes; `nil` in an array.
    var name: UnsafeBufferPointer<UInt8>?
    /// The value as it is in the text.
    var value: UnsafeBufferPointer<UInt8>
  }

  let isArray: Bool
  private let text: UnsafeBufferPointer<UInt8>
  private var at = 1

  /// - Parameter text: a whole value; `nil` is returned for one that contains no others.
  init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard let first = text.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
    (self.text, isArray) = (text, first == UInt8(ascii: "["))
  }

  mutating func next() -> Piece? {
    skip(" \t\r\n,")
    guard at < text.count - 1 else { return nil }
    guard !isArray else { return Piece(value: take()) }
    let name = take()
    skip(" \t\r\n:")
    return Piece(name: name, value: take())
  }

  private mutating func skip(_ signs: StaticString) {
    while at < text.count, contains(signs, text[at]) { at += 1 }
  }

  private func contains(_ signs: StaticString, _ byte: UInt8) -> Bool {
    (0..<signs.utf8CodeUnitCount).contains { signs.utf8Start[$0] == byte }
  }

  /// The value that starts here.
  private mutating func take() -> UnsafeBufferPointer<UInt8> {
    let start = at
    var depth = 0
    repeat {
      guard at < text.count else { break }
      switch text[at] {
      case UInt8(ascii: "\""): skipString()
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
    return UnsafeBufferPointer(rebasing: text[start..<Swift.min(at, text.count)])
  }

  private mutating func skipString() {
    at += 1
    while at < text.count, text[at] != UInt8(ascii: "\"") { at += text[at] == UInt8(ascii: "\\") ? 2 : 1 }
    at += 1
  }
}
