/// When a request is sent again.
package struct RetryPolicy: Sendable {
  /// The most tries.
  package var tries = 6
  /// The time in which they happen, in seconds.
  package var within = 60.0
  /// The longest wait before the second try; each further one is twice as long.
  package var firstWait = 0.5
  /// How often the server may ask a request to wait (429).
  package var waits = 60

  package init() {}

  /// The wait after a number of failed tries, in seconds: half of it is random, so that clients do not come back at the
  /// same moment.
  package func wait(after tries: Int) -> Double {
    firstWait * Double(1 << min(tries - 1, 16)) * Double.random(in: 0.5...1)
  }

  /// The seconds to wait that a header `Retry-After` asks for.
  ///
  /// Apple sends UNIX milliseconds; small numbers are seconds, as in HTTP.
  package static func seconds(retryAfter text: String, now milliseconds: Int64) -> Double? {
    guard let value = Int64(text), value >= 0 else { return nil }
    let seconds = value < 1_000_000_000 ? Double(value) : Double(value - milliseconds) / 1000
    // Apple counts by the hour.
    return min(max(seconds, 0), 3600)
  }
}
