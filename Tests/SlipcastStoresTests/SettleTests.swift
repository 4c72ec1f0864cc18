import Foundation
import SlipcastBulk
import SlipcastMapping
import SlipcastStores
import SlipcastTestSupport
import SlipcastWire
import Testing

/// Readings that only the other messages of an archive decide; expectations come from Apple's meaning of the messages.
@Suite struct SettleTests {
  private static let day: Int64 = 86_400_000
  private static let start: Int64 = 1_640_000_000_000

  /// One message of the subscription 5001.
  struct Message {
    var type: String
    var periods: [Period]
    var status: String? = "true"
    var changed: Int64?
    var renewal = ""
    var listed = true
    var environment = "PROD"

    var json: String {
      let rows = periods.map(\.json)
      let top = [
        "\"notification_type\":\"\(type)\",\"environment\":\"\(environment)\",\"bid\":\"com.example.settle\"",
        status.map { "\"auto_renew_status\":\"\($0)\"" },
        changed.map { "\"auto_renew_status_change_date_ms\":\"\($0)\"" },
        listed ? nil : "\"latest_receipt_info\":\(rows[rows.count - 1])",
        listed
          ? "\"unified_receipt\":{\"latest_receipt_info\":[\(rows.reversed().joined(separator: ","))],"
            + "\"pending_renewal_info\":[{\"original_transaction_id\":\"5001\",\"product_id\":\"m\","
            + "\"auto_renew_product_id\":\"m\""
            + "\(status.map { ",\"auto_renew_status\":\"\($0 == "true" ? 1 : 0)\"" } ?? "")\(renewal)}]}" : nil,
      ]
      return "{" + top.compactMap(\.self).joined(separator: ",") + "}"
    }
  }

  struct Period {
    var number: Int64
    var from: Int64
    var until: Int64
    var more = ""

    var json: String {
      "{\"product_id\":\"m\",\"original_transaction_id\":\"5001\",\"transaction_id\":\"\(5000 + number)\","
        + "\"web_order_line_item_id\":\"\(700 + number)\",\"subscription_group_identifier\":\"20\","
        + "\"purchase_date_ms\":\"\(from)\",\"expires_date_ms\":\"\(until)\"\(more)}"
    }
  }

  private static let first = Period(number: 1, from: start, until: start + 30 * day)
  private static let second = Period(number: 2, from: start + 35 * day, until: start + 65 * day)
  private static let retry = ",\"is_in_billing_retry_period\":\"1\",\"expiration_intent\":\"2\""

  private static let back = Message(
    type: "DID_CHANGE_RENEWAL_STATUS", periods: [first, second], changed: second.from)

  /// A minute after the expiry the purchase may be a renewal.
  private static let soon = Period(number: 2, from: first.until + 60_000, until: start + 60 * day)
  private static let soonBack = Message(
    type: "DID_CHANGE_RENEWAL_STATUS", periods: [first, soon], changed: soon.from)

  /// Converts messages and returns the lines as JSON objects.
  private func convert(
    _ messages: [Message], settles: Bool = true, complete: [ClosedRange<Int64>] = []
  ) async throws -> [[String: Any]] {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = folder.url.appendingPathComponent("archive.ndjson")
    try messages.map { $0.json + "\n" }.joined().write(to: file, atomically: true, encoding: .utf8)
    let rules = BuiltIn.rules
    var options = ConvertOptions()
    let input = InputFile(path: file.path)
    if settles {
      options.settled = try await SettleRun(rules: rules, options: options, complete: complete).settle([input])
    }
    var sink = LineSinkOfTests()
    let (_, counts) = try await ConvertRun(rules: rules, options: options).convert([input], to: &sink)
    #expect(counts.converted == messages.count)
    return try sink.lines.map { try #require(JSONSerialization.jsonObject(with: Data($0)) as? [String: Any]) }
  }

  private func reading(_ line: [String: Any]) -> (event: String, confidence: String, facts: [String], absorbed: Bool) {
    let migration = line["migration"] as? [String: Any] ?? [:]
    let event = [line["notificationType"], line["subtype"]].compactMap { $0 as? String }.joined(separator: "/")
    let settled = migration["settled"] as? [String: Any]
    return (
      event, migration["confidence"] as? String ?? "", settled?["facts"] as? [String] ?? [],
      migration["absorbed"] != nil
    )
  }

  /// Source: evidence §15, auto-renew on with a purchase after a lapse.
  @Test func autoRenewOnAtAPurchaseAfterALapseIsADocumentedReturn() async throws {
    let lines = try await convert([Self.back])
    #expect(reading(lines[0]).event == "SUBSCRIBED/RESUBSCRIBE")
    #expect(reading(lines[0]).confidence == "documented")
    #expect((lines[0]["migration"] as? [String: Any])?["settled"] == nil)
  }

  /// A recovery stays a candidate where a body shows billing retry before it: here, or in another message.
  @Test(arguments: ["reported", "shown", "over"])
  func aFailedRenewalBeforeTheReturnLeavesTheRecoveryPossible(how: String) async throws {
    let entry = how == "over" ? ",\"is_in_billing_retry_period\":\"0\",\"expiration_intent\":\"2\"" : Self.retry
    let failed = Message(
      type: how == "reported" ? "DID_FAIL_TO_RENEW" : "PRICE_INCREASE_CONSENT", periods: [Self.first], renewal: entry)
    let line = try await convert([failed, Self.back])[1]
    let migration = try #require(line["migration"] as? [String: Any])
    #expect(reading(line).event == "SUBSCRIBED/RESUBSCRIBE")
    guard how != "over" else {
      #expect(reading(line).confidence == "documented")
      return
    }
    #expect(reading(line).confidence == "ambiguous")
    #expect(!reading(line).absorbed)
    #expect(migration["rule"] as? String == "type.DID_CHANGE_RENEWAL_STATUS.resubscribe.retry")
    let narrowed = try #require(migration["narrowed"] as? [String: Any])
    #expect(narrowed["from"] as? String == "documented")
    #expect(narrowed["facts"] as? [String] == ["failedBefore"])
    #expect((narrowed["by"] as? [[String: Any]])?.compactMap { $0["record"] as? Int } == [1])
    let candidates = (migration["candidates"] as? [[String: Any]])?.compactMap { $0["notificationType"] as? String }
    #expect(candidates == ["SUBSCRIBED", "DID_RENEW", "DID_CHANGE_RENEWAL_STATUS"])
    let transaction = (line["data"] as? [String: Any]).flatMap { $0["transactionInfo"] as? [String: Any] }
    #expect(transaction?["transactionReason"] == nil)
  }

  /// The recovery is another message's, minutes before: what this one is stays open, and nothing absorbs it.
  @Test func aReportedRecoveryMinutesBeforeTheChangeLeavesBothPossible() async throws {
    var later = Self.back
    later.changed = Self.second.from + 300_000
    let recovery = Message(type: "DID_RECOVER", periods: [Self.first, Self.second])
    let found = reading(try await convert([recovery, later])[1])
    #expect(found.confidence == "ambiguous")
    #expect(!found.absorbed)
  }

  /// Nothing recovers in the Sandbox; a minute after the expiry the purchase may be a renewal.
  @Test(arguments: [("Sandbox", 5, "documented"), ("PROD", 5, "documented"), ("PROD", 0, "ambiguous")])
  func onlyALapseShowsAReturn(environment: String, days: Int64, expected: String) async throws {
    var message = Self.back
    let end = Self.first.until
    let isSandbox = environment != "PROD"
    let month = isSandbox ? 300_000 : 30 * Self.day
    let bought = isSandbox ? end + days * 60_000 : end + days * Self.day + 60_000
    message.environment = environment
    message.periods = [
      Period(number: 1, from: end - month, until: end), Period(number: 2, from: bought, until: bought + month),
    ]
    message.changed = bought
    #expect(reading(try await convert([message])[0]).confidence == expected)
  }

  @Test func aReportedRecoveryMakesTheStatusMessageItsCompanion() async throws {
    let recovery = Message(type: "DID_RECOVER", periods: [Self.first, Self.second])
    let lines = try await convert([Self.back, recovery])
    let found = reading(lines[0])
    #expect(found.event == "DID_RENEW/BILLING_RECOVERY")
    #expect(found.confidence == "corroborated")
    #expect(found.facts == ["recoveryReported", "atPurchase"])
    #expect(found.absorbed)
    let settled = (lines[0]["migration"] as? [String: Any])?["settled"] as? [String: Any]
    #expect(settled?["from"] as? String == "documented")
    #expect((settled?["by"] as? [[String: Any]])?.compactMap { $0["record"] as? Int } == [2])
    #expect(((lines[0]["migration"] as? [String: Any])?["candidates"] as? [Any])?.count == 3)
  }

  @Test func autoRenewThatWasOffMakesThePurchaseAReturn() async throws {
    let off = Message(
      type: "DID_CHANGE_RENEWAL_STATUS", periods: [Self.first], status: "false", changed: Self.start + 10 * Self.day)
    #expect(reading(try await convert([off, Self.soonBack])[1]).confidence == "ambiguous")
    let all = Self.start...Self.start + 100 * Self.day
    let found = reading(try await convert([off, Self.soonBack], complete: [all])[1])
    #expect(found.event == "SUBSCRIBED/RESUBSCRIBE")
    #expect(found.confidence == "corroborated")
    #expect(!found.absorbed)
  }

  @Test func aFailedRenewalBeforeAGapIsARecovery() async throws {
    let late = Period(number: 2, from: Self.start + 30 * Self.day + 3_600_000, until: Self.start + 60 * Self.day)
    let failed = Message(type: "DID_FAIL_TO_RENEW", periods: [Self.first], renewal: Self.retry)
    let renewed = Message(type: "DID_RENEW", periods: [Self.first, late])
    #expect(reading(try await convert([renewed])[0]).confidence == "ambiguous")
    let found = reading(try await convert([renewed, failed])[0])
    #expect(found.event == "DID_RENEW/BILLING_RECOVERY")
    #expect(found.facts == ["failedBefore"])
  }

  @Test func absenceSettlesOnlyWhatTheOwnerDeclaresComplete() async throws {
    let late = Period(number: 2, from: Self.start + 30 * Self.day + 3_600_000, until: Self.start + 60 * Self.day)
    let renewed = Message(type: "DID_RENEW", periods: [Self.first, late])
    #expect(reading(try await convert([renewed])[0]).confidence == "ambiguous")
    let all = Self.start...Self.start + 90 * Self.day
    let lines = try await convert([renewed], complete: [all])
    #expect(reading(lines[0]).event == "DID_RENEW")
    #expect(reading(lines[0]).facts == ["noFailureReported"])
    let settled = (lines[0]["migration"] as? [String: Any])?["settled"] as? [String: Any]
    #expect(settled?["complete"] as? Bool == true)
    let early = Self.start...Self.start + 30 * Self.day
    #expect(reading(try await convert([renewed], complete: [early])[0]).confidence == "ambiguous")
  }

  @Test func aListOfAnotherMessageConfirmsAFirstPurchase() async throws {
    let flat = Message(type: "INITIAL_BUY", periods: [Self.first], listed: false)
    #expect(reading(try await convert([flat])[0]).confidence == "inferred")
    let later = Message(type: "DID_CHANGE_RENEWAL_PREF", periods: [Self.first])
    let found = reading(try await convert([flat, later])[0])
    #expect(found.event == "SUBSCRIBED/INITIAL_BUY")
    #expect(found.confidence == "corroborated")
    #expect(found.facts == ["firstOfGroup"])
  }

  @Test func aContradictedReadingIsKeptWithAFinding() async throws {
    let renewed = Message(type: "DID_RENEW", periods: [Self.first, Self.second])
    let touching = Period(number: 2, from: Self.first.until, until: Self.start + 60 * Self.day)
    let plain = Message(type: "DID_RENEW", periods: [Self.first, touching])
    let recovery = Message(type: "DID_RECOVER", periods: [Self.first, touching])
    let found = reading(try await convert([plain, recovery])[0])
    #expect(found.event == "DID_RENEW")
    #expect(found.confidence == "documented")
    #expect(reading(try await convert([renewed], settles: false)[0]).confidence == "ambiguous")
  }

  @Test func aPeriodThatEndsLongAfterTheNextPurchaseIsNoFault() async throws {
    let year = Period(number: 1, from: Self.start, until: Self.start + 365 * Self.day)
    let next = Period(number: 2, from: Self.start + 10 * Self.day, until: Self.start + 40 * Self.day)
    let renewal = Message(type: "RENEWAL", periods: [year, next])
    #expect(reading(try await convert([renewal])[0]).confidence == "ambiguous")
    let all = Self.start...Self.start + 900 * Self.day
    #expect(reading(try await convert([renewal], complete: [all])[0]).confidence == "ambiguous")
  }

  @Test func aRedeliveryIsNoWitnessOfItself() async throws {
    let lines = try await convert([Self.soonBack, Self.soonBack])
    #expect(lines.allSatisfy { reading($0).confidence == "ambiguous" })
  }

  @Test func theOrderOfTheArchiveChangesNoReading() async throws {
    let recovery = Message(type: "DID_RECOVER", periods: [Self.first, Self.second])
    let off = Message(
      type: "DID_CHANGE_RENEWAL_STATUS", periods: [Self.first], status: "false", changed: Self.start + 10 * Self.day)
    let one = try await convert([Self.back, recovery, off]).map { reading($0).event }
    let two = try await convert([off, recovery, Self.back]).map { reading($0).event }
    #expect(one == two.reversed())
  }
}

/// Keeps the lines of a run.
private struct LineSinkOfTests: LineSink {
  var lines: [[UInt8]] = []

  mutating func write(output: Span<UInt8>) throws {
    lines += Array(output).split(separator: 0x0A).map(Array.init)
  }

  mutating func write(reject: Reject) throws {}
}
