import SlipcastSystem
import SlipcastWire

/// The time at which a report says that it was made.
enum ReportClock {
  /// Now; or the time that `SOURCE_DATE_EPOCH` sets, in seconds since 1970 UTC, for reports that must be the same bytes.
  static var milliseconds: Int64 {
    let given = Platform.environment("SOURCE_DATE_EPOCH").flatMap(Int64.init)
    return given.flatMap { (0...253_402_300_799).contains($0) ? $0 * 1000 : nil } ?? Timestamp.now.milliseconds / 1000
      * 1000
  }
}
