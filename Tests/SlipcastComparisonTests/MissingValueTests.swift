import Foundation
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

@testable import SlipcastComparison

/// What V2 lacks is never silently the same.
@Suite struct MissingValueTests {
  private func compare(_ pair: String, _ change: (inout [String: Any]) -> Void) throws -> Comparison {
    let fixture = Fixture.named("pairs/\(pair)")
    var server = try #require(
      try JSONSerialization.jsonObject(with: Data(try fixture.bytes("v2.json"))) as? [String: Any])
    change(&server)
    return try Shared.comparer.compare(
      legacy: try fixture.bytes("v1.json"), server: Array(try JSONSerialization.data(withJSONObject: server)))
  }

  /// Only the date of an event, which V2 has no field for, is called that.
  @Test func aReasonIsNoTimeOfTheEvent() throws {
    for pair in ["history-refund-of-upgraded-period-reason-missing", "history-cancelled-at-purchase-upgraded-in-v2"] {
      let rows = try compare(pair) { _ in }.fields.filter { $0.explanation.hasPrefix("The time of the event") }
      #expect(rows.allSatisfy { $0.v1Path?.hasSuffix("cancellation_reason") == false })
    }
  }

  @Test func aMissingTypeIsNamed() throws {
    let type = try #require(try compare("type-missing-in-v2") { _ in }.fields.first)
    #expect(
      type.explanation
        == "V1's message reads as SUBSCRIBED/INITIAL_BUY; V2 has no notificationType, which every notification has.")
  }

  @Test func anUnknownTypeIsComparedWithTheReading() throws {
    let rows = try compare("type-initial-buy") { $0["notificationType"] = "NEW_KIND" }.fields
    let type = try #require(rows.first)
    #expect(type.differenceClass == .unknown)
    #expect(
      type.explanation
        == "The rules of this version do not name V2's \"NEW_KIND\": it is kept and compared with nothing. "
        + "V1's message reads as SUBSCRIBED/INITIAL_BUY.")
  }

  @Test func idsThatV2LacksDoNotDiffer() throws {
    let without = try compare("type-initial-buy") { $0["data"] = ["bundleId": "com.example.slipcast"] }
    #expect(without.verdict == .conflict)
    #expect(!without.notes.contains { $0.code == "otherEvent" })
    let other = try compare("type-initial-buy") { server in
      guard var data = server["data"] as? [String: Any], var transaction = data["transactionInfo"] as? [String: Any]
      else { return }
      transaction["webOrderLineItemId"] = "1"
      transaction["originalTransactionId"] = "1"
      data["transactionInfo"] = transaction
      server["data"] = data
    }
    #expect(other.notes.contains { $0.code == "otherEvent" })
  }

  /// V1's two offers are compared in the row of V2's field, with the id that V2's type points to.
  @Test func theIdOfAnOpenOfferIsThatOfItsType() throws {
    for (pair, key) in [("offer-both-ids", "promotional_offer_id"), ("offer-both-ids-code", "offer_code_ref_name")] {
      let rows = try compare(pair) { _ in }.fields
      for name in ["offerType", "offerIdentifier"] {
        let row = try #require(rows.first { $0.v2Path == "data.transactionInfo.\(name)" })
        #expect(row.v1Path == "unified_receipt.latest_receipt_info[0].\(key)")
      }
    }
  }

  /// V2 fields leave the last slots free, which hold what V1 leaves open.
  @Test func noFieldHasAnOpenSlot() {
    for part in ObjectPart.allCases { #expect(part.schema.fields.count <= OpenSlot.first) }
  }

  /// A conversion leaves open what V1 leaves open.
  @Test func aConversionWithoutTheOpenOfferAgreesWithItsRecord() throws {
    let fixture = Fixture.named("pairs/offer-both-ids")
    let cast = try Shared.converter.convert(fixture.bytes("v1.json"), into: .notification)
    let comparison = try Shared.comparer.compare(legacy: fixture.bytes("v1.json"), server: Array(cast.json.utf8))
    #expect(comparison.verdict == .parity)
  }

  /// An earlier conversion marks inferred values; a missing one is still a conflict.
  @Test func anInferredValueOfAnEarlierConversionIsNotDropped() throws {
    for (pair, count) in [
      ("history-refund-of-upgraded-period-missing-in-v2", 2), ("history-cancelled-at-purchase-missing-in-v2", 2),
      ("history-cancelled-at-purchase-upgraded-in-v2", 0), ("offer-both-ids-new-code-without-id", 1),
      ("ownership-absent-purchased", 0),
    ] {
      let fixture = Fixture.named("pairs/\(pair)")
      let server = try fixture.bytes("v2.json")
      let isHistory = pair.hasPrefix("history")
      let cast = try Shared.converter.convert(fixture.bytes("v1.json"), into: isHistory ? .history : .notification)
      let comparison = try Shared.comparer.compare(legacy: Array(cast.json.utf8), server: server)
      let conflicts = comparison.fields.filter { $0.differenceClass == .conflict }.map(\.path)
      #expect(conflicts.count == count, "\(pair): \(conflicts)")
    }
  }
}
