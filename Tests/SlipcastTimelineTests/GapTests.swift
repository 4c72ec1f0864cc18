import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import SlipcastV2
import SlipcastWire
import Testing

/// Events that V2 sends and V1 never does, each by its trace; and the same history without the trace.
@Suite struct GapTests {
  private typealias Period = Message.Period
  private typealias Scenario = GroupingScenarioTests
  private static let old = Scenario.old
  private static let buy = Message(type: "INITIAL_BUY", periods: [old], isAutoRenewOn: true)
  private static let off = Scenario.status(false, at: Message.day(5), [old])
  private static let disabled = "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"
  private static let next = Period(line: "200", purchase: Message.day(30), expires: Message.day(60))
  private static let renew = Message(type: "DID_RENEW", periods: [next, old], isAutoRenewOn: true)
  private static let back = Period(line: "300", purchase: Message.day(50), expires: Message.day(80))
  private static let comeback = Message(type: "INTERACTIVE_RENEWAL", periods: [back, old], isAutoRenewOn: true)

  // MARK: EXPIRED/VOLUNTARY

  @Test func aLapseIsToldByTheReturn() throws {
    let words = try History.words([Self.buy, Self.off, Self.comeback])
    #expect(words == ["SUBSCRIBED/INITIAL_BUY", Self.disabled, "(EXPIRED/VOLUNTARY)", "SUBSCRIBED/RESUBSCRIBE"])
    let gap = try #require(try History.gaps([Self.buy, Self.off, Self.comeback]).first)
    #expect((gap.time, gap.timing, gap.isComparable) == (Message.day(30), .exact, true))
    #expect((gap.rule, gap.trace) == ("server.EXPIRED.VOLUNTARY", "data.renewalInfo.autoRenewStatus"))
    // As certain as the return, which may be a recovery.
    #expect(gap.confidence == .inferred && gap.source == "V1-TYPE" && gap.meaning.hasSuffix("."))
  }

  @Test func aLapseIsNotJudgedByTheClock() throws {
    #expect(try History.gaps([Self.buy, Self.off]).isEmpty)
    #expect(try History.gaps([Self.buy, Self.off], asOf: Message.day(30, -1)).isEmpty)
    #expect(try History.gaps([Self.buy, Self.off], asOf: Message.day(30)).map(\.rule) == ["server.EXPIRED.VOLUNTARY"])
  }

  @Test func aLapseIsToldByALaterRefundOfThePeriod() throws {
    let words = try History.words([Self.buy, Self.off, Scenario.refund(Self.old, at: Message.day(40))])
    #expect(words == ["SUBSCRIBED/INITIAL_BUY", Self.disabled, "(EXPIRED/VOLUNTARY)", "REFUND"])
  }

  /// A purchase that no message reports is a renewal within the window of a lapse, which is shorter in the Sandbox.
  @Test(arguments: [false, true], [Int64(0), 1000])
  func aPurchaseThatOnlyOtherRecordsShowIsARenewalWithinTheGap(_ isSandbox: Bool, _ beyond: Int64) throws {
    let window = BuiltIn.rules.window(.gap)
    let events = try [Self.buy, Self.off].enumerated().map { place, message in
      var message = message
      if isSandbox { message.environment = "Sandbox" }
      return try message.stored(place: Int64(place))
    }
    var options = TimelineOptions()
    (options.format, options.asOf) = (.json, Message.day(60))
    let length = isSandbox ? window.sandbox : window.milliseconds
    options.evidence = Evidence(end: { end in end.next = end.expires + length + beyond })
    var bytes: [UInt8] = []
    let writer = TimelineWriter(rules: BuiltIn.rules, options: options) { bytes.append(contentsOf: $0) }
    for event in Outcome.sorted(events) { try writer.feed(event) }
    try writer.finish()
    #expect(String(decoding: bytes, as: UTF8.self).contains("EXPIRED") == (beyond > 0))
  }

  /// What lists show of the period that the messages are about.
  private struct Evidence: LifeEvidence {
    var end: @Sendable (inout PeriodEnd) -> Void = { _ in }
    var untold: [UntoldPeriod.Key: UntoldPeriod] = [:]
    var first: UntoldPeriod?

