import Foundation
import SlipcastTestSupport
import Testing

/// V1 → V2 → V1: what differs is declared, and nothing is invented.
@Suite struct RoundTripTests {
  static let fixtures = Fixture.cases("receipts").filter { $0.exists("v1.json") }

  @Test(arguments: fixtures)
  func aFixtureLosesOnlyWhatIsDeclared(_ fixture: Fixture) throws {
    guard let trip = try RoundTrip(try fixture.bytes("v1.json"), rules: BuiltIn.rules) else { return }
    #expect(trip.undeclared(BuiltIn.rules) == [])
  }

  @Test(
    .enabled(if: Corpus.isPresent, "SLIPCAST_CORPUS names no folder of samples"),
    arguments: Corpus.files("verify-receipt"))
  func aRealAnswerLosesOnlyWhatIsDeclared(_ file: String) throws {
    guard let trip = try RoundTrip(Array(try Data(contentsOf: URL(fileURLWithPath: file))), rules: BuiltIn.rules) else {
      return
    }
    #expect(trip.undeclared(BuiltIn.rules) == [])
  }

  /// The comparison itself sees a lost, a changed and an invented value.
  @Test func aTableWithoutARuleIsNoticed() throws {
    var rules = BuiltIn.rules
    let fixture = try #require(Self.fixtures.first { $0.name == "receipts/history-basic" } ?? Self.fixtures.first)
    rules = try rules.overlaid(
      #"""
      {"family":"verify-receipt","rules":[{"in":"latest_receipt_info","to":"web_order_line_item_id","from":["price"],
      "using":"text","source":"INFERENCE"},{"in":"latest_receipt_info","id":"verify-receipt.latest_receipt_info.price",
      "from":["webOrderLineItemId"],"note":"x","source":"INFERENCE"}]}
      """#)
    let trips = try Self.fixtures.compactMap { try RoundTrip(try $0.bytes("v1.json"), rules: rules) }
    #expect(trips.contains { !$0.undeclared(rules).isEmpty }, "\(fixture.name)")
  }
}
