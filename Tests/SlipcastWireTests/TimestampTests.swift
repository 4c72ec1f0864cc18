import SlipcastWire
import Testing

@Suite struct TimestampTests {
  @Test(arguments: [
    (Int64.min, ".192Z"), (.min + 1, ".193Z"), (.max, ".807Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (-1000, "1969-12-31T23:59:59Z"), (0, "1970-01-01T00:00:00Z"),
  ])
  func everyInstantCanBeSpelled(_ milliseconds: Int64, _ end: String) {
    #expect(Timestamp(milliseconds: milliseconds).description.hasSuffix(end))
  }

  static let spelled: [(milliseconds: Int64, text: String)] = [
    (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (-1000, "1969-12-31T23:59:59Z"), (1_651_399_200_000, "2022-05-01T10:00:00Z"),
    (1_709_251_199_050, "2024-02-29T23:59:59.050Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
    (-62_135_596_800_000, "0001-01-01T00:00:00Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
  ]

  @Test(arguments: spelled)
  func isSpelledInISO8601WithMillisecondsWhereThereAreAny(_ milliseconds: Int64, _ text: String) {
    #expect(Timestamp(milliseconds: milliseconds).description == text)
  }

  static let days: [(day: String, milliseconds: Int64)] = [
    ("1970-01-01", 0), ("1969-12-31", -86_400_000), ("2022-11-01", 1_667_260_800_000),
    ("2024-02-29", 1_709_164_800_000), ("2000-02-29", 951_782_400_000), ("0001-01-01", -62_135_596_800_000),
    ("9999-12-31", 253_402_214_400_000),
  ]

  @Test(arguments: days)
  func aDayBeginsAtMidnightUTC(_ day: String, _ milliseconds: Int64) {
    #expect(Timestamp(day: day)?.milliseconds == milliseconds)
    #expect(Timestamp(milliseconds: milliseconds).description == day + "T00:00:00Z")
  }

  @Test(arguments: [
    "", "2022", "2022-11", "2022-11-1", "22-11-01", "2022-13-01", "2022-00-01", "2022-01-00", "2022-01-32",
    "2022/01/01", "2022-01-01T00:00:00Z", " 2022-01-01", "2022-01-01-01", "-022-01-01", "2o22-01-01", "２０２２-01-01",
  ])
  func anotherSpellingIsNoDay(_ text: String) {
    #expect(Timestamp(day: text) == nil)
  }

  @Test(arguments: ["+022-01-01", "2022-+1-01", "2022-01-+1"])
  func aSignIsNoDigitOfADay(_ text: String) {
    #expect(Timestamp(day: text) == nil)
  }

  @Test(arguments: ["2022-02-29", "2022-02-30", "2022-04-31", "1900-02-29", "2022-11-31"])
  func aDayThatNoCalendarHasIsNone(_ text: String) {
    #expect(Timestamp(day: text) == nil)
  }

  @Test func instantsAreOrderedByTheirMilliseconds() {
    let sorted = [5, -3, 0, .max, .min].map(Timestamp.init(milliseconds:)).sorted().map(\.milliseconds)
    #expect(sorted == [.min, -3, 0, 5, .max])
  }
}
