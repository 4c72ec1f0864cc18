import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

/// `receivedAt:` of a caller, who may have a value that is not a date.
@Suite struct ReceivedTimeTests {
  static let times = [Int64.max, .min, 8_900_000_000_000_000_000, 253_402_300_800_000, -253_402_300_800_000]

  @Test(arguments: times)
  func aTimeThatIsNoDateIsAFindingAndNoCrash(_ milliseconds: Int64) throws {
    let converter = Shared.converter
    for fixture in Fixture.cases("notifications") {
      let body = try fixture.bytes("v1.json")
      // Rows around a record are not records.
      guard let conversion = try? converter.convert(body, receivedAt: Timestamp(milliseconds: milliseconds)) else {
        continue
      }
      #expect(conversion.findings.contains { $0.code == "receivedTimeUnreadable" }, "\(fixture)")
      #expect(conversion.notification?.signedDate?.milliseconds != milliseconds, "\(fixture)")
    }
  }

  @Test func theLastPlausibleDateIsUsed() throws {
    let body = try Fixture.named("notifications/price-increase-consent-0").bytes("v1.json")
    let last = Timestamp(milliseconds: 9_999_999_999_999)
    #expect(try Shared.converter.convert(body, receivedAt: last).notification?.signedDate == last)
    let next = Timestamp(milliseconds: 10_000_000_000_000)
    #expect(try Shared.converter.convert(body, receivedAt: next).notification?.signedDate == nil)
  }
}
