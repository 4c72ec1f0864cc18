import Foundation
import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport
import Testing

/// Two archives of one event each: it must be found, and say what `diff` says of the two records.
@Suite struct PairingTests {
  static let pairs = Fixture.cases("pairs").filter { pair in
    guard ((try? pair.arguments) ?? []).isEmpty, let server = try? pair.text("v2.json"),
      let legacy = try? pair.text("v1.json")
    else { return false }
    let isEvent = server.contains("\"notificationType\"") || server.contains("\"signedPayload\"")
    return isEvent && (legacy.contains("\"notification_type\"") || legacy.contains("\"notificationType\""))
  }

  /// Events that are not the same one, whatever `diff` makes of a pair that is given to it.
  static let apart: Set<String> = [
    // Another line item with another id is another purchase.
    "line-item-and-id-differ", "refund-older-period-told-of-newest",
    // V1 never sends an acceptance, so it is not another report of a V1 message.
    "price-increase-accepted-for-pending",
    // What takes access back is never another report of what does not.
    "refund-status-companion-auto-renew-enabled", "upgrade-cancel-companion-told-as-refund",
    // No message of that type may mean this event.
    "type-wrong",
    // No message of V1's may mean an event that the rules do not name.
    "unknown-type-in-v2", "unknown-subtype-in-v2",
    // V1 has no message about seats and assigned access.
    "refund-of-seats", "revoke-of-an-assignment", "ownership-assigned", "ownership-assigned-for-family",
  ]

  @Test(arguments: pairs)
  func anEventThatBothTellIsFoundAndComparedLikeOnePair(_ pair: Fixture) async throws {
    var archives = Archives()
    try archives.add(pair: pair.folder.lastPathComponent)
    let result = try await archives.compare()
    guard !Self.apart.contains(pair.folder.lastPathComponent) else {
      #expect(result.pairs.compared == 0)
      return
    }
    #expect(result.pairs.compared == 1, "\(result.unpaired.map { "\($0.reason.rawValue) \($0.event)" })")
    let comparer = Archives.comparer()
    let comparison = try comparer.compare(legacy: try pair.bytes("v1.json"), server: try pair.bytes("v2.json"))
    let conflicts = Set(comparison.fields.filter { $0.differenceClass == .conflict }.map(\.path))
    let found = Set(result.fields.filter { $0.count(.conflict) > 0 }.map(\.path))
    #expect(found == conflicts)
    #expect((result.pairs.conflicting == 1) == (comparison.verdict == .conflict))
    for field in result.fields { #expect(field.samples.allSatisfy { !$0.difference.explanation.isEmpty }) }
  }

  static let answers = Fixture.cases("pairs").filter { pair in
    ((try? pair.arguments) ?? []).isEmpty
      && ["history-", "statuses-"].contains { pair.folder.lastPathComponent.hasPrefix($0) }
  }

  @Test(arguments: answers)
  func answersAreComparedItemByItem(_ pair: Fixture) async throws {
    var archives = Archives()
    try archives.add(pair: pair.folder.lastPathComponent)
    let result = try await archives.compare()
    #expect(result.pairs.compared > 0)
    let comparer = Archives.comparer()
    let comparison = try comparer.compare(legacy: try pair.bytes("v1.json"), server: try pair.bytes("v2.json"))
    // What stands around the items, and items that only one side lists, are no fields of a pair.
    let rows = comparison.fields.filter { $0.path.contains("].") && !$0.path.hasSuffix("]") }
    let conflicts = Set(rows.filter { $0.differenceClass == .conflict }.map { $0.path.withoutNumbers })
    #expect(Set(result.fields.filter { $0.count(.conflict) > 0 }.map(\.path)) == conflicts)
    for field in result.fields where field.v2Path != nil {
      #expect(field.samples.allSatisfy { $0.difference.v2Path?.withoutNumbers == field.v2Path }, "\(field.path)")
    }
  }

  /// Both sides grant access at the event; one of them ends it first.
  @Test(arguments: [
    ("date-expires-off-1-day", 1, 0, false), ("date-expires-off-1-day", 0, 0, true), ("auto-renew-off", 0, 0, false),
  ])
  func anEarlierEndOfAccessIsTold(_ pair: String, _ earlier: Int, _ later: Int, _ isKnown: Bool) async throws {
    var archives = Archives()
    try archives.add(pair: pair)
    let path = "data.transactionInfo.expiresDate"
    let known = KnownDifference(
      path: path, differenceClass: "conflict", kind: .earlierInV2, legacy: "DID_RENEW", server: "DID_RENEW",
      atMost: nil,
      reason: "known", until: nil)
    let access = try await archives.compare(baseline: isKnown ? [known] : nil).entitlement
    #expect(access.granted == 1 && access.conflicts == 0)
    #expect((access.serverEndsEarlier, access.serverEndsLater) == (earlier, later))
  }

  @Test func aLaterEndOfAccessIsTold() async throws {
    var archives = Archives()
    try archives.add(pair: "date-expires-off-1-day")
    archives.server[0] = archives.server[0].replacing(
      "\"expiresDate\": 1752148800000", with: "\"expiresDate\": 1752321600000")
    let access = try await archives.compare().entitlement
    #expect((access.granted, access.serverEndsEarlier, access.serverEndsLater) == (1, 0, 1))
  }

  /// Encoders that know no absence write an empty text.
  @Test func anEmptySubtypeIsNone() async throws {
    var archives = Archives()
    try archives.add(pair: "refund")
    archives.server[0] = archives.server[0].replacing(
      "\"notificationType\": \"REFUND\",", with: "\"notificationType\": \"REFUND\", \"subtype\": \"\",")
    #expect(archives.server[0].contains("subtype"))
    let result = try await archives.compare()
    #expect((result.pairs.matched, result.pairs.conflicting) == (1, 0))
    #expect(result.types.map(\.server) == ["REFUND"])
    let comparer = Archives.comparer()
    let comparison = try comparer.compare(
      legacy: Array(archives.legacy[0].utf8), server: Array(archives.server[0].utf8))
    #expect(
      comparison.verdict == .parity, "\(comparison.fields.filter { $0.differenceClass == .conflict }.map(\.path))")
  }

