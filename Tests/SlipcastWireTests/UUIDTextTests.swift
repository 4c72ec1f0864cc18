@_spi(Slipcast) import SlipcastWire
import Testing

@Suite struct UUIDTextTests {
  private func isValid(_ text: String) -> Bool { UUIDText.isValid(Array(text.utf8).span) }

  @Test(arguments: [
    "7e3fb20b-4cdb-47cc-936d-99d65f608138", "7E3FB20B-4CDB-47CC-936D-99D65F608138",
    "7e3fb20b-4CDB-47cc-936D-99d65f608138", "00000000-0000-0000-0000-000000000000",
  ])
  func hexadecimalDigitsInFiveGroupsAreAUUID(_ text: String) {
    #expect(isValid(text))
  }

  @Test(arguments: [
    "", "7e3fb20b", "7e3fb20b4cdb47cc936d99d65f608138", "{7e3fb20b-4cdb-47cc-936d-99d65f608138}",
    "7e3fb20b-4cdb-47cc-936d-99d65f60813", "7e3fb20b-4cdb-47cc-936d-99d65f6081380",
    "7e3fb20b-4cdb-47cc-936d_99d65f608138", "7e3fb20-b4cdb-47cc-936d-99d65f608138",
    "ge3fb20b-4cdb-47cc-936d-99d65f608138", "7e3fb20b-4cdb-47cc-936d-99d65f60813 ",
    "------------------------------------", "7e3fb20b-4cdb-47cc-936d-99d65f6081é",
  ])
  func anythingElseIsNone(_ text: String) {
    #expect(!isValid(text))
  }

  @Test func theValueOfEveryHexadecimalDigitIsKnown() {
    for byte in UInt8.min...UInt8.max {
      #expect(byte.hexadecimalValue == Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init))
    }
  }

  @Test func twoSpellingsOfOneUUIDAreTheSame() {
    let lower = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
    #expect(UUIDText.isSame(lower, lower))
    #expect(UUIDText.isSame(lower, lower.uppercased()))
    #expect(!UUIDText.isSame(lower, "7e3fb20b-4cdb-47cc-936d-99d65f608139"))
    #expect(UUIDText.isSame("other", "other"))
    #expect(!UUIDText.isSame("other", "OTHER"))
    #expect(!UUIDText.isSame(lower, ""))
  }
}
