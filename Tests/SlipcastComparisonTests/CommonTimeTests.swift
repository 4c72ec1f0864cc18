import SlipcastMapping
import SlipcastTestSupport
import Testing

@testable import SlipcastComparison

/// Which events near the ends of the time that two archives cover must have a counterpart.
@Suite struct CommonTimeTests {
  private static let hour: Int64 = 3_600_000

  /// The common time of two archives in hours, a margin of 25 h, and which of the hours count.
  @Test(arguments: [
    (0...1000, 0...1000, false, 25...975), (0...1000, 300...2000, false, 325...975),
    (0...1000, 300...2000, true, 25...1975), (0...40, 10...60, false, 10...40), (0...10, 20...60, false, 10...20),
  ])
  func eventsNearAnEndOfTheCommonTimeDoNotCount(
    _ one: ClosedRange<Int64>, _ two: ClosedRange<Int64>, _ isSameSpan: Bool, _ expected: ClosedRange<Int64>
  ) {
    func time(_ hours: ClosedRange<Int64>) -> ClosedRange<Int64> {
      hours.lowerBound * Self.hour...hours.upperBound * Self.hour
    }
    let common = CommonTime(
      time(one), time(two), tolerance: 24 * Self.hour, margin: 25 * Self.hour, isSameSpan: isSameSpan)
    #expect(common.counted == .within(time(expected)))
    let (first, last) = (expected.lowerBound * Self.hour, expected.upperBound * Self.hour)
    #expect(common.counts(first...last) && !common.counts(first - 1...last) && !common.counts(first...last + 1))
    #expect(!common.counts(nil))
  }

  /// The edge of `decision.window.margin`, which is the same in the Sandbox.
  @Test(arguments: [(Int64(-1), false), (0, true), (1, true)])
  func anEventSoFarFromTheEndCounts(_ seconds: Int64, _ counts: Bool) throws {
    let margin = BuiltIn.rules.window(.margin)
    #expect(margin.milliseconds == margin.sandbox)
    let year = 0...365 * 24 * Self.hour
    let common = CommonTime(year, year, tolerance: 0, margin: margin.milliseconds)
    for time in [margin.milliseconds + seconds * 1000, year.upperBound - margin.milliseconds - seconds * 1000] {
      #expect(common.counts(time...time) == counts)
    }
  }

  @Test func archivesWithoutDatesCountAsAWhole() {
    let common = CommonTime(nil, 0...1, tolerance: 0, margin: 25 * Self.hour)
    #expect(common.counts(nil) && common.counts(5...5) && common.end == nil)
  }
}
