/// The two text spellings of a date in V1 bodies and receipts:
/// `2022-11-01 09:15:38 Etc/GMT` and `2022-11-01 02:15:38 America/Los_Angeles`.
///
/// The second is Pacific *wall* time with daylight saving, although Apple's pages call it "Pacific Standard Time".
/// Source: Apple, "responseBodyV1" and "unified_receipt.Latest_receipt_info"; daylight saving observed in real bodies.
@_spi(Slipcast) public enum ReceiptDate {
  /// The value of a date text.
  public enum Reading: Equatable {
    /// Seconds since 1970 UTC.
    case utc(seconds: Int64)
    /// Seconds since 1970 on a Pacific wall clock.
    case pacific(seconds: Int64)
    case malformed
  }

  /// Reads either spelling.
  @inlinable
  public static func read(_ text: JSONText) -> Reading {
    if let seconds = greenwich(text) { return .utc(seconds: seconds) }
    if let seconds = pacific(text) { return .pacific(seconds: seconds) }
    return .malformed
  }

  /// Seconds since 1970 UTC of the first spelling.
  @inlinable @inline(__always)
  public static func greenwich(_ text: JSONText) -> Int64? {
    guard text.count == 27, text.word(19) == 0x544D_472F_6374_4520 else { return nil }  // " Etc/GMT"
    return wallClock(text)
  }

  /// Seconds since 1970 on a Pacific wall clock of the second spelling.
  @inlinable @inline(__always)
  public static func pacific(_ text: JSONText) -> Int64? {
    guard text.count == 39, text.word(19) == 0x6163_6972_656D_4120,  // " America"
      text.word(27) == 0x676E_415F_736F_4C2F, text.word(31) == 0x7365_6C65_676E_415F  // "/Los_Ang", "_Angeles"
    else { return nil }
    return wallClock(text)
  }

  /// Within 1970 to 2099 every fourth year is a leap year, which saves most of the arithmetic.
  @inlinable @inline(__always)
  static func daysFrom1970To2099(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    let beforeMonth = (367 &* month &- 362) / 12 &- (month <= 2 ? 0 : year & 3 == 0 ? 1 : 2)
    return Int64(365 &* (year &- 1970) &+ (year &- 1969) >> 2 &+ beforeMonth &+ day &- 1)
  }

  /// `yyyy-MM-dd HH:mm:ss` at the start of a text of at least 19 bytes, as seconds since 1970 on that clock.
  ///
  /// Three words of eight bytes (`yyyy-MM-`, `dd HH:mm`, `HH:mm:ss`) are checked and parsed at once: less their zeros and
  /// separators every byte is a digit, or 0 for a separator. After `pairs` the byte of a tens digit holds its two-digit
  /// number.
  @inlinable @inline(__always)
  static func wallClock(_ text: JSONText) -> Int64? {
    let date = text.word(0) &- 0x2D30_302D_3030_3030
    let day = text.word(8) &- 0x3030_3A30_3020_3030
    let time = text.word(11) &- 0x3030_3A30_303A_3030
    // A byte that is too small has borrowed and is above 0x7F; one that is too large gets there with the addition.
    let wrong =
      (date | day | time) | (date &+ 0x7F76_767F_7676_7676) | (day &+ 0x7676_7F76_767F_7676)
      | (time &+ 0x7676_7F76_767F_7676)
    guard wrong & 0x8080_8080_8080_8080 == 0 else { return nil }
    let (ymd, hms) = (pairs(date), pairs(time))
    let year = Int(ymd & 0xFF) &* 100 &+ Int(ymd >> 16 & 0xFF)
    let month = Int(ymd >> 40 & 0xFF)
    let dayOfMonth = Int(pairs(day) & 0xFF)
    let (hour, minute, second) = (Int(hms & 0xFF), Int(hms >> 24 & 0xFF), Int(hms >> 48 & 0xFF))
    guard month >= 1, month <= 12, dayOfMonth >= 1,
      dayOfMonth <= 28 || dayOfMonth <= CivilTime.daysInMonth(month, of: year), hour <= 23, minute <= 59, second <= 60
    else {
      return nil
    }
    let days =
      year >= 1970 && year < 2100
      ? daysFrom1970To2099(year, month, dayOfMonth) : CivilTime.days(year: year, month: month, day: dayOfMonth)
    return days &* 86_400 &+ Int64(hour &* 3600 &+ minute &* 60 &+ second)
  }

  @inlinable @inline(__always)
  static func pairs(_ digits: UInt64) -> UInt64 { digits &* 10 &+ digits >> 8 }
}

/// Daylight saving time in the Pacific zone of the United States.
///
/// From 2007 it runs from the second Sunday of March to the first Sunday of November, 2:00 local time; before, from the
/// first Sunday of April to the last Sunday of October (rules of 1987). Both changes of every year are worked out once.
@_spi(Slipcast) public final class DaylightTime: Sendable {
  @usableFromInline let springs: [Int64]
  @usableFromInline let autumns: [Int64]

  /// The changes of 1970 to 2169.
  public init() {
    var springs: [Int64] = []
    var autumns: [Int64] = []
    for year in 1970..<2170 {
      let modern = year >= 2007
      let spring = modern ? Self.sunday(2, onOrAfter: (year, 3, 1)) : Self.sunday(1, onOrAfter: (year, 4, 1))
      let autumn = modern ? Self.sunday(1, onOrAfter: (year, 11, 1)) : Self.sunday(1, onOrAfter: (year, 10, 25))
      springs.append(spring * 86_400 + 10 * 3600)
      autumns.append(autumn * 86_400 + 9 * 3600)
    }
    self.springs = springs
    self.autumns = autumns
  }

  /// True when daylight saving time applied at an instant (seconds since 1970 UTC).
  @inlinable
  public func isObserved(at utc: Int64) -> Bool {
    // Years of 365.2425 days: around New Year the neighboring year works too, because both dates are in winter.
    let year = Int(utc / 31_556_952)
    guard utc >= 0, year < springs.count else { return false }
    return utc >= springs[year] && utc < autumns[year]
  }

  /// True when a Pacific wall clock showed `local` at the instant `utc`.
  @inlinable
  public func agrees(_ local: Int64, at utc: Int64) -> Bool {
    let offset = utc &- local
    return offset == (isObserved(at: utc) ? 7 * 3600 : 8 * 3600)
  }

  /// The instant of a Pacific wall clock; in the repeated hour of autumn the earlier reading (daylight time).
  public func seconds(ofPacific local: Int64) -> Int64 {
    isObserved(at: local + 7 * 3600) ? local + 7 * 3600 : local + 8 * 3600
  }

  /// The days since 1970 of the n-th Sunday on or after a date.
  private static func sunday(_ count: Int, onOrAfter date: (year: Int, month: Int, day: Int)) -> Int64 {
    let first = CivilTime.days(year: date.year, month: date.month, day: date.day)
    let weekday = (first + 4) % 7  // 1970-01-01 was a Thursday; 0 is Sunday
    return first + (7 - weekday) % 7 + Int64(7 * (count - 1))
  }
}
