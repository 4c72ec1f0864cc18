internal import SlipcastLibC

/// Time: the system's clock, which may be set, and one that never goes back.
extension Platform {
  /// Seconds of a clock that never goes back.
  package static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The time of the system's clock, in milliseconds since 1970 UTC.
  package static func milliseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }

  /// Waits without using a processor.
  package static func pause(_ seconds: Double) { poll(nil, 0, Int32(max(0, seconds) * 1000)) }
}
