import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

@Suite struct ReceivedTimeTests {
  private func read(_ json: String) throws -> Int64? {
    let read = try ReadText("[\(json)]")
    return ReceivedTime.milliseconds(read.tape, 1)
  }

  static let numbers: [(json: String, milliseconds: Int64)] = [
    ("1651399200000", 1_651_399_200_000), ("1651399200", 1_651_399_200_000), ("1651399200.25", 1_651_399_200_250),
    ("1651399200.9999", 1_651_399_201_000), ("1.6513992e9", 1_651_399_200_000), ("0", 0),
    ("99999999999", 99_999_999_999_000), ("100000000000", 100_000_000_000), ("253402300799999", 253_402_300_799_999),
    ("1651399200123.5", 1_651_399_200_123),
  ]

  @Test(arguments: numbers.dropLast())
  func aNumberCountsSecondsOrMilliseconds(_ json: String, _ milliseconds: Int64) throws {
    #expect(try read(json) == milliseconds)
    #expect(try read("\"\(json)\"") == milliseconds)
  }

  @Test func millisecondsMayHaveAFraction() throws {
    let read = try read("1651399200123.5")
    #expect(read == 1_651_399_200_123 || read == 1_651_399_200_124)
  }

  static let texts: [(text: String, milliseconds: Int64)] = [
    ("2022-05-01T10:00:00Z", 1_651_399_200_000), ("2022-05-01t10:00:00z", 1_651_399_200_000),
    ("2022-05-01T10:00:00", 1_651_399_200_000), ("2022-05-01 10:00:00", 1_651_399_200_000),
    ("2022-05-01T10:00Z", 1_651_399_200_000), ("2022-05-01", 1_651_363_200_000),
    ("2022-05-01T12:00:00+02:00", 1_651_399_200_000), ("2022-05-01T12:00:00+0200", 1_651_399_200_000),
    ("2022-05-01 12:00:00+02", 1_651_399_200_000), ("2022-05-01T03:00:00-07:00", 1_651_399_200_000),
    ("2022-05-01 15:30:00+05:30", 1_651_399_200_000), ("2022-05-01T10:00:00.25Z", 1_651_399_200_250),
    ("2022-05-01 12:00:00.25+02", 1_651_399_200_250), ("2022-05-01T10:00:00,007Z", 1_651_399_200_007),
    ("2022-05-01T10:00:00.123456789Z", 1_651_399_200_123), ("2022-05-01 10:00:00 UTC", 1_651_399_200_000),
    ("2022-05-01 10:00:00 Etc/GMT", 1_651_399_200_000), ("2022-05-01 10:00:00 +00:00", 1_651_399_200_000),
    ("2024-02-29T00:00:00Z", 1_709_164_800_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000),
    ("1969-12-31T23:59:59.5Z", -500), ("0001-01-01T00:00:00Z", -62_135_596_800_000),
    ("9999-12-31T23:59:59Z", 253_402_300_799_000),
  ]

  @Test(arguments: texts)
  func aTextIsISO8601OrAsDatabasesSpellIt(_ text: String, _ milliseconds: Int64) throws {
    #expect(try read("\"\(text)\"") == milliseconds)
  }

  @Test(arguments: [
    "", " ", "soon", "2022-05", "22-05-01", "2022-5-1", "2022-13-01", "2022-00-01", "2022-05-00", "2022-05-32",
    "2022-05-01T", "2022-05-01T10", "2022-05-01T10:", "2022-05-01T24:00:00Z", "2022-05-01T10:60:00Z",
    "2022-05-01T10:00:61Z", "2022-05-01T10:00:00.Z", "2022-05-01T10:00:00+", "2022-05-01T10:00:00+2",
    "2022-05-01T10:00:00+02:6", "2022-05-01T10:00:00+02:60", "2022-05-01T10:00:00+19", "2022-05-01T10:00:00 PST",
    "2022-05-01T10:00:00Zx", "2022-05-01T10:00:00Z ", " 2022-05-01T10:00:00Z", "Sun, 01 May 2022 10:00:00 GMT",
    "05/01/2022", "nan", "inf", "-inf", "infinity", "1e400", "253402300800000", "9223372036854775807",
    "99999999999999999999", "-100000000000000",
  ])
  func anythingElseIsNoTime(_ text: String) throws {
    #expect(try read("\"\(text)\"") == nil)
  }

  @Test(arguments: ["2022-02-29T00:00:00Z", "2022-02-30", "2022-04-31 10:00:00"])
  func aDayThatNoCalendarHasIsNoTime(_ text: String) throws {
    #expect(try read("\"\(text)\"") == nil)
  }

  @Test(arguments: ["0x10", "+1651399200", "1_000", "0x1p3", "1651399200 "])
  func onlyNumbersAsJSONSpellsThemAreNumbers(_ text: String) throws {
    #expect(try read("\"\(text)\"") == nil)
  }

  @Test(arguments: ["null", "true", "[]", "{}", "[1651399200]", "-1e400", "1e300"])
  func anotherKindOfValueIsNoTime(_ json: String) throws {
    #expect(try read(json) == nil)
  }
}
