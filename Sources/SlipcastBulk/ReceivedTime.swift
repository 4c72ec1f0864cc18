@_spi(Slipcast) internal import SlipcastWire

/// Reads the received time of a row.
///
/// Numbers (or digits in a string) from 10^11 on are milliseconds since 1970 UTC, smaller ones seconds, with or without
/// a fraction. Text is ISO 8601 or PostgreSQL's format: `2022-05-01T10:00:00Z`, `2022-05-01 12:00:00.25+02`. A text
/// without a zone is UTC.
package enum ReceivedTime {
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

  /// Digits, and what JSON allows around them; no leading plus sign, no hexadecimal, no words.
  private static func isNumber(_ text: [UInt8]) -> Bool {
    guard let first = text.first, first == UInt8(ascii: "-") || (48...57).contains(first) else { return false }
    return text.dropFirst().allSatisfy { (48...57).contains($0) || Array(".eE+-".utf8).contains($0) }
  }

  private static func date(_ text: [UInt8]) -> Int64? {
    var scanner = DateScanner(text)
    guard let days = scanner.day() else { return nil }
    var seconds = days * 86_400
    var fraction: Int64 = 0
    if scanner.take("T") || scanner.take("t") || scanner.take(" ") {
      guard let hour = scanner.digits(2), scanner.take(":"), let minute = scanner.digits(2), hour < 24, minute < 60
      else {
        return nil
      }
      seconds += Int64(hour * 3600 + minute * 60)
      if scanner.take(":") {
        guard let second = scanner.digits(2), second <= 60 else { return nil }
        seconds += Int64(second)
        if scanner.take(".") || scanner.take(",") {
          guard let value = scanner.fraction() else { return nil }
          fraction = Int64(value)
        }
      }
      guard let zone = zone(&scanner) else { return nil }
      seconds -= zone
    }
    return scanner.isAtEnd ? seconds * 1000 + fraction : nil
  }

  /// Seconds east of UTC; a missing zone means UTC.
  private static func zone(_ scanner: inout DateScanner) -> Int64? {
    _ = scanner.take(" ")
    if scanner.isAtEnd || scanner.take("Z") || scanner.take("z") { return 0 }
    if scanner.takeLast("UTC") || scanner.takeLast("Etc/GMT") { return 0 }
    let sign: Int64 = scanner.take("-") ? -1 : scanner.take("+") ? 1 : 0
    guard sign != 0, let hours = scanner.digits(2), hours <= 18 else { return nil }
    _ = scanner.take(":")
    let minutes = scanner.isAtEnd ? 0 : scanner.digits(2)
    guard let minutes, minutes < 60 else { return nil }
    return sign * Int64(hours * 3600 + minutes * 60)
  }
}