    func end(ofPeriod name: String, bought purchase: Int64) -> PeriodEnd? {
      var end = PeriodEnd(id: HistoryMessage.number(ofPeriod: name), purchase: purchase, expires: Message.day(30))
      self.end(&end)
      return end
    }

    func untold(after period: UntoldPeriod.Key) -> UntoldPeriod? { untold[period] }
    func firstUntold(before period: UntoldPeriod.Key) -> UntoldPeriod? { first }
  }

  private static func key(_ line: String, _ day: Int64) -> UntoldPeriod.Key {
    UntoldPeriod.Key(id: HistoryMessage.number(ofPeriod: line), purchase: Message.day(day))
  }

  // MARK: periods that no message is about

  /// Two periods that only lists show, between a purchase and a change of auto-renew in the fourth period.
  @Test(arguments: [(true, 0, Confidence.documented), (false, 0, .inferred), (true, 60_000, .inferred)])
  func renewalsWithoutMessagesAreTold(_ isWhole: Bool, _ late: Int64, _ confidence: Confidence) throws {
    func period(_ line: String, from start: Int64, to end: Int64) -> UntoldPeriod {
      var key = Self.key(line, start)
      if start == 30 { key.purchase += late }
      var period = UntoldPeriod(
        key: key, expires: Message.day(end), product: UntoldPeriod.number(ofProduct: "com.example.\(Self.old.product)"))
      period.isListedWhole = isWhole
      return period
    }
    let (second, third) = (period("200", from: 30, to: 60), period("300", from: 60, to: 90))
    let last = Period(line: "400", purchase: Message.day(90), expires: Message.day(120))
    let evidence = Evidence(untold: [Self.key(Self.old.line, 0): second, second.key: third])
    let messages = [Self.buy, Scenario.status(false, at: Message.day(100), [last])]
    let gaps = try History.gaps(messages, evidence: evidence)
    #expect(gaps.map(\.event.description) == ["DID_RENEW", "DID_RENEW", "DID_RENEW"])
    #expect(gaps.map(\.time) == [Message.day(30) + late, Message.day(60), Message.day(90)])
    #expect(gaps.map(\.expires) == [Message.day(60), Message.day(90), Message.day(120)])
    #expect(gaps.first?.confidence == confidence && gaps.last?.confidence == .documented)
    #expect(gaps.allSatisfy { $0.candidates.map(\.subtype) == [nil, "BILLING_RECOVERY"] })
    let complete = [Message.day(-10)...Message.day(130)]
    let certain = try History.gaps(messages, complete: complete, evidence: evidence)
    #expect(certain.allSatisfy { $0.candidates.isEmpty && $0.timing == .exact })
    #expect(gaps.allSatisfy { $0.isSent && $0.productId == "com.example.\(Self.old.product)" })
  }

  /// Where a message reports the renewal, none is missing.
  @Test func aReportedRenewalIsNotMissing() throws {
    #expect(try History.gaps([Self.buy, Self.renew]).isEmpty)
    let off = Scenario.status(false, at: Message.day(40), [Self.next, Self.old])
    #expect(try History.words([Self.buy, off]) == ["SUBSCRIBED/INITIAL_BUY", "(DID_RENEW)", Self.disabled])
    #expect(try History.words([Self.buy, off, Self.renew]).filter { $0 == "(DID_RENEW)" }.isEmpty)
  }

  /// A purchase within the retries may be a recovery; later it proves that the period had ended.
  @Test(arguments: [(40, 0), (89, 0), (91, 1)] as [(Int64, Int)])
  func aPurchaseThatOnlyListsShowEndsThePeriodBeforeIt(_ day: Int64, _ lapses: Int) throws {
    let next = UntoldPeriod(key: Self.key("200", day), expires: Message.day(day + 30), product: 1)
    let evidence = Evidence(untold: [Self.key(Self.old.line, 0): next])
    let gaps = try History.gaps([Self.buy], evidence: evidence)
    #expect(gaps.map(\.rule) == Array(repeating: "server.EXPIRED.unknown", count: lapses))
    #expect(gaps.allSatisfy { $0.confidence == .inferred && $0.timing == .earliest })
  }

  // MARK: ends for an unknown reason

