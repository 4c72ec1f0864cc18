/// Dates in app receipts: RFC 3339, and Xcode's variant of it.
///
/// Observed forms: `2025-12-26T18:39:47Z`, with a fraction (`…:19.686Z`, autumn 2020), with an offset without a colon
/// (`…+0100`, Xcode) or with one.
package enum RFC3339Date {
  /// Milliseconds since 1970 UTC, finer fractions cut; `nil` for any other text.
  package static func milliseconds(_ text: [UInt8]) -> Int64? {
    var scanner = DateScanner(text)
    guard let days = scanner.day(), scanner.take("T"), let hour = scanner.digits(2), scanner.take(":"),
      let minute = scanner.digits(2), scanner.take(":"), let second = scanner.digits(2), hour < 24, minute < 60,
      second <= 60, let fraction = scanner.take(".") ? scanner.fraction() : 0, let offset = offset(&scanner),
      scanner.isAtEnd
    else { return nil }
    let seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
    return seconds * 1000 + Int64(fraction)
  }

  /// Seconds that the clock is ahead of UTC.
  private static func offset(_ scanner: inout DateScanner) -> Int? {
    if scanner.take("Z") { return 0 }
    let sign = scanner.take("+") ? 1 : scanner.take("-") ? -1 : 0
    guard sign != 0, let hours = scanner.digits(2), hours < 24 else { return nil }
    _ = scanner.take(":")
    guard let minutes = scanner.digits(2), minutes < 60 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }
}
