import Testing

@testable import SlipcastReports

@Suite struct ShareTests {
  @Test(arguments: [
    (0, 0, "–"), (0, 7, "0%"), (7, 7, "100%"), (1, 2, "50.00%"), (2, 3, "66.66%"), (1, 3_000_000, "under 0.01%"),
    (5, 10_000, "0.05%"), (9_871, 9_883, "99.87%"), (9_999, 10_000, "99.9900%"), (999_999, 1_000_000, "99.9999%"),
    (Int.max - 1, Int.max, "99.9999%"),
  ])
  func aShareIsCutAndNeverRoundedUp(_ part: Int, _ whole: Int, _ words: String) {
    #expect(Words.percent(part, of: whole) == words)
  }
}
