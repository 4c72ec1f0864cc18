import Foundation
import SlipcastTesting
import Testing

/// Parity tests with Swift Testing.
///
/// `Cases` contains a folder for each case: `v1.json` from our archive, `v2.json` from Apple's server for the same event,
/// `conversion.json` the expected conversion of the first.
@Suite struct ParityTests {
  @Test func aRenewalKeepsItsMeaning() {
    expectParity(legacy: .file("Cases/renewal/v1.json"), server: .file("Cases/renewal/v2.json"))
  }

  /// Differences that we know, each with its reason.
  static let accepted = [
    IgnoreRule(
      "data.transactionInfo.originalPurchaseDate", isShared: true,
      because: "our importer of 2022 was a minute behind")
  ]

  @Test(arguments: try ParityFixture.all(in: "Cases"))
  func whatWeArchivedIsWhatAppleSays(_ fixture: ParityFixture) {
    expectParity(fixture, ignoring: Self.accepted)
  }

  @Test(arguments: try ParityFixture.all(in: "Cases", server: "cast.json"))
  func theCastStaysAsItIs(_ fixture: ParityFixture) {
    expectConversion(fixture)
  }

  @Test func ourConverterAgreesWithSlipcast() throws {
    let renewal = RecordFile.file("Cases/renewal/v1.json")
    let converted = try TeahouseConverter().convert(Data(contentsOf: renewal.url))
    expectConversion(
      renewal, equals: converted,
      ignoring: [
        IgnoreRule("data.renewalInfo.**", because: "the ledger asks the App Store Server API for the renewal"),
        IgnoreRule("data.status", because: "the ledger judges states when it is asked"),
      ])
  }
}

extension RenewalEvent: ParityRecord {}
