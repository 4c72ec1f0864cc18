import SlipcastMapping
import SlipcastWire
import Testing

@testable import SlipcastOutlets

/// The formats of `Mappings/exports`.
@Suite struct ExportFormatTests {
  @Test func theProvidersAreThoseOfTheDocumentation() {
    #expect(ExportFormat.names == ["adapty", "purchasely", "revenuedot", "revenuecat", "apphud"])
  }

  @Test(arguments: ExportFormat.names)
  func everyFormatHasASourceWithADate(_ name: String) throws {
    let format = try ExportFormat(named: name)
    #expect(format.source.contains(": https://") && format.date.count == 10 && !format.provider.isEmpty)
    #expect(Set(format.columns.map(\.name)).count == format.columns.count)
    #expect(!format.source.contains("\n"))
  }

  /// Every word that a value may ask for is there, and no other.
  @Test(arguments: ExportFormat.names)
  func theWordsOfAFormatAreThoseOfItsValues(_ name: String) throws {
    let format = try ExportFormat(named: name)
    let words: [ExportValue: [String]] = [
      .status: Subscription.State.allCases.map { "status.\($0.rawValue)" },
      .autoRenewal: Subscription.renewalWords.map { "autoRenewal.\($0)" },
      .ownership: ["ownership.owned", "ownership.refunded"],
      .environment: ["environment.production", "environment.sandbox"],
    ]
    let asked = (format.columns + format.purchaseColumns).compactMap(\.value).flatMap { words[$0] ?? [] }
    #expect(Set(format.words.keys) == Set(asked))
  }

  @Test func anUnknownProviderIsAFault() { #expect(throws: ExportFormat.Fault.self) { try ExportFormat(named: "x") } }

  @Test(
    arguments: [(4990, "4.99"), (0, "0"), (10_000, "10"), (4500, "4.5"), (1, "0.001"), (-1500, "-1.5")]
      as [(Int64, String)])
  func pricesAreInUnits(_ price: Int64, _ text: String) { #expect(ExportRow.units(price) == text) }

  @Test func everyStorefrontHasACountry() {
    #expect(ExportFormat.countries["DEU"] == "DE" && ExportFormat.countries["XKX"] == "XK")
    #expect(ExportFormat.countries.count == 250)
    #expect(ExportFormat.countries.allSatisfy { $0.key.count == 3 && $0.value.count == 2 })
  }
}
