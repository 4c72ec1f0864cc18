import SlipcastWire
import Synchronization
import Testing

@testable import SlipcastNetwork

/// When requests are sent again, and how fast.
@Suite struct RetryTests {
  @Test(arguments: [
    // UNIX milliseconds, as Apple sends them; small numbers are seconds, as in HTTP.
    ("1760000002500", 2.5), ("1759999999000", 0), ("7", 7), ("0", 0), ("1770000000000", 3600), ("99999999", 3600),
  ])
  func retryAfterIsUnixMilliseconds(_ text: String, _ seconds: Double) {
    #expect(RetryPolicy.seconds(retryAfter: text, now: 1_760_000_000_000) == seconds)
  }

  @Test(arguments: ["", "-5", "Wed, 21 Oct 2015 07:28:00 GMT", "1e9"])
  func otherTextsAreNoTime(_ text: String) { #expect(RetryPolicy.seconds(retryAfter: text, now: 0) == nil) }

  @Test func waitsDoubleAndVary() {
    let policy = RetryPolicy()
    for tries in 1...5 {
      let longest = 0.5 * Double(1 << (tries - 1))
      let waits = (0..<100).map { _ in policy.wait(after: tries) }
      #expect(waits.allSatisfy { (longest / 2...longest).contains($0) })
      #expect(Set(waits).count > 50)
    }
  }

  @Test func datesOfHeaders() {
    // RFC 9110 section 5.6.7: the example; date -u -d '1994-11-06 08:49:37' +%s
    #expect(HTTPDate.milliseconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777_000)
    for text in ["", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 31 Feb 1994 08:49:37 GMT"] {
      #expect(HTTPDate.milliseconds(text) == nil)
    }
  }

  @Test func noSecondHoldsMoreRequestsThanAllowed() async {
    let limiter = RateLimiter(rate: 100)
    let times = await withTaskGroup(of: [ContinuousClock.Instant].self) { group in
      for _ in 0..<8 {
        group.addTask {
          var times: [ContinuousClock.Instant] = []
          for _ in 0..<25 {
            times.append(await limiter.wait())
          }
          return times
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }.sorted()
    let most = times.indices.map { from in times[from...].prefix { $0 < times[from] + .seconds(1) }.count }.max()
    #expect(most ?? 0 <= 100)
  }

  /// A clock that stands still until it is set.
  private final class StandingClock: Sendable {
    private let passed = Mutex(Duration.zero)
    private let begin = ContinuousClock.now

    var now: ContinuousClock.Instant { begin + passed.withLock(\.self) }

    func advance(seconds: Double) { passed.withLock { $0 += .seconds(seconds) } }
  }

  @Test(arguments: [0, 0.001, 0.3])
  func turnsAreTakenAsEvenly(lateness: Double) {
    let clock = StandingClock()
    let limiter = RateLimiter(rate: 50, now: { clock.now })
    var times: [ContinuousClock.Instant] = []
    while times.count < 175 {
      if let seconds = limiter.takeTurn() {
        #expect(seconds > 0 && seconds < 1.1)
        clock.advance(seconds: seconds + (times.count.isMultiple(of: 40) ? lateness : 0))
      } else {
        times.append(clock.now)
      }
    }
    let most = times.indices.map { from in times[from...].prefix { $0 < times[from] + .seconds(1) }.count }.max()
    #expect(most ?? 0 <= 50)
  }

  @Test(arguments: ServerErrorCode.allCases)
  func retryableCodesAreApples(_ code: ServerErrorCode) {
    // Source: Apple, "Error codes": errors to retry; 5000000 says "try again later".
    let retryable: Set<Int64> = [4_040_002, 4_040_004, 4_040_006, 4_290_000, 5_000_000, 5_000_001]
    #expect(code.isRetryable == retryable.contains(code.rawValue))
  }

  @Test func pathsAreEscaped() {
    #expect(
      ServerEndpoint.history.path(id: "1/2?x", cursor: "a+b=") == "/inApps/v2/history/1%2F2%3Fx?revision=a%2Bb%3D")
    #expect(ServerEndpoint.statuses.path(id: "12", cursor: nil) == "/inApps/v1/subscriptions/12")
    #expect(ServerEndpoint.refunds.path(id: "12", cursor: nil) == "/inApps/v2/refund/lookup/12")
    #expect(
      ServerEndpoint.notifications.path(id: "", cursor: "t") == "/inApps/v1/notifications/history?paginationToken=t")
  }
}
