import Foundation
import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport
import Testing

/// What V2 sends since 2026, and what this version does not know: never missing in the V1 archive.
@Suite struct SeatTests {
  /// One V2 notification in addition to those of V1, and how it counts.
  struct Event: CustomTestStringConvertible, Sendable {
    var type: String
    var subtype: String?
    var transaction: [String: String] = [:]
    var hasData = true
    var hasClaims = false
    let count: ParityResult.UnpairedKind.Reason

    var testDescription: String {
      ([type, subtype] + transaction.map { "\($0.key) \($0.value)" }).compactMap(\.self).joined(separator: " ")
    }
  }

  /// The base pair's V2 notification, changed.
  private func notification(_ change: (inout [String: Any], inout [String: Any]) -> Void) throws -> String {
    let fixture = Fixture.named("pairs/seats-none")
    let json = try JSONSerialization.jsonObject(with: Data(try fixture.bytes("v2.json")))
    var event = try #require(json as? [String: Any])
    var data = try #require(event["data"] as? [String: Any])
    var transaction = try #require(data["transactionInfo"] as? [String: Any])
    event["notificationUUID"] = UUID().uuidString.lowercased()
    change(&event, &transaction)
    data["transactionInfo"] = transaction
    if event["data"] != nil { event["data"] = data }
    return String(decoding: try JSONSerialization.data(withJSONObject: event, options: [.sortedKeys]), as: UTF8.self)
  }

  private func notification(_ event: Event) throws -> String {
    try notification { root, transaction in
      root["notificationType"] = event.type
      root["subtype"] = event.subtype
      if !event.hasData { root["data"] = nil }
      if event.hasClaims { root["unclaimInfo"] = ["unclaimSeatIds": ["0b8e7f36-2d0e-4f6e-9a54-8d0e2d1c5a01"]] }
      transaction["transactionId"] = "730001309999001"
      transaction["webOrderLineItemId"] = "730000569999001"
      transaction["purchaseDate"] = 1_790_000_000_000
      transaction.merge(event.transaction) { $1 }
    }
  }

  private static let previous = ["previousOriginalTransactionId": "730001301111000"]

  static let events: [Event] = [
    Event(type: "UNCLAIM_SEATS", hasData: false, hasClaims: true, count: .serverOnlyEvents),
    Event(type: "NOT_YET_ANNOUNCED", count: .unknownEvents),
    Event(type: "DID_RENEW", subtype: "NOT_YET_ANNOUNCED", count: .unknownEvents),
    Event(type: "NOT_YET_ANNOUNCED", hasData: false, count: .unknownEvents),
    Event(type: "DID_RENEW", subtype: "PENDING", count: .unknownEvents),
    Event(type: "DID_RENEW", count: .serverWithoutLegacy),
    Event(type: "REFUND", subtype: "SEATS", count: .serverOnlyEvents),
    Event(type: "REFUND", count: .serverWithoutLegacy),
    Event(type: "DID_CHANGE_RENEWAL_PREF", subtype: "INCREASE_QUANTITY", count: .serverOnlyEvents),
    Event(type: "DID_CHANGE_RENEWAL_PREF", subtype: "DECREASE_QUANTITY", count: .serverOnlyEvents),
    Event(type: "SUBSCRIBED", subtype: "INCREASE_QUANTITY", count: .serverOnlyEvents),
    Event(type: "DID_CHANGE_RENEWAL_PREF", subtype: "DOWNGRADE", count: .serverWithoutLegacy),
    Event(type: "METADATA_UPDATE", count: .serverOnlyEvents), Event(type: "MIGRATION", count: .serverOnlyEvents),
    Event(type: "MIGRATE", count: .serverOnlyEvents), Event(type: "PRICE_CHANGE", count: .serverOnlyEvents),
    Event(type: "RESCIND_CONSENT", count: .serverOnlyEvents), Event(type: "TEST", count: .serverOnlyEvents),
    Event(type: "RENEWAL_EXTENSION", count: .serverOnlyEvents), Event(type: "EXPIRED", count: .serverOnlyEvents),
    Event(type: "EXPIRED", subtype: "PRICE_INCREASE", count: .serverOnlyEvents),
    Event(type: "EXPIRED", subtype: "PRODUCT_NOT_FOR_SALE", count: .serverOnlyEvents),
    Event(type: "EXPIRED", subtype: "BILLING_RETRY", count: .serverWithoutLegacy),
    Event(type: "DID_RENEW", transaction: ["inAppOwnershipType": "ASSIGNED"], count: .serverOnlyEvents),
    Event(type: "DID_RENEW", transaction: ["inAppOwnershipType": "PURCHASED"], count: .serverWithoutLegacy),
    Event(type: "REVOKE", transaction: ["revocationType": "ASSIGNMENT_REVOKE"], count: .serverOnlyEvents),
    Event(type: "REVOKE", transaction: ["revocationType": "FAMILY_REVOKE"], count: .serverWithoutLegacy),
    Event(type: "DID_RENEW", transaction: previous, count: .serverOnlyEvents),
  ]