  @Test func theNewestAnswerSpeaksForATransaction() async throws {
    var archives = Archives()
    try archives.add(pair: "history-decoded")
    archives.legacy.append(archives.legacy[0])
    let result = try await archives.compare()
    #expect(result.pairs.duplicates.legacy == result.pairs.compared + result.pairs.legacyWithoutServer)
  }

  /// A compact JWS around a payload; nothing is verified.
  private func token(_ payload: String) -> String {
    func part(_ text: String) -> String {
      Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
    return "\(part(#"{"alg":"ES256"}"#)).\(part(payload)).AAAA"
  }

  @Test func aSignedObjectOfAnotherKindIsRejectedAndNotForgotten() async throws {
    var archives = Archives()
    try archives.add(pair: "refund")
    archives.server.append(token(#"{"autoRenewProductId":"a","autoRenewStatus":1}"#))
    let result = try await archives.compare()
    #expect(result.pairs.rejected.server == 1 && result.server.records == 2)
  }

  @Test func answersThatListNothingAreTold() async throws {
    var archives = Archives()
    try archives.add(pair: "history-decoded")
    archives.server.append(#"{"hasMore":false,"transactions":[]}"#)
    let result = try await archives.compare()
    #expect(result.notes.map(\.code) == ["emptyAnswer"])
  }

  @Test func aSignedPayloadMayBeTheTextOfARow() async throws {
    var archives = Archives()
    try archives.add(pair: "refund")
    let plain = try await archives.compare()
    archives.server = [#"{"body":"\#(token(archives.server[0]))"}"#]
    let result = try await archives.compare(serverBody: "/body")
    #expect(result.pairs == plain.pairs && result.fields.map(\.counts) == plain.fields.map(\.counts))
    #expect(result.samplePairs.count == plain.samplePairs.count)
  }

  @Test func swappedArchivesAreTold() async throws {
    var archives = Archives()
    try archives.add(pair: "refund")
    (archives.legacy, archives.server) = (archives.server, archives.legacy)
    let result = try await archives.compare()
    #expect(result.pairs.rejected.server == 1 && result.pairs.compared == 0)
  }
}

extension String {
  /// A path with `[*]` for every place.
  fileprivate var withoutNumbers: String { replacing(/\[\d+\]/, with: "[*]") }
}
