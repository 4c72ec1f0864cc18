/// Reads the parts of a date text one after another.
package struct DateScanner {
  package private(set) var rest: ArraySlice<UInt8>

  package init(_ text: [UInt8]) { rest = text[...] }

  package var isAtEnd: Bool { rest.isEmpty }

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

  /// A day in the form `yyyy-MM-dd`, as days since 1970-01-01.
  package mutating func day() -> Int64? {
    guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2),
      (1...12).contains(month), (1...CivilTime.daysInMonth(month, of: year)).contains(day)
    else { return nil }
    return CivilTime.days(year: year, month: month, day: day)
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