  /// Source: evidence §14, a period that ended and a later purchase that was no renewal.
  @Test func aReturnProvesThatThePeriodBeforeItEnded() throws {
    let gap = try #require(try History.gaps([Self.buy, Self.comeback]).first)
    #expect((gap.rule, gap.time, gap.timing) == ("server.EXPIRED.unknown", Message.day(30), .earliest))
    #expect(
      gap.event.subtype == nil && gap.candidates.map(\.subtype).contains("VOLUNTARY") && gap.candidates.count == 5)
    #expect(gap.expires == Message.day(30) && gap.productId == "com.example.\(Self.old.product)")
    let words = try History.words([Self.buy, Self.comeback])
    #expect(words == ["SUBSCRIBED/INITIAL_BUY", "(EXPIRED)", "SUBSCRIBED/RESUBSCRIBE"])
  }

  /// A customer who buys again while Apple retries the renewal ends nothing.
  @Test func aReturnDuringTheRetriesProvesNoEnd() throws {
    var failed = Message(type: "DID_FAIL_TO_RENEW", periods: [Self.old], isAutoRenewOn: true)
    failed.renewal = [("is_in_billing_retry_period", "1"), ("expiration_intent", "2")]
    #expect(try History.gaps([Self.buy, failed, Self.comeback]).isEmpty)
    #expect(try History.gaps([Self.buy, Self.comeback]).map(\.confidence) == [.inferred])
  }

  /// Silence proves nothing without the owner's word that no message is missing.
  @Test(arguments: [(false, Confidence.inferred), (true, .documented)])
  func silenceProvesAnEndOnlyInACompleteArchive(_ isComplete: Bool, _ confidence: Confidence) throws {
    let complete = isComplete ? [Message.day(0)...Message.day(60)] : []
    let gap = try #require(try History.gaps([Self.buy, Self.off], asOf: Message.day(60), complete: complete).first)
    #expect((gap.rule, gap.confidence) == ("server.EXPIRED.VOLUNTARY", confidence))
  }

  /// A later record that states the reason proves it, too.
  @Test func aLaterRecordProvesAnEnd() throws {
    let evidence = Evidence(end: { $0.intents = 1 << 1 })
    let gap = try #require(try History.gaps([Self.buy, Self.off], asOf: Message.day(60), evidence: evidence).first)
    #expect((gap.rule, gap.confidence) == ("server.EXPIRED.VOLUNTARY", .documented))
  }

  @Test func aRequestForConsentThatNobodyAnswersLeavesTheReasonOpen() throws {
    var asked = Message(
      type: "PRICE_INCREASE_CONSENT", periods: [Self.old], isAutoRenewOn: true, received: Message.day(9))
    asked.renewal = [("price_consent_status", "0")]
    let gap = try #require(try History.gaps([Self.buy, asked], asOf: Message.day(60)).first)
    #expect((gap.rule, gap.confidence, gap.time) == ("server.EXPIRED.consent", .inferred, Message.day(30)))
    #expect(gap.candidates.map(\.description) == ["EXPIRED/PRICE_INCREASE", "EXPIRED/VOLUNTARY"])
  }

  @Test func aConsentComesBeforeTheRenewalThatShowsIt() throws {
    var asked = Message(
      type: "PRICE_INCREASE_CONSENT", periods: [Self.old], isAutoRenewOn: true, received: Message.day(9))
    asked.renewal = [("price_consent_status", "0")]
    var renewed = Self.renew
    renewed.renewal = [("price_consent_status", "1")]
    let words = try History.words([Self.buy, asked, renewed])
    #expect(words.suffix(2) == ["(PRICE_INCREASE/ACCEPTED)", "DID_RENEW"])
  }

  // MARK: recoveries inside a grace period

  /// The recovery keeps the billing date; it is after every message that knows only older periods.
  ///
  /// Source: evidence §12.
  @Test(arguments: [Message.day(34), nil] as [Int64?])
  func aRecoveryInsideGraceIsAfterTheMessagesThatDoNotKnowIt(_ received: Int64?) throws {
    let recovery = Message(
      type: "DID_RECOVER", periods: [Self.next, Self.old], isAutoRenewOn: true, received: received)
    let off = Scenario.status(false, at: Message.day(32), [Self.old])
    let entries = try History.entries([Self.buy, recovery, off])
    guard case .event(let last)? = entries.last else {
      Issue.record("no event at the end")
      return
    }
    #expect(last.event?.description == "DID_RENEW/BILLING_RECOVERY" && last.time == received)
    #expect(last.timeSource == (received == nil ? .unknown : .receivedAt))
    guard case .event(let before) = entries[entries.count - 2] else { return }
    #expect(last.after == before.facts.notificationUUID && before.lead.notification_type == off.type)
  }

  @Test func aRefundedPeriodDoesNotLapse() throws {
    let refund = Scenario.refund(Self.old, at: Message.day(10))
    #expect(try History.gaps([Self.buy, Self.off, refund, Self.comeback], asOf: Message.day(100)).isEmpty)
  }

  @Test func theIntentOfALaterBodyTellsTheLapse() throws {
    var late = Scenario.refund(Self.old, at: Message.day(40))
    late.renewal = [("expiration_intent", "1")]
    let gap = try #require(try History.gaps([Self.buy, late]).first)
    #expect((gap.time, gap.trace) == (Message.day(30), "data.renewalInfo.expirationIntent"))
  }

  @Test(arguments: [("expiration_intent", "2"), ("is_in_billing_retry_period", "1")])
  func aBillingErrorIsNoLapse(_ name: String, _ value: String) throws {
    var late = Scenario.refund(Self.old, at: Message.day(40))
    late.renewal = [(name, value)]
    #expect(try History.gaps([Self.buy, Self.off, late]).isEmpty)
  }

  @Test func aRenewalThatFollowsMeansThatItWasTurnedOnAgain() throws {
    #expect(try History.gaps([Self.buy, Self.off, Self.renew], asOf: Message.day(31)).isEmpty)
  }

  @Test func anExpiryThatV1TellsIsNoGap() throws {
    var ended = Scenario.status(false, at: Message.day(90), [Self.old])
    ended.renewal = [("expiration_intent", "2"), ("is_in_billing_retry_period", "0")]
    let words = try History.words([Self.buy, Self.off, ended], asOf: Message.day(100))
    #expect(words == ["SUBSCRIBED/INITIAL_BUY", Self.disabled, "EXPIRED/BILLING_RETRY"])
  }

  @Test func whatDoesNotShowTheNewestPeriodIsNoEvidenceButKeepsItsPlace() throws {
    let ancient = Period(line: "050", purchase: Message.day(-30), expires: Message.day(0))
    let refund = Scenario.refund(ancient, at: Message.day(45))
    #expect(try History.gaps([Self.buy, Self.off, refund]).isEmpty)
    let words = try History.words([Self.buy, Self.off, refund, Self.comeback])
    #expect(
      words == ["SUBSCRIBED/INITIAL_BUY", Self.disabled, "(EXPIRED/VOLUNTARY)", "REFUND", "SUBSCRIBED/RESUBSCRIBE"])
  }

  // MARK: GRACE_PERIOD_EXPIRED

  private static func failure(graceDays: Int64 = 16) -> Message {
    var failure = Message(type: "DID_FAIL_TO_RENEW", periods: [old], isAutoRenewOn: true)
    failure.renewal = [
      ("grace_period_expires_date_ms", "\(Message.day(30 + graceDays))"), ("is_in_billing_retry_period", "1"),
      ("expiration_intent", "2"),
    ]
    return failure
  }

  private static func recovery(_ day: Int64) -> Message {
    let period = Period(line: "400", purchase: Message.day(day), expires: Message.day(day + 30))
    return Message(type: "DID_RECOVER", periods: [period, old], isAutoRenewOn: true)
  }

  @Test func graceEndsWithoutRecovery() throws {
    let words = try History.words([Self.buy, Self.failure(), Self.recovery(50)])
    #expect(
      words == [
        "SUBSCRIBED/INITIAL_BUY", "DID_FAIL_TO_RENEW/GRACE_PERIOD", "(GRACE_PERIOD_EXPIRED)",
        "DID_RENEW/BILLING_RECOVERY",
      ])
    let gap = try #require(try History.gaps([Self.failure()], asOf: Message.day(46)).first)
    #expect((gap.time, gap.trace) == (Message.day(46), "data.renewalInfo.gracePeriodExpiresDate"))
  }

  @Test(arguments: [31, 46] as [Int64])
  func recoveryInGraceEndsIt(_ day: Int64) throws {
    #expect(try History.gaps([Self.buy, Self.failure(), Self.recovery(day)], asOf: Message.day(90)).isEmpty)
  }

  @Test func graceIsNotOverBeforeItsDate() throws {
    #expect(try History.gaps([Self.buy, Self.failure()], asOf: Message.day(46, -1)).isEmpty)
  }

  @Test func aRenewalBehindAMissingRecoveryTellsNothing() throws {
    let later = Period(line: "500", purchase: Message.day(65), expires: Message.day(95))
    let renew = Message(type: "DID_RENEW", periods: [later], isAutoRenewOn: true)
    #expect(try History.gaps([Self.buy, Self.failure(), renew], asOf: Message.day(66)).isEmpty)
  }

  @Test func theEndOfRetryComesBehindTheEndOfGrace() throws {
    var ended = Self.failure()
    (ended.type, ended.isAutoRenewOn, ended.changed) = ("DID_CHANGE_RENEWAL_STATUS", false, Message.day(90))
    ended.renewal[1] = ("is_in_billing_retry_period", "0")
    let expected = ["DID_FAIL_TO_RENEW/GRACE_PERIOD", "(GRACE_PERIOD_EXPIRED)", "EXPIRED/BILLING_RETRY"]
    #expect(try History.words([Self.failure(), ended], asOf: Message.day(200)) == expected)
    // V1 keeps a past grace date; also the last message alone shows that it passed.
    #expect(try History.words([ended]) == Array(expected.dropFirst()))
  }

  // MARK: OFFER_REDEEMED

  @Test func anOfferOfTheNextPeriodAppears() throws {
    var pending = Self.off
    pending.renewal = [("promotional_offer_id", "stay")]
    let gap = try #require(try History.gaps([Self.buy, pending]).first)
    #expect((gap.rule, gap.trace) == ("server.OFFER_REDEEMED", "data.renewalInfo.offerIdentifier"))
    #expect((gap.time, gap.timing) == (Message.day(5), .latest))
    // The renewal that carries it out is not a second redemption.
    var renewed = Self.next
    renewed.promotionalOffer = "stay"
    let renew = Message(type: "DID_RENEW", periods: [renewed, Self.old], isAutoRenewOn: true)
    #expect(try History.gaps([Self.buy, pending, renew]).count == 1)
  }

  @Test func anOfferAppearsWithARenewal() throws {
    var renewed = Self.next
    renewed.promotionalOffer = "stay"
    let renew = Message(type: "DID_RENEW", periods: [renewed, Self.old], isAutoRenewOn: true)
    let gap = try #require(try History.gaps([Self.buy, renew]).first)
    #expect((gap.rule, gap.trace) == ("server.OFFER_REDEEMED", "data.transactionInfo.offerIdentifier"))
    // Nothing is known before the first message.
    #expect(try History.gaps([renew]).isEmpty)
  }

  @Test func anOfferThatAnEventTellsIsNoGap() throws {
    #expect(try History.gaps([Self.buy] + Scenario.upgrade(offer: "half")).isEmpty)
  }

  // MARK: PRICE_INCREASE/ACCEPTED

  @Test func consentIsGiven() throws {
    var asked = Message(
      type: "PRICE_INCREASE_CONSENT", periods: [Self.old], isAutoRenewOn: true, received: Message.day(3))
    asked.renewal = [("price_consent_status", "0")]
    var given = Self.renew
    given.renewal = [("price_consent_status", "1")]
    let words = try History.words([Self.buy, asked, given, given])
    #expect(words == ["SUBSCRIBED/INITIAL_BUY", "PRICE_INCREASE/PENDING", "(PRICE_INCREASE/ACCEPTED)", "DID_RENEW"])
    asked.renewal = [("price_consent_status", "1")]
    #expect(try History.words([asked]) == ["PRICE_INCREASE/PENDING", "(PRICE_INCREASE/ACCEPTED)"])
  }

  @Test func anIncreaseWithoutConsentIsAccepted() throws {
    var given = Self.renew
    given.renewal = [("price_increase_status", "1")]
    #expect(try History.gaps([Self.buy, given]).map(\.rule) == ["server.PRICE_INCREASE.ACCEPTED"])
    #expect(try History.gaps([given]).isEmpty)
  }

  // MARK: Family Sharing

  private static func shared(_ period: Period) -> Period {
    var period = period
    period.isFamilyShared = true
    return period
  }

  @Test func aFamilyMemberGainsAccess() throws {
    let renew = Message(type: "DID_RENEW", periods: [Self.shared(Self.next)], isAutoRenewOn: true)
    let gap = try #require(try History.gaps([renew, renew]).first)
    #expect((gap.rule, gap.timing) == ("server.SUBSCRIBED.INITIAL_BUY.FAMILY_SHARED", .latest))
    // Evidence §1: the purchaser may have subscribed for the first time or again. Access comes before its renewal.
    #expect(gap.confidence == .inferred)
    #expect(try History.words([renew]) == ["(SUBSCRIBED/INITIAL_BUY)", "DID_RENEW"])
    #expect(try History.gaps([Self.renew]).isEmpty)
  }

  /// Source: S2, notificationType SUBSCRIBED is about subscriptions; Family Sharing is not.
  @Test func aSharedProductThatIsNoSubscriptionIsNotSubscribed() throws {
    let product = Message.object([
      ("transaction_id", Message.original), ("original_transaction_id", Message.original), ("quantity", "1"),
      ("product_id", "com.example.pro"), ("purchase_date_ms", "\(Message.day(0))"),
      ("original_purchase_date_ms", "\(Message.day(0))"), ("in_app_ownership_type", "FAMILY_SHARED"),
      ("cancellation_date_ms", "\(Message.day(4))"), ("cancellation_reason", "0"),
    ])
    let body = """
      {"notification_type":"REVOKE","environment":"PROD","bid":"com.example.app","original_transaction_id":4711,\
      "unified_receipt":{"status":0,"latest_receipt_info":[\(product)]}}
      """
    let text = try History.text([try Message.stored(body, type: "REVOKE")], .json)
    #expect(text.contains(#""notificationType":"REVOKE""#) && !text.contains(#""kind":"gap""#))
  }

  @Test func aFamilyMemberGainsAccessAgain() throws {
    var revoked = Self.shared(Self.old)
    revoked.cancellation = Message.day(12)
    let revoke = Message(type: "REVOKE", periods: [revoked], isAutoRenewOn: false)
    let renew = Message(type: "DID_RENEW", periods: [Self.shared(Self.back)], isAutoRenewOn: true)
    let words = try History.words([revoke, renew])
    #expect(words == ["(SUBSCRIBED/INITIAL_BUY)", "REVOKE", "(SUBSCRIBED/RESUBSCRIBE)", "DID_RENEW"])
  }

  // MARK: RENEWAL_EXTENDED, eras, what leaves no trace

  @Test func theExpiryOfALineItemGrows() throws {
    var longer = Self.old
    longer.expires = Message.day(44)
    let off = Scenario.status(false, at: Message.day(20), [longer])
    let gap = try #require(try History.gaps([Self.buy, off]).first)
    #expect((gap.rule, gap.confidence) == ("server.RENEWAL_EXTENDED", .inferred))
    #expect(try History.gaps([Self.buy, Self.off]).isEmpty)
  }

  @Test func beforeV2WentLiveNothingIsMissing() throws {
    let shift = Message.day(-500) - Message.day(0)
    let period = Period(line: "1", purchase: Message.day(-500), expires: Message.day(-470))
    let off = Scenario.status(false, at: Message.day(5) + shift, [period])
    let gap = try #require(try History.gaps([off], asOf: Message.day(-400)).first)
    #expect(!gap.isComparable)
  }

  @Test func onlyEventsWithoutATraceStandInTheLegend() throws {
    let legend = try History.text([], .json).split(separator: "\n")
    let events = BuiltIn.rules.serverEvents.filter { event in
      event.test == nil && event.environment == nil && event.present == nil && event.trace.hasPrefix("None")
        && event.event.notificationType != "*"
    }
    #expect(legend.count == events.count)
    #expect(legend.contains { $0.contains("REFUND_DECLINED") } && legend.contains { $0.contains("REFUND_REVERSED") })
    #expect(!legend.contains { $0.contains("RENEWAL_EXTENDED") })
    #expect(
      legend.contains { $0.contains("UNCLAIM_SEATS") } && !legend.contains { $0.contains("EXPIRED/PRICE_INCREASE") })
  }
}
