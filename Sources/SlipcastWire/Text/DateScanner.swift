/// Reads the parts of a date text one after another.
package struct DateScanner {
  /// The text from the current position on.
  package private(set) var rest: ArraySlice<UInt8>

  /// Starts at the beginning of a text.
  package init(_ text: [UInt8]) { rest = text[...] }

  /// True at the end of the text.
  package var isAtEnd: Bool { rest.isEmpty }

  /// Skips a character, if it is next.
  package mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Skips a word, if it is the whole remaining text.
  package mutating func takeLast(_ word: StaticString) -> Bool {
    let isLast = word.withUTF8Buffer { $0.elementsEqual(rest) }
    if isLast { rest.removeAll() }
    return isLast
  }

  /// A number with an exact number of digits.
  package mutating func digits(_ count: Int) -> Int? {
    guard rest.count >= count else { return nil }
    var value = 0
    for byte in rest.prefix(count) {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    rest.removeFirst(count)
    return value
  }

  /// The digits after the decimal point of a second, as milliseconds; further digits are dropped.
  package mutating func fraction() -> Int? {
    var (value, places) = (0, 0)
    while let digit = digits(1) {
      if places < 3 { value = value * 10 + digit }
      places += 1
    }
    guard places > 0 else { return nil }
    for _ in min(places, 3)..<3 { value *= 10 }
    return value
  }
}
