internal import SlipcastBulk
import SlipcastSystem

/// The time by the system's clock when the clock was made, plus the time since: setting the system's clock moves nothing.
struct SteadyClock: Sendable {
  private let wall: Int64
  private let start: Double
  private let steady: @Sendable () -> Double

  /// - Parameters:
  ///   - wall: the system's clock, in milliseconds since 1970 UTC.
  ///   - steady: seconds since any time; never set.
  init(wall: Int64 = Platform.milliseconds(), steady: @escaping @Sendable () -> Double = { Platform.seconds() }) {
    (self.wall, self.steady, start) = (wall, steady, steady())
  }

  /// Milliseconds since 1970 UTC.
  var milliseconds: Int64 { wall + Int64((steady() - start) * 1000) }

  /// Seconds since 1970 UTC.
  var seconds: Int64 { milliseconds / 1000 }
}
