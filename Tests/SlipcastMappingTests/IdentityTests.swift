import Foundation
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

@Suite struct IdentityTests {
  private static func uuid(_ fixture: String) throws -> String? {
    try Shared.converter.convert(try Fixture.named("notifications/" + fixture).bytes("v1.json")).notification?
      .notificationUUID
  }

  @Test(arguments: ["redelivery-b", "redelivery-key-order"])
  func aRedeliveryHasTheSameId(_ other: String) throws {
    #expect(try Self.uuid("redelivery-a") == Self.uuid(other))
  }

  /// Apple repeats a message with the purchases made meanwhile.
  @Test(arguments: [
    ("redelivery-status-on", "redelivery-status-on-after-renewal"),
    ("redelivery-status-on-minutes-before-expiry", "redelivery-status-on-minutes-before-renewal"),
    ("redelivery-retry-over", "redelivery-retry-over-after-return"),
    ("redelivery-fail", "redelivery-fail-after-recovery"),
    ("redelivery-upgrade", "redelivery-upgrade-after-trial"),
  ])
  func aRedeliveryThatListsLaterPurchasesHasTheSameId(_ first: String, _ later: String) throws {
    #expect(try Self.uuid(first) == Self.uuid(later))
  }

  @Test func differentEventsHaveDifferentIds() throws {
    var seen: [String: String] = [:]
    // Told twice on purpose: deliveries of one event, and one event with and without its original transaction id.
    // Messages that name no purchase are distinguished by their content, in archives; the last two are events of
    // others.
    let twins = [
      "redelivery", "revoke-two-subscriptions-original-id", "subject-consumption-no-id", "subject-refund-no-id",
      "refund-newest-cancellation", "consumption-request-empty", "ownership-assigned", "quantity-of-subscription",
    ]
    for fixture in Fixture.cases("notifications") where !twins.contains(where: fixture.name.contains) {
      guard !(try fixture.arguments.contains("--body")) else { continue }
      let uuid = try #require(try Shared.converter.convert(try fixture.bytes("v1.json")).notification?.notificationUUID)
      if let other = seen[uuid] { Issue.record("\(fixture.name) and \(other) have the same id") }
      seen[uuid] = fixture.name
    }
  }

  /// The customer redeems an offer for the product that was chosen before: a second event, not a delivery of the first.
  @Test func anOfferForTheChosenProductIsAnotherEvent() throws {
    let bytes = try Fixture.named("notifications/did-change-renewal-pref-downgrade").bytes("v1.json")
    func uuid(_ offer: (name: String, value: String)?) throws -> String {
      var body = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      var receipt = try #require(body["unified_receipt"] as? [String: Any])
      var entries = try #require(receipt["pending_renewal_info"] as? [[String: Any]])
      if let offer { entries[0][offer.name] = offer.value }
      receipt["pending_renewal_info"] = entries
      body["unified_receipt"] = receipt
      let result = try Shared.converter.convert(try JSONSerialization.data(withJSONObject: body))
      return try #require(result.notification?.notificationUUID)
    }
    let uuids = try [
      nil, ("promotional_offer_id", "spring"), ("promotional_offer_id", "autumn"), ("offer_code_ref_name", "winter"),
    ].map(uuid)
    #expect(Set(uuids).count == uuids.count)
    #expect(try uuid(nil) == Self.uuid("did-change-renewal-pref-downgrade"))
  }

  /// Refunds of two customers, told without an original transaction id and without the period in the receipt.
  @Test func purchasesThatAreNotListedHaveIdsOfTheirOwn() throws {
    let fixture = Fixture.named("notifications/cancel-line-item-not-listed-no-original-id")
    let text = String(decoding: try fixture.bytes("v1.json"), as: UTF8.self)
    let other = text.replacingOccurrences(of: "730000561885077", with: "730000561885078")
    #expect(text != other)
    let uuids = try [text, other].map { try Shared.converter.convert($0).notification?.notificationUUID }
    #expect(uuids[0] != nil && uuids[0] != uuids[1])
  }

  @Test func everyEnvironmentHasItsOwnId() throws {
    let bytes = try Fixture.named("notifications/did-renew").bytes("v1.json")
    func uuid(_ environment: String?) throws -> String {
      var body = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      var receipt = try #require(body["unified_receipt"] as? [String: Any])
      (body["environment"], receipt["environment"]) = (environment, environment)
      body["unified_receipt"] = receipt
      let result = try Shared.converter.convert(try JSONSerialization.data(withJSONObject: body))
      return try #require(result.notification?.notificationUUID)
    }
    let production = try uuid("PROD")
    #expect(try Self.uuid("did-renew") == production)
    #expect(try uuid("Production") == production)
    #expect(try uuid(nil) == production)
    let ids = try [production, uuid("Sandbox"), uuid("Xcode"), uuid("Moon"), uuid("Mars")]
    #expect(Set(ids).count == ids.count)
  }

