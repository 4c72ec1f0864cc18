/// The two text spellings of a date in V1 bodies and receipts:
/// `2022-11-01 09:15:38 Etc/GMT` and `2022-11-01 02:15:38 America/Los_Angeles`.
///
/// The second is Pacific *wall* time with daylight saving, although Apple's pages call it "Pacific Standard Time".
/// Source: Apple, "responseBodyV1" and "unified_receipt.Latest_receipt_info"; daylight saving observed in real bodies.
@_spi(Slipcast) public enum ReceiptDate {
  /// What a date text says.
  public enum Reading: Equatable {
    /// Seconds since 1970 UTC.
    case utc(seconds: Int64)
    /// Seconds since 1970 on a Pacific wall clock.
    case pacific(seconds: Int64)
    case malformed
  }

  @inlinable
  public static func read(_ text: JSONText) -> Reading {
    guard text.count > 19, let local = wallClock(text.base) else { return .malformed }
    if text.count == 27, ends(text, with: " Etc/GMT") { return .utc(seconds: local) }
    if text.count == 39, ends(text, with: " America/Los_Angeles") { return .pacific(seconds: local) }
    return .malformed
  }

  @inlinable
  static func ends(_ text: JSONText, with zone: StaticString) -> Bool {
    let length = zone.utf8CodeUnitCount
    var same: UInt8 = 0
    for index in 0..<length { same |= text.base[text.count - length + index] ^ zone.utf8Start[index] }
    return same == 0
  }

  /// `yyyy-MM-dd HH:mm:ss` as seconds since 1970 on that clock.
  @inlinable
  static func wallClock(_ text: UnsafePointer<UInt8>) -> Int64? {
    guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[10] == UInt8(ascii: " "),
      text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":")
    else { return nil }
    var bad = false
    @inline(__always) func two(_ at: Int) -> Int {
      let tens = Int(text[at]) &- 48
      let ones = Int(text[at + 1]) &- 48
      bad = bad || UInt(bitPattern: tens) > 9 || UInt(bitPattern: ones) > 9
      return tens &* 10 &+ ones
    }
    let year = two(0) &* 100 &+ two(2)
    let month = two(5)
    let day = two(8)
    let hour = two(11)
    let minute = two(14)
    let second = two(17)
    guard !bad, month >= 1, month <= 12, day >= 1, day <= 31, hour <= 24, minute <= 59, second <= 60 else { return nil }
    return CivilTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second).secondsSince1970
  }

  /// The instant of a Pacific wall clock.
  ///
  /// In the repeated hour of autumn the earlier reading (daylight time) is taken.
  public static func seconds(ofPacific local: Int64) -> Int64 {
    var rule = DaylightTime()
    return rule.isObserved(at: local + 7 * 3600) ? local + 7 * 3600 : local + 8 * 3600
  }
}

/// Daylight saving time in the Pacific zone of the United States.
///
/// From 2007 it runs from the second Sunday of March to the first Sunday of November, 2:00 local time; before, from the
/// first Sunday of April to the last Sunday of October (rules of 1987). The dates of one year are remembered, because
/// a record's dates lie close together.
@_spi(Slipcast) public struct DaylightTime {
  @usableFromInline var from: Int64 = 0
  @usableFromInline var spring: Int64 = 0
  @usableFromInline var autumn: Int64 = 0
  @usableFromInline var until: Int64 = 0

  public init() {}

  /// True when clocks stood one hour ahead at an instant (seconds since 1970 UTC).
  @inlinable
  public mutating func isObserved(at utc: Int64) -> Bool {
    if utc < from || utc >= until { turn(to: utc) }
    return utc >= spring && utc < autumn
  }

  /// True when a Pacific wall clock showed `local` at the instant `utc`.
  @inlinable
  public mutating func agrees(_ local: Int64, at utc: Int64) -> Bool {
    let offset = utc &- local
    return offset == (isObserved(at: utc) ? 7 * 3600 : 8 * 3600)
  }

  @usableFromInline
  mutating func turn(to utc: Int64) {
    let year = CivilTime(secondsSince1970: utc).year
    from = CivilTime.days(year: year, month: 1, day: 1) * 86_400
    until = CivilTime.days(year: year + 1, month: 1, day: 1) * 86_400
    let modern = year >= 2007
    spring = (modern ? Self.sunday(2, year, 3, 1) : Self.sunday(1, year, 4, 1)) * 86_400 + 10 * 3600
    autumn = (modern ? Self.sunday(1, year, 11, 1) : Self.sunday(1, year, 10, 25)) * 86_400 + 9 * 3600
  }

  /// The days since 1970 of the n-th Sunday on or after a date.
  private static func sunday(_ count: Int, _ year: Int, _ month: Int, _ day: Int) -> Int64 {
    let first = CivilTime.days(year: year, month: month, day: day)
    let weekday = ((first + 4) % 7 + 7) % 7  // 1970-01-01 was a Thursday; 0 is Sunday
    return first + (7 - weekday) % 7 + Int64(7 * (count - 1))
  }
}
