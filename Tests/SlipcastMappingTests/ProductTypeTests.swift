import SlipcastMapping
import SlipcastV2
import SlipcastWire
import Testing

/// What an app receipt states of a product: attribute 1707, under the key `product_type`.
@Suite struct ProductTypeTests {
  static func answer(_ members: String) -> String {
    #"{"receipt":{"in_app":[{"product_id":"a","transaction_id":"1","original_transaction_id":"1",\#(members)}]}}"#
  }

  @Test(arguments: [
    ("0", ProductType.nonConsumable), ("1", .consumable), ("2", .nonRenewingSubscription),
    ("3", .autoRenewableSubscription),
  ])
  func aStatedTypeIsNoConclusion(_ number: String, _ type: ProductType) throws {
    let cast = try Shared.converter.convert(Self.answer("\"product_type\":\"\(number)\""))
    let transaction = try #require(cast.history?.transactions?.first)
    #expect(transaction.type?.rawValue == type.rawValue)
    #expect(!cast.json.contains("transactions[0].type"))
    let field = try #require(cast.account.fields.first { $0.v2Path == "transactions[0].type" })
    #expect(field.v1Path == "receipt.in_app[0].product_type")
    #expect(field.confidence == .corroborated)
    #expect(field.relation == .retyped)
    #expect(cast.findings.isEmpty)
  }

  @Test func itIsStrongerThanTheSignsOfASubscription() throws {
    let cast = try Shared.converter.convert(
      Self.answer(#""product_type":"2","expires_date_ms":"1650000000000","is_trial_period":"true""#))
    let transaction = try #require(cast.history?.transactions?.first)
    #expect(transaction.type?.rawValue == ProductType.nonRenewingSubscription.rawValue)
    #expect(transaction.offerType == nil)
  }

  @Test func aSubscriptionThatIsStatedHasItsOffer() throws {
    let cast = try Shared.converter.convert(Self.answer(#""product_type":"3","is_trial_period":"true""#))
    #expect(cast.history?.transactions?.first?.offerDiscountType?.rawValue == OfferDiscountType.freeTrial.rawValue)
  }

  @Test(arguments: ["4", "-1", "x"])
  func anUnknownNumberIsPassedOver(_ number: String) throws {
    let cast = try Shared.converter.convert(
      Self.answer("\"product_type\":\"\(number)\",\"expires_date_ms\":\"1650000000000\""))
    #expect(cast.history?.transactions?.first?.type?.rawValue == ProductType.autoRenewableSubscription.rawValue)
    #expect(cast.json.contains("transactions[0].type"))
  }

  @Test func aCancelledPeriodOfAReceiptMayHaveBeenUpgraded() throws {
    let members = #""product_type":"3","cancellation_date_ms":"1650000000000""#
    let cast = try Shared.converter.convert(Self.answer(members))
    #expect(cast.history?.transactions?.first?.revocationDate?.milliseconds == 1_650_000_000_000)
    #expect(cast.json.contains("\"transactions[0].revocationDate\""))
    #expect(cast.findings.map(\.code) == ["cancellationUndecided"])
    // Only refunds have the reason 1; and nothing but a subscription can be upgraded.
    for certain in [members + #","cancellation_reason":"1""#, members.replacing("\"3\"", with: "\"0\"")] {
      let cast = try Shared.converter.convert(Self.answer(certain))
      #expect(cast.findings.isEmpty && !cast.json.contains("\"transactions[0].revocationDate\""))
    }
  }

  @Test func aCatalogueThatDisagreesIsReported() throws {
    let converter = LegacyConverter(prepared: Shared.prepared, options: ConversionOptions(products: ["a": .consumable]))
    let cast = try converter.convert(Self.answer(#""product_type":"0""#))
    #expect(cast.history?.transactions?.first?.type?.rawValue == ProductType.nonConsumable.rawValue)
    #expect(cast.findings.contains { $0.code == "catalogueDisagrees" })
  }
}
