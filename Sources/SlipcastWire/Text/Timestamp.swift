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
    let writer = JSONWriter(capacity: 32)
    write(to: writer)
    return writer.string
  }

  /// Appends the same text.
  package func write(to writer: JSONWriter) {
    let second = milliseconds.floorDivided(by: 1000)
    // Not by multiplying back: the first instant of all would overflow.
    let rest = milliseconds % 1000
    let fraction = rest < 0 ? rest + 1000 : rest
    let time = CivilTime(secondsSince1970: second)
    func pad(_ value: Int, _ width: Int, after sign: UInt8? = nil) {
      if let sign { writer.byte(sign) }
      var (digits, limit): (Int, UInt) = (value < 0 ? 2 : 1, 10)
      while digits < width, value.magnitude >= limit { (digits, limit) = (digits + 1, limit * 10) }
      for _ in 0..<max(0, width - digits) { writer.byte(UInt8(ascii: "0")) }
      writer.integer(Int64(value))
    }
    pad(time.year, 4)
    for value in [time.month, time.day] { pad(value, 2, after: UInt8(ascii: "-")) }
    pad(time.hour, 2, after: UInt8(ascii: "T"))
    for value in [time.minute, time.second] { pad(value, 2, after: UInt8(ascii: ":")) }
    if fraction != 0 { pad(Int(fraction), 3, after: UInt8(ascii: ".")) }
    writer.byte(UInt8(ascii: "Z"))
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
