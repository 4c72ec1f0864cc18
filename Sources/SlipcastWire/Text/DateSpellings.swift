/// Writes a date as Apple's V1 answers do: as text in UTC, in milliseconds, and as text on a Pacific wall clock.
///
/// The third spelling has daylight saving time, although its key ends in `_pst`.
package struct DateSpellings: Sendable {
  private let daylight = DaylightTime()

  package init() {}

  /// The years that both texts can hold: four digits, and whole years on either clock.
  package static let milliseconds: ClosedRange<Int64> = 0...253_402_200_000_000

  /// The three members, in Apple's order: `KEY`, `KEY_ms`, `KEY_pst`.
  ///
  /// - Returns: false, with nothing written, for an instant that has no such text.
  package func write(_ time: Int64, as key: String, to writer: JSONWriter) -> Bool {
    guard Self.milliseconds.contains(time) else { return false }
    writer.member(key, greenwich(time))
    writer.member("\(key)_ms", "\(time)")
    writer.member("\(key)_pst", pacific(time))
    return true
  }

  /// `2022-11-01 09:15:38 Etc/GMT`.
  package func greenwich(_ time: Int64) -> String { Self.text(time / 1000) + " Etc/GMT" }

  /// `2022-11-01 02:15:38 America/Los_Angeles`.
  package func pacific(_ time: Int64) -> String {
    let second = time / 1000
    return Self.text(second - (daylight.isObserved(at: second) ? 7 : 8) * 3600) + " America/Los_Angeles"
  }

  private static func text(_ second: Int64) -> String {
    let clock = CivilTime(secondsSince1970: second)
    func pad(_ value: Int, _ width: Int = 2) -> String {
      let digits = "\(value)"
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(pad(clock.year, 4))-\(pad(clock.month))-\(pad(clock.day)) "
      + "\(pad(clock.hour)):\(pad(clock.minute)):\(pad(clock.second))"
  }
}
