/// Dates as app receipts have them: RFC 3339, and what Xcode makes of it.
///
/// Forms met: `2025-12-26T18:39:47Z`, with a fraction (`…:19.686Z`, autumn 2020), with an offset without a colon
/// (`…+0100`, Xcode) or with one.
package enum RFC3339Date {
  /// Milliseconds since 1970 UTC, finer fractions cut; `nil` for any other text.
  package static func milliseconds(_ text: [UInt8]) -> Int64? {
    var scanner = Scanner(text: text)
    guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2), scanner.take("-"),
      let day = scanner.digits(2), scanner.take("T"), let hour = scanner.digits(2), scanner.take(":"),
      let minute = scanner.digits(2), scanner.take(":"), let second = scanner.digits(2),
      (1...12).contains(month), day >= 1, day <= CivilTime.daysInMonth(month, of: year), hour < 24, minute < 60,
      second <= 60, let fraction = scanner.fraction(), let offset = scanner.offset(), scanner.isAtEnd
    else { return nil }
    let days = CivilTime.days(year: year, month: month, day: day)
    let seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
    return seconds * 1000 + Int64(fraction)
  }

  private struct Scanner {
    let text: [UInt8]
    var at = 0

    var isAtEnd: Bool { at == text.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard at < text.count, text[at] == UInt8(ascii: character) else { return false }
      at += 1
      return true
    }

    mutating func digits(_ count: Int) -> Int? {
      guard at + count <= text.count else { return nil }
      var value = 0
      for byte in text[at..<at + count] {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      at += count
      return value
    }

    /// Milliseconds of a fraction of a second; 0 when there is none.
    mutating func fraction() -> Int? {
      guard take(".") else { return 0 }
      var (value, places) = (0, 0)
      while let digit = digits(1) {
        if places < 3 { value = value * 10 + digit }
        places += 1
      }
      guard places > 0, places < 10 else { return nil }
      for _ in min(places, 3)..<3 { value *= 10 }
      return value
    }

    /// Seconds that the clock is ahead of UTC.
    mutating func offset() -> Int? {
      if take("Z") { return 0 }
      let sign = take("+") ? 1 : take("-") ? -1 : 0
      guard sign != 0, let hours = digits(2), hours < 24 else { return nil }
      _ = take(":")
      guard let minutes = digits(2), minutes < 60 else { return nil }
      return sign * (hours * 3600 + minutes * 60)
    }
  }
}
