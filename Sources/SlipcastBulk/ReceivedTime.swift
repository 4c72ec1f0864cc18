@_spi(Slipcast) internal import SlipcastWire

/// Reads the time at which a row says it was received.
///
/// Numbers (or digits in a string) from 10^11 on are milliseconds since 1970 UTC, smaller ones seconds, with a fraction
/// or not. Text is ISO 8601 or PostgreSQL's spelling: `2022-05-01T10:00:00Z`, `2022-05-01 12:00:00.25+02`. A text
/// without a zone is UTC.
package enum ReceivedTime {
  /// The time that a text tells; `nil` for any other text.
  package static func milliseconds(_ text: String) -> Int64? { number(text) ?? date(Array(text.utf8)) }

  static func milliseconds(_ tape: JSONTape, _ index: Int) -> Int64? {
    let kind = tape[index].kind
    guard kind == .string || kind == .number else { return nil }
    let text = tape.text(index).string
    return kind == .string ? milliseconds(text) : number(text)
  }

  private static func number(_ text: String) -> Int64? {
    guard isNumber(Array(text.utf8)) else { return nil }
    if let whole = Int64(text) {
      if whole.magnitude < 100_000_000_000 { return whole * 1000 }
      return whole < 253_402_300_800_000 && whole > 0 ? whole : nil
    }
    guard let real = Double(text), real < 253_402_300_800_000 else { return nil }
    if real.magnitude < 100_000_000_000 { return Int64((real * 1000).rounded()) }
    return real > 0 ? Int64(real) : nil
  }

  /// Digits, and what JSON allows around them; no plus sign before them, no hexadecimal, no words.
  private static func isNumber(_ text: [UInt8]) -> Bool {
    guard let first = text.first, first == UInt8(ascii: "-") || (48...57).contains(first) else { return false }
    return text.dropFirst().allSatisfy { (48...57).contains($0) || Array(".eE+-".utf8).contains($0) }
  }

  private static func date(_ text: [UInt8]) -> Int64? {
    var cursor = Cursor(text: text)
    guard let year = cursor.digits(4), cursor.skip("-"), let month = cursor.digits(2), cursor.skip("-"),
      let day = cursor.digits(2), (1...12).contains(month), (1...CivilTime.daysInMonth(month, of: year)).contains(day)
    else { return nil }
    var time = CivilTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
    var fraction: Int64 = 0
    var offset: Int64 = 0
    if cursor.skip("T") || cursor.skip("t") || cursor.skip(" ") {
      guard let hour = cursor.digits(2), cursor.skip(":"), let minute = cursor.digits(2), hour < 24, minute < 60 else {
        return nil
      }
      (time.hour, time.minute) = (hour, minute)
      if cursor.skip(":") {
        guard let second = cursor.digits(2), second <= 60 else { return nil }
        time.second = second
        if cursor.skip(".") || cursor.skip(",") {
          guard let value = cursor.fraction() else { return nil }
          fraction = value
        }
      }
      guard let zone = cursor.zone() else { return nil }
      offset = zone
    }
    return cursor.isAtEnd ? (time.secondsSince1970 - offset) * 1000 + fraction : nil
  }

  private struct Cursor {
    let text: [UInt8]
    var at = 0
    var isAtEnd: Bool { at == text.count }

    init(text: [UInt8]) { self.text = text }

    mutating func skip(_ character: Character) -> Bool {
      guard at < text.count, text[at] == character.asciiValue else { return false }
      at += 1
      return true
    }

    mutating func digits(_ count: Int) -> Int? {
      guard at + count <= text.count else { return nil }
      var value = 0
      for byte in text[at..<at + count] {
        guard byte >= 48, byte <= 57 else { return nil }
        value = value * 10 + Int(byte - 48)
      }
      at += count
      return value
    }

    /// Digits behind the point as milliseconds; further ones are cut off.
    mutating func fraction() -> Int64? {
      var value: Int64 = 0
      var count = 0
      while at < text.count, text[at] >= 48, text[at] <= 57 {
        if count < 3 { value = value * 10 + Int64(text[at] - 48) }
        count += 1
        at += 1
      }
      guard count > 0 else { return nil }
      while count < 3 {
        value *= 10
        count += 1
      }
      return value
    }

    /// Seconds east of UTC; no zone counts as UTC.
    mutating func zone() -> Int64? {
      _ = skip(" ")
      if isAtEnd || skip("Z") || skip("z") { return 0 }
      if Array(text[at...]) == Array("UTC".utf8) || Array(text[at...]) == Array("Etc/GMT".utf8) {
        at = text.count
        return 0
      }
      let sign: Int64 = skip("-") ? -1 : skip("+") ? 1 : 0
      guard sign != 0, let hours = digits(2), hours <= 18 else { return nil }
      _ = skip(":")
      let minutes = isAtEnd ? 0 : digits(2)
      guard let minutes, minutes < 60 else { return nil }
      return sign * Int64(hours * 3600 + minutes * 60)
    }
  }
}