  /// Only V1's own words say whose a transaction is: any other proves no owner (evidence §1).
  @Test(arguments: ["PURCHASED", "ASSIGNED", "family_shared"])
  func anUndocumentedOwnershipProvesNoOwner(_ word: String) throws {
    let bytes = try Fixture.named("notifications/cancel-family-shared").bytes("v1.json")
    let text = String(decoding: bytes, as: UTF8.self).replacing("\"FAMILY_SHARED\"", with: "\"\(word)\"")
    let result = try Shared.converter.convert(Array(text.utf8))
    #expect((result.migration?.confidence?.known == .ambiguous) == (word != "PURCHASED"))
  }

  @Test func anUnknownEnvironmentIsReportedOnce() throws {
    for name in ["notifications/environment-unknown", "receipts/environment-unknown"] {
      let result = try Shared.converter.convert(try Fixture.named(name).bytes("v1.json"))
      #expect(result.findings.count { $0.code == "unknownEnvironment" } == 1)
    }
  }

  @Test func theIdIsOfVersionFive() throws {
    let uuid = Array(try #require(try Self.uuid("did-renew")))
    #expect(uuid.count == 36)
    #expect(uuid[14] == "5")
    #expect("89ab".contains(uuid[19]))
  }

  @Test(arguments: [
    ("price_consent_status", ["0", "1", nil]), ("price_increase_status", ["0", "1", nil]),
    ("auto_renew_product_id", ["a", "b"]), ("auto_renew_status", ["0", "1"]), ("expiration_intent", ["1", "2", nil]),
  ])
  func theRenewalStateIsPartOfTheIdOfAnUndatedMessage(_ key: String, _ values: [String?]) throws {
    for name in ["price-increase-consent-0", "did-change-renewal-pref-downgrade"] {
      let bytes = try Fixture.named("notifications/\(name)").bytes("v1.json")
      let ids: [String?] = try values.map { value in
        var body = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        var receipt = try #require(body["unified_receipt"] as? [String: Any])
        var renewals = try #require(receipt["pending_renewal_info"] as? [[String: Any]])
        renewals[0][key] = value
        receipt["pending_renewal_info"] = renewals
        (body["unified_receipt"], body[key]) = (receipt, nil)
        return try Shared.converter.convert(try JSONSerialization.data(withJSONObject: body)).notification?
          .notificationUUID
      }
      #expect(Set(ids).count == values.count, "\(name) \(key)")
    }
  }

  @Test(arguments: ["price_consent_status", "price_increase_status"], [false, true])
  func aFlagHasOneIdInAllItsSpellings(_ key: String, _ flag: Bool) throws {
    let bytes = try Fixture.named("notifications/price-increase-consent-0").bytes("v1.json")
    let spellings: [Any] = [flag ? "1" : "0", flag ? 1 : 0, flag, flag ? "true" : "false"]
    let ids: [String?] = try spellings.map { value in
      var body = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      var receipt = try #require(body["unified_receipt"] as? [String: Any])
      var renewals = try #require(receipt["pending_renewal_info"] as? [[String: Any]])
      renewals[0][key] = value
      receipt["pending_renewal_info"] = renewals
      (body["unified_receipt"], body[key]) = (receipt, nil)
      return try Shared.converter.convert(try JSONSerialization.data(withJSONObject: body)).notification?
        .notificationUUID
    }
    #expect(Set(ids).count == 1 && ids.first != .some(nil))
  }

  @Test func aRequestHasOneIdWhenItIsConvertedAlone() throws {
    let bytes = try Fixture.named("notifications/consumption-request-listed").bytes("v1.json")
    let converter = Shared.converter
    let times: [Timestamp?] = [
      nil, Timestamp(milliseconds: 1_700_000_000_000), Timestamp(milliseconds: 1_800_000_000_000),
    ]
    let ids = try times.map { try converter.convert(bytes, receivedAt: $0).notification?.notificationUUID }
    #expect(Set(ids).count == 1)
    let without = try converter.convert(bytes)
    #expect(without.findings.contains { $0.code == "repeatPossible" })
  }

  @Test func theReceivedTimeDoesNotChangeTheId() throws {
    let bytes = try Fixture.named("notifications/did-renew").bytes("v1.json")
    let converter = Shared.converter
    let one = try converter.convert(bytes).notification
    let two = try converter.convert(bytes, receivedAt: Timestamp(milliseconds: 1_700_000_000_000)).notification
    #expect(one?.notificationUUID == two?.notificationUUID)
    #expect(two?.signedDate?.milliseconds == 1_700_000_000_000)
    #expect(two?.migration?.inferred?.contains("signedDate") == false)
  }
}
