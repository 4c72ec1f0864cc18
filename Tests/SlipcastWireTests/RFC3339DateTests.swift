import SlipcastTestSupport
import SlipcastWire
import Testing

@Suite struct RFC3339DateTests {
  @Test(arguments: [
    ("2025-12-26T18:39:47Z", 1_766_774_387_000), ("2020-09-27T12:07:19.686Z", 1_601_208_439_686),
    ("2020-07-22T18:33:15+0100", 1_595_439_195_000), ("2020-07-22T18:33:15+01:00", 1_595_439_195_000),
    ("2020-07-22T12:03:15-0530", 1_595_439_195_000), ("1970-01-01T00:00:00Z", 0),
    ("1969-12-31T23:59:59.5Z", -500), ("2000-02-29T00:00:00Z", 951_782_400_000),
    ("4001-01-01T02:00:00+0200", 64_092_211_200_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ("2020-01-01T00:00:00.1Z", 1_577_836_800_100), ("2020-01-01T00:00:00.123456789Z", 1_577_836_800_123),
  ])
  func readsTheSpellingsOfReceipts(_ text: String, _ milliseconds: Int64) {
    #expect(RFC3339Date.milliseconds(Array(text.utf8)) == milliseconds)
  }

  @Test(arguments: [
    "", "Z", "2025", "2025-12-26", "2025-12-26T18:39:47", "2025-12-26 18:39:47Z", "2025-12-26t18:39:47z",
    "2025-13-26T18:39:47Z", "2025-00-26T18:39:47Z", "2025-12-32T18:39:47Z", "2025-12-00T18:39:47Z",
    "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2025-12-26T24:00:00Z", "2025-12-26T18:60:00Z",
    "2025-12-26T18:39:61Z", "2025-12-26T18:39:47.Z", "2025-12-26T18:39:47+01",
    "2025-12-26T18:39:47+2400", "2025-12-26T18:39:47+0160", "2025-12-26T18:39:47+01:0", "2025-12-26T18:39:47ZZ",
    " 2025-12-26T18:39:47Z", "2025-12-26T18:39:47Z ", "+025-12-26T18:39:47Z", "10000-01-01T00:00:00Z",
    "2025-12-26T18:39:47Z\0", "２025-12-26T18:39:47Z", "2025-1-026T18:39:47Z",
  ])
  func refusesEverythingElse(_ text: String) {
    #expect(RFC3339Date.milliseconds(Array(text.utf8)) == nil)
  }

  @Test func everyDayOfFourCenturiesComesBackAsItWasSpelled() {
    for day in stride(from: Int64(-25_567), through: 146_097, by: 61) {
      let time = Timestamp(milliseconds: day * 86_400_000 + 45_296_000)
      #expect(RFC3339Date.milliseconds(Array(time.description.utf8)) == time.milliseconds)
    }
  }

  @Test func noBytesOfADateMakeItCrash() {
    var random = SeededGenerator(seed: 3339)
    let date = Array("2020-09-27T12:07:19.686+01:00".utf8)
    for count in 0...date.count { _ = RFC3339Date.milliseconds(Array(date.prefix(count))) }
    for _ in 0..<20_000 { _ = RFC3339Date.milliseconds(random.mutated(date)) }
  }
}
