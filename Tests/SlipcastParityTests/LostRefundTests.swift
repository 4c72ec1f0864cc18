import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport
import SlipcastWire
import Testing

/// A refund that one archive lacks never passes: not as a conflict, not behind a share, not under the name of another.
///
/// Source: contracts §8, missing refunds. Days are counted from the first purchase.
@Suite struct LostRefundTests {
  private static let first = Purchase(id: 1, day: 0, end: 30)
  private static let second = Purchase(id: 2, day: 30, end: 60, original: 1)
  private static let third = Purchase(id: 3, day: 60, end: 90, original: 1)

  private static func refunded(_ bought: Purchase, _ day: Double) -> Purchase {
    var refunded = bought
    refunded.refund = day
    return refunded
  }

  /// The most that options allow besides.
  private static func generous(_ baseline: Baseline? = nil) throws -> ParityGates {
    var gates = ParityGates()
    (gates.baseline, gates.maxMissing, gates.maxEndChanges) = (baseline, EventLimit("100%"), EventLimit("100%"))
    gates.maxAccessChanges = 10
    gates.agreements = baseline == nil ? [try #require(AgreementGate("0%"))] : []
    return gates
  }

  // MARK: answers

  @Test(arguments: [false, true], [false, true])
  func ofAPurchaseThatBothSidesListItIsMissing(_ isOfServer: Bool, _ isOfStatuses: Bool) async throws {
    let (plain, refunded) = (Self.first, Self.refunded(Self.first, 10))
    let (one, two) = isOfServer ? (plain, refunded) : (refunded, plain)
    let server =
      isOfStatuses ? Answers.status(isOfServer ? 5 : 1, of: two, signed: 20) : Answers.history([two], signed: 20)
    var result = try await Archives.compare([Answers.answer([one], asked: 20)], [server])
    #expect(result.pairs.compared == 1 && result.pairs.conflicting == 1)
    let missing = result.missing.kinds.map { [$0.side.rawValue, $0.type, "\($0.count)"] }
    #expect(missing == [[isOfServer ? "server" : "legacy", "REFUND", "1"]])
    let event = try #require((isOfServer ? result.missing.server : result.missing.legacy).first)
    #expect(event.isRefund && event.time == AccessDay.time(10) && event.subject.transactionId == "1")
    try Self.generous().judge(&result)
    #expect(result.gates.filter { !$0.holds }.map(\.name) == ["missingRefunds"])
  }

  @Test(arguments: [false, true])
  func aRefundedSubscriptionThatTheOtherSideLacksIsAMissingRefund(_ isOfServer: Bool) async throws {
    let (other, refunded) = (Purchase(id: 7, day: 0, end: 300), Self.refunded(Self.first, 10))
    let status = Answers.status(1, of: other, signed: 20).replacing(
      "\"originalTransactionId\":\"1\"", with: "\"originalTransactionId\":\"7\"")
    let legacy = (isOfServer ? [other] : [other, refunded]).map { Answers.answer([$0], asked: 20) }
    let server = [status] + (isOfServer ? [Answers.status(5, of: refunded, signed: 20)] : [])
    var result = try await Archives.compare(legacy, server)
    #expect(result.missing.kinds.map(\.type) == ["REFUND"])
    try Self.generous().judge(&result)
    #expect(result.gates.filter { !$0.holds }.map(\.name) == ["missingRefunds"])
  }

  /// A row that dates its cancellation and states no reason does not say that there was none.
  @Test(arguments: [true, false]) func theReasonThatV1OmitsIsNoDifferenceOfARefund(_ isDated: Bool) async throws {
    let refunded = Self.refunded(Self.first, 10)
    var row = Answers.answer([refunded], asked: 20).replacing(",\"cancellation_reason\":\"1\"", with: "")
    if !isDated { row = Answers.answer([Self.first], asked: 20) }
    let result = try await Archives.compare([row], [Answers.history([refunded], signed: 20)])
    let conflicts = result.fields.filter { $0.count(.conflict) > 0 }.map(\.path)
    #expect(conflicts.contains("transactions[*].revocationReason") == !isDated)
    #expect(result.missing.kinds.isEmpty == isDated)
  }

  /// A baseline names the single event; the fields that differ with it name any.
  @Test(arguments: [true, false]) func aBaselineAcceptsItByItsEventOnly(_ isSame: Bool) async throws {
    let legacy = [Answers.answer([Self.refunded(Self.first, 10)], asked: 20)]
    let archives = Archives(legacy: legacy, server: [Answers.history([Self.first], signed: 20)])
    let fields = ["Date", "Reason"].map {
      KnownDifference(
        path: "transactions[*].revocation\($0)", differenceClass: "conflict", kind: .absentInV2,
        legacy: "verifyReceipt",
        server: "transaction", atMost: nil, reason: "known", until: nil)
    }
    let event = KnownEvent(
      type: "REFUND", originalTransactionId: isSame ? "1" : "2", time: AccessDay.time(10), reason: "a test", until: nil)
    let access = KnownDifference(
      path: "entitlement", differenceClass: "conflict", kind: .servedForFree, legacy: "verifyReceipt",
      server: "transaction", atMost: nil, reason: "known", until: nil)
    for (differences, events, passes) in [(fields + [access], [], false), ([access], [event], isSame)] {
      var result = try await archives.compare(baseline: differences, missing: events)
      let baseline = Baseline(
        name: "known.json", differences: differences, events: events, now: Timestamp(milliseconds: 0))
      try Self.generous(baseline).judge(&result)
      #expect((result.verdict == .parity) == passes)
      #expect(result.differences.allSatisfy { !$0.path.contains("revocation") })
    }
  }

  /// What is in conflict of the purchase.
  private static func conflicts(_ result: ParityResult) -> [String] {
    result.fields.filter { $0.count(.conflict) > 0 && $0.path.hasPrefix("data.transactionInfo.") }.map(\.path)
  }

  // MARK: notifications

  private static func told(_ type: String, about bought: Purchase, day: Double, subtype: String? = nil, id: Int? = nil)
    -> String
  {
    let subtype = subtype.map { ",\"subtype\":\"\($0)\"" } ?? ""
    return """
      {"notificationType":"\(type)"\(subtype),"notificationUUID":"8ccf335f-8ea6-41b8-99b1-b9c8\(10_000_000 + (id ?? bought.id))",\
      "version":"2.0","signedDate":\(AccessDay.time(day)),"data":{"bundleId":"com.example.slipcast",\
      "environment":"Production","transactionInfo":\(bought.transaction(signed: day))}}
      """
  }

  private static func cancel(_ day: Double?) -> String {
    let listed = [third, refunded(second, 70), refunded(first, day == nil ? 70.1 : 70)]
    let message = Answers.message("CANCEL", about: third, listed: listed)
    let named = "\"notification_type\":\"CANCEL\",\"original_transaction_id\":\"1\""
    let date = day.map { ",\"cancellation_date_ms\":\"\(AccessDay.time($0))\"" } ?? ""
    return message.replacing("\"notification_type\":\"CANCEL\"", with: named + date)
  }

  /// Two messages that name no period, and two periods that were taken back at once: neither message is a repetition.
  ///
  /// Source: evidence §11, the first that fits; §15, REFUND without id.
  @Test(arguments: [70.0, nil], [1, 2]) func twoMessagesOfOneContentAreTwoRefunds(_ day: Double?, _ told: Int)
    async throws
  {
    let refunds =
      [Self.told("REFUND", about: Self.refunded(Self.second, 70), day: 70)]
      + [Self.told("REFUND", about: Self.refunded(Self.first, day == nil ? 70.1 : 70), day: day == nil ? 70.1 : 70)]
    let result = try await Archives.compare([Self.cancel(day), Self.cancel(day)], Array(refunds.prefix(told)))
    #expect(result.pairs.compared == told && result.pairs.duplicates.legacy == 0)
    #expect(result.pairs.legacyWithoutServer == 2 - told)
    let missing = result.unpaired.filter { $0.reason == .legacyWithoutServer }.map(\.event)
    #expect(missing == (told == 1 ? ["CANCEL"] : []))
    #expect(Self.conflicts(result) == [])
  }

  /// Both lists show both periods, and the flat object the one that the message is about.
  ///
  /// Source: evidence §11, evidence that excludes the others.
  @Test(arguments: [1, 2]) func theFlatObjectNamesOneOfTwoPeriodsTakenBackAtOnce(_ told: Int) async throws {
    let both = [Self.refunded(Self.second, 70), Self.refunded(Self.first, 70)]
    let messages = both.map { own in
      Self.cancel(70).replacing(
        "\"unified_receipt\"", with: "\"latest_expired_receipt_info\":\(own.row),\"unified_receipt\"")
    }
    let refunds = both.map { Self.told("REFUND", about: $0, day: 70) }
    let result = try await Archives.compare(messages, Array(refunds.prefix(told)))
    #expect(result.pairs.compared == told && Self.conflicts(result).isEmpty)
    #expect(result.missing.legacy.compactMap(\.subject.transactionId) == (told == 1 ? ["1"] : []))
  }

  /// An upgrade's CANCEL is about the period that the upgrade ended, and V2's REFUND about the one that was taken back.
  ///
  /// Source: comparison §2, an event is found by line item and type.
  @Test func theCancelOfAnUpgradeIsNotTheRefundOfAnotherPeriod() async throws {
    var (ended, dear) = (Self.second, Purchase(id: 3, day: 40, end: 70, original: 1))
    (ended.isUpgraded, ended.refund) = (true, 40)
    dear.product = "com.example.slipcast.q"
    let cancel = Answers.message("CANCEL", about: ended, listed: [dear, ended, Self.first])
      .replacing(
        "\"notification_type\":\"CANCEL\"", with: "\"notification_type\":\"CANCEL\",\"original_transaction_id\":1")
    for old in [Self.first, Self.second] {
      let refund = Self.told("REFUND", about: Self.refunded(old, 42), day: 42)
      let result = try await Archives.compare([cancel], [refund])
      #expect(result.pairs.compared == (old.id == Self.second.id ? 1 : 0))
      #expect(result.pairs.serverWithoutLegacy == (old.id == Self.second.id ? 0 : 1))
    }
  }

  /// It may have come at any time after the purchase: that its period runs on excuses nothing.
  @Test(arguments: [30.0, 365]) func aRefundWithoutADateIsMissingHoweverLongItsPeriodRuns(_ end: Double) async throws {
    let (bought, other) = (Purchase(id: 1, day: 10, end: end), Purchase(id: 7, day: 0, end: 300))
    let cancel = Answers.message("CANCEL", about: bought, listed: [bought])
    let around = [0.0, 60].map { day in
      Answers.message("DID_CHANGE_RENEWAL_STATUS", about: other, listed: [other], changed: day)
    }
    let server = [0.0, 60].map {
      Self.told("DID_CHANGE_RENEWAL_STATUS", about: other, day: $0, subtype: "AUTO_RENEW_ENABLED", id: Int($0))
    }
    let lost = try await Archives.compare(around + [cancel], server)
    #expect(lost.missing.kinds.map(\.type) == ["REFUND"])
    let whole = try await Archives.compare(
      around + [cancel], server + [Self.told("REFUND", about: Self.refunded(bought, 20), day: 20)])
    #expect(whole.missing.kinds.isEmpty)
    // When V1's access ended is unknown.
    #expect(whole.access.map { [$0.lockedOut, $0.servedForFree, $0.endChanges] } == [0, 0, 0])
  }

  /// Both archives lack the event of a refund that V1's lists show: nothing is missing on one side, and a note says so.
  @Test(arguments: [true, false]) func aRefundThatOnlyAListShowsIsNamed(_ isTold: Bool) async throws {
    let old = Self.refunded(Self.first, 40)
    let changes = [0.0, 45, 80].map { day in
      Answers.message("DID_CHANGE_RENEWAL_STATUS", about: Self.second, listed: [Self.second, old], changed: day)
    }
    let server = [0.0, 45, 80].map {
      Self.told("DID_CHANGE_RENEWAL_STATUS", about: Self.second, day: $0, subtype: "AUTO_RENEW_ENABLED", id: Int($0))
    }
    let cancel = Answers.message("CANCEL", about: old, listed: [Self.second, old])
    let result = try await Archives.compare(
      changes + (isTold ? [cancel] : []), server + (isTold ? [Self.told("REFUND", about: old, day: 40)] : []))
    #expect(result.missing.kinds.isEmpty)
    let note = result.notes.first { $0.code == "refundsOnlyListed" }
    #expect((note != nil) == !isTold && note?.message.contains("1 refund") != false)
  }

  /// The end of auto-renewal is no other report of a refund that V1 lacks.
  @Test func aMessageThatTellsOfNoRefundIsNotPairedWithOne() async throws {
    let off = Answers.message(
      "DID_CHANGE_RENEWAL_STATUS", about: Self.second, listed: [Self.second, Self.first], changed: 40
    ).replacing("\"auto_renew_status\":\"true\"", with: "\"auto_renew_status\":\"false\"")
    let result = try await Archives.compare(
      [off], [Self.told("REFUND", about: Self.refunded(Self.second, 40), day: 40)])
    #expect(result.pairs.compared == 0)
    #expect(result.pairs.legacyWithoutServer == 1 && result.pairs.serverWithoutLegacy == 1)
  }

  /// What turned auto-renew off was the refund of an older period; V2 may tell of either.
  @Test(arguments: ["REFUND", "DID_CHANGE_RENEWAL_STATUS"])
  func aStatusOfAnOlderRefundIsAboutThatPeriod(_ type: String) async throws {
    let old = Self.refunded(Self.first, 40)
    let off = Answers.message(
      "DID_CHANGE_RENEWAL_STATUS", about: Self.second, listed: [Self.second, old], changed: 40.0001
    ).replacing("\"auto_renew_status\":\"true\"", with: "\"auto_renew_status\":\"false\"")
    let isRefund = type == "REFUND"
    let server = Self.told(
      type, about: isRefund ? old : Self.second, day: 40.0002, subtype: isRefund ? nil : "AUTO_RENEW_DISABLED")
    let result = try await Archives.compare([off], [server])
    #expect(result.pairs.compared == 1)
    #expect(Self.conflicts(result) == [])
  }

  /// Apple dates the cancellation of a consumable in V2 only: the message itself says that it was taken back.
  @Test func aRefundWhoseListLacksTheCancellationTakesAccessBack() async throws {
    let coins = Purchase(id: 9, day: 1, type: "Consumable")
    let message = Answers.message("REFUND", about: coins, listed: [coins])
      .replacing(
        "\"notification_type\":\"REFUND\"", with: "\"notification_type\":\"REFUND\",\"original_transaction_id\":9"
      )
      .replacing("\"auto_renew_product_id\":\"com.example.slipcast.p\",", with: "")
    let result = try await Archives.compare(
      [message], [Self.told("REFUND", about: Self.refunded(coins, 2), day: 2)])
    #expect(result.pairs.compared == 1)
    #expect(Self.conflicts(result) == [])
    #expect(result.access?.lockedOut == 0)
  }
}
