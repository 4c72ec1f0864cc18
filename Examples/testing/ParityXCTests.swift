import SlipcastTesting
import XCTest

/// The same expectations in XCTest; they are the same functions.
final class ParityXCTests: XCTestCase {
  func testARenewalKeepsItsMeaning() {
    expectParity(legacy: .file("Cases/renewal/v1.json"), server: .file("Cases/renewal/v2.json"))
  }

  func testWhatWeArchivedIsWhatAppleSays() {
    forEachFixture(in: "Cases") { fixture in
      expectParity(fixture, ignoring: ParityTests.accepted)
    }
  }
}