  @Test(arguments: events)
  func anEventThatOnlyV2TellsCountsByItsKind(_ event: Event) async throws {
    var archives = Archives()
    try archives.add(pair: "seats-none")
    archives.server.append(try notification(event))
    let result = try await archives.compare()
    #expect(result.pairs.matched == 1 && result.pairs.conflicting == 0 && result.pairs.legacyWithoutServer == 0)
    let counts = [
      ParityResult.UnpairedKind.Reason.serverOnlyEvents: result.pairs.serverOnlyEvents,
      .unknownEvents: result.pairs.unknownEvents, .serverWithoutLegacy: result.pairs.serverWithoutLegacy,
    ]
    #expect(counts.filter { $0.value > 0 } == [event.count: 1])
    #expect(result.pairs.missing == (event.count == .serverWithoutLegacy ? 1 : 0))
    let kind = try #require(result.unpaired.first)
    #expect(kind.explanation.contains("the V1 archive lacks it") == (event.count == .serverWithoutLegacy))
    #expect(result.notes.contains { $0.code == "unknownEvents" } == (event.count == .unknownEvents))
    #expect(result.notes.contains { $0.code == "noPayload" } == (!event.hasData && !event.hasClaims))
  }

  @Test func aRefundOfSeatsIsNoCounterpartOfACancel() async throws {
    var archives = Archives()
    try archives.add(pair: "refund-of-seats")
    var result = try await archives.compare()
    #expect((result.pairs.compared, result.pairs.legacyWithoutServer, result.pairs.serverOnlyEvents) == (0, 1, 1))
    archives.server.append(try Archives.line(.named("pairs/refund-of-all-seats"), "v2.json"))
    result = try await archives.compare()
    #expect((result.pairs.matched, result.pairs.legacyWithoutServer, result.pairs.serverOnlyEvents) == (1, 0, 1))
  }

  @Test(arguments: [("revoke-of-an-assignment", 0, 1), ("revoke-of-family-sharing", 1, 0)])
  func onlyARevocationOfFamilySharingIsACounterpartOfRevoke(_ pair: String, _ matched: Int, _ only: Int) async throws {
    var archives = Archives()
    try archives.add(pair: pair)
    let result = try await archives.compare()
    #expect((result.pairs.compared, result.pairs.serverOnlyEvents) == (matched, only))
    #expect(result.pairs.serverWithoutLegacy == 0)
  }

  /// Without the reason another id is a restore, and the line item decides.
  @Test(arguments: [(true, true, 0), (true, false, 1), (false, true, 1)])
  func addedSeatsArePairedByLineItemAndTransaction(_ isAddition: Bool, _ isOther: Bool, _ compared: Int) async throws {
    var archives = Archives()
    try archives.add(pair: "seats-none")
    archives.server = [
      try notification { _, transaction in
        if isAddition { transaction["additionalTransactionReason"] = "SEAT_ADDITION" }
        if isOther { transaction["transactionId"] = "730001309999001" }
      }
    ]
    let result = try await archives.compare()
    #expect(result.pairs.compared == compared)
  }

  /// The first transaction of a period gets its reason only later.
  @Test func anEarlierCopyOfATransactionRepeatsItAndAddedSeatsDoNot() async throws {
    var archives = Archives()
    try archives.add(pair: "history-seat-addition")
    archives.server.append(try Archives.line(.named("pairs/history-decoded"), "v2.json"))
    let one = try await Self.history("history-seat-addition")
    let both = try await archives.compare()
    let copies = try await Self.history("history-decoded")
    #expect(both.pairs.matched == one.pairs.matched && both.pairs.conflicting == one.pairs.conflicting)
    #expect(both.pairs.serverWithoutLegacy == one.pairs.serverWithoutLegacy)
    #expect(both.pairs.duplicates.server == copies.server.records)
    #expect(one.pairs.serverWithoutLegacy == 1 && one.pairs.duplicates.server == 0)
  }

  private static func history(_ pair: String) async throws -> ParityResult {
    var archives = Archives()
    try archives.add(pair: pair)
    return try await archives.compare()
  }

  @Test func signedCopiesThatApplesLaterChangesMadeDifferentDoNotConflict() async throws {
    var archives = Archives()
    try archives.add(pair: "v2-v2-late-changes")
    let result = try await archives.compare()
    #expect((result.pairs.matched, result.pairs.conflicting) == (1, 0))
    let path = "data.transactionInfo.multiSeatInfo.revokedSeatQuantity"
    #expect(result.fields.first { $0.v2Path == path }?.count(.timeDependent) == 1)
  }
}
