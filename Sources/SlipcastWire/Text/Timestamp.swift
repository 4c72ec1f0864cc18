/// An instant: milliseconds since 1970-01-01 00:00:00 UTC.
///
/// Both of Apple's formats count in this unit: V1 as decimal text (`purchase_date_ms`), V2 as a JSON number. `Codable`
/// writes that number, too. With Foundation, `Date(timeIntervalSince1970: Double(timestamp.milliseconds) / 1000)` is the
/// same instant.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Milliseconds since 1970-01-01 00:00:00 UTC.
  public var milliseconds: Int64

  /// Creates an instant from milliseconds since 1970 UTC.
  @inlinable
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Orders by time.
  @inlinable
  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

  /// The first instant of a UTC day in the form `yyyy-MM-dd`, or `nil` for another form.
  public init?(day: String) {
    var scanner = DateScanner(Array(day.utf8))
    guard let days = scanner.day(), scanner.isAtEnd else { return nil }
    milliseconds = days * 86_400_000
  }

  /// ISO 8601 in UTC, with milliseconds if there are any: `2022-05-01T10:00:00Z`.
  public var description: String {
    let second = milliseconds.floorDivided(by: 1000)
    // Not by multiplying back: the first instant of all would overflow.
    let rest = milliseconds % 1000
    let fraction = rest < 0 ? rest + 1000 : rest
    let time = CivilTime(secondsSince1970: second)
    let pad = { (value: Int, width: Int) in String(repeating: "0", count: max(0, width - "\(value)".count)) + "\(value)"
    }
    let date = "\(pad(time.year, 4))-\(pad(time.month, 2))-\(pad(time.day, 2))"
    let clock = "\(pad(time.hour, 2)):\(pad(time.minute, 2)):\(pad(time.second, 2))"
    return "\(date)T\(clock)\(fraction == 0 ? "" : "." + pad(Int(fraction), 3))Z"
  }
}

extension Timestamp: Codable {
  /// Reads milliseconds since 1970 UTC.
  ///
  /// - Throws: the errors of the decoder.
  public init(from decoder: any Decoder) throws {
    self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
  }

  /// Writes milliseconds since 1970 UTC.
  ///
  /// - Throws: the errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }
}

extension Int64 {
  /// The quotient, rounded towards the past.
  @usableFromInline
  package func floorDivided(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
