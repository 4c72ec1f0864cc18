import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import SlipcastV2
import Testing

/// Events that V2 sends and V1 never does, each by its trace; and the same history without the trace.
@Suite struct GapTests {
  private typealias Period = Message.Period
  private typealias Scenario = GroupingScenarioTests

  // MARK: EXPIRED/VOLUNTARY

  @Test func aLapseIsToldByTheReturn() throws {
    let words = try History.words([Story.buy, Story.off, Story.comeback])
    #expect(words == ["SUBSCRIBED/INITIAL_BUY", Story.disabled, "(EXPIRED/VOLUNTARY)", "SUBSCRIBED/RESUBSCRIBE"])
    let gap = try #require(try History.gaps([Story.buy, Story.off, Story.comeback]).first)
    #expect((gap.time, gap.timing, gap.isComparable) == (Message.day(30), .exact, true))
    #expect((gap.rule, gap.trace) == ("server.EXPIRED.VOLUNTARY", "data.renewalInfo.autoRenewStatus"))
    // As certain as the return, which may be a recovery.
    #expect(gap.confidence == .inferred && gap.source == "V1-TYPE" && gap.meaning.hasSuffix("."))
  }

  @Test func aLapseIsNotJudgedByTheClock() throws {
    #expect(try History.gaps([Story.buy, Story.off]).isEmpty)
    #expect(try History.gaps([Story.buy, Story.off], asOf: Message.day(30, -1)).isEmpty)
    #expect(
      try History.gaps([Story.buy, Story.off], asOf: Message.day(30)).map(\.rule) == ["server.EXPIRED.VOLUNTARY"])
  }

  @Test func aLapseIsToldByALaterRefundOfThePeriod() throws {
    let words = try History.words([Story.buy, Story.off, Scenario.refund(Story.old, at: Message.day(40))])
    #expect(words == ["SUBSCRIBED/INITIAL_BUY", Story.disabled, "(EXPIRED/VOLUNTARY)", "REFUND"])
  }

  @Test func aRefundedPeriodDoesNotLapse() throws {
    let refund = Scenario.refund(Story.old, at: Message.day(10))
    #expect(try History.gaps([Story.buy, Story.off, refund, Story.comeback], asOf: Message.day(100)).isEmpty)
  }

  @Test func theIntentOfALaterBodyTellsTheLapse() throws {
    var late = Scenario.refund(Story.old, at: Message.day(40))
    late.renewal = [("expiration_intent", "1")]
    let gap = try #require(try History.gaps([Story.buy, late]).first)
    #expect((gap.time, gap.trace) == (Message.day(30), "data.renewalInfo.expirationIntent"))
  }

  /// Whoever turns auto-renew off while Apple retries the renewal has the same intent.
  ///
  /// Where the messages between are missing, the end may be later than that of the period.
  @Test(arguments: [
    (1, false, Gap.Timing.earliest, Confidence.documented), (1, true, .exact, .documented),
    (0, false, .exact, .inferred),
  ])
  func theIntentThatAnotherRecordShowsProvesTheReasonAndNotTheTime(
    _ intent: Int64, _ isComplete: Bool, _ timing: Gap.Timing, _ confidence: Confidence
  ) throws {
    let evidence = ListedEvidence(end: { $0.intents = intent == 0 ? 0 : 1 << intent })
    let complete = isComplete ? [Message.day(-10)...Message.day(300)] : []
    let asOf = Message.day(60)
    let gaps = try History.gaps([Story.buy, Story.off], asOf: asOf, complete: complete, evidence: evidence)
    let gap = try #require(gaps.first)
    #expect((gap.rule, gap.time, gap.timing) == ("server.EXPIRED.VOLUNTARY", Message.day(30), timing))
    #expect(gap.confidence == confidence)
  }

  @Test(arguments: [("expiration_intent", "2"), ("is_in_billing_retry_period", "1")])
  func aBillingErrorIsNoLapse(_ name: String, _ value: String) throws {
    var late = Scenario.refund(Story.old, at: Message.day(40))
    late.renewal = [(name, value)]
    #expect(try History.gaps([Story.buy, Story.off, late]).isEmpty)
  }

  @Test func aRenewalThatFollowsMeansThatItWasTurnedOnAgain() throws {
    #expect(try History.gaps([Story.buy, Story.off, Story.renew], asOf: Message.day(31)).isEmpty)
  }

  @Test func anExpiryThatV1TellsIsNoGap() throws {
    var ended = Scenario.status(false, at: Message.day(90), [Story.old])
    ended.renewal = [("expiration_intent", "2"), ("is_in_billing_retry_period", "0")]
    let words = try History.words([Story.buy, Story.off, ended], asOf: Message.day(100))
    #expect(words == ["SUBSCRIBED/INITIAL_BUY", Story.disabled, "EXPIRED/BILLING_RETRY"])
  }

  @Test func whatDoesNotShowTheNewestPeriodIsNoEvidenceButKeepsItsPlace() throws {
    let ancient = Period(line: "050", purchase: Message.day(-30), expires: Message.day(0))
    let refund = Scenario.refund(ancient, at: Message.day(45))
    #expect(try History.gaps([Story.buy, Story.off, refund]).isEmpty)
    let words = try History.words([Story.buy, Story.off, refund, Story.comeback])
    #expect(
      words == ["SUBSCRIBED/INITIAL_BUY", Story.disabled, "(EXPIRED/VOLUNTARY)", "REFUND", "SUBSCRIBED/RESUBSCRIBE"])
  }

  /// The edge of `decision.window.settled`: later, a period without a message may be a return.
  @Test(arguments: [(-1, true), (0, true), (1, false)] as [(Int64, Bool)])
  func aPeriodWithoutAMessageRenewsTheOneBeforeWithinItsWindow(_ seconds: Int64, _ isRenewal: Bool) throws {
    let purchase = Message.day(30) + BuiltIn.rules.window(.settled).milliseconds + seconds * 1000
    let next = Period(line: "400", purchase: purchase, expires: Message.day(60))
    let gaps = try History.gaps([Story.buy, Scenario.status(false, at: Message.day(45), [next, Story.old])])
    #expect(gaps.contains { $0.rule.hasPrefix("renewal") || $0.rule.contains("DID_RENEW") } == isRenewal)
  }

  // MARK: GRACE_PERIOD_EXPIRED

  private static func failure(graceDays: Int64 = 16) -> Message {
    var failure = Message(type: "DID_FAIL_TO_RENEW", periods: [Story.old], isAutoRenewOn: true)
    failure.renewal = [
      ("grace_period_expires_date_ms", "\(Message.day(30 + graceDays))"), ("is_in_billing_retry_period", "1"),
      ("expiration_intent", "2"),
    ]
    return failure
  }

  private static func recovery(_ day: Int64) -> Message {
    let period = Period(line: "400", purchase: Message.day(day), expires: Message.day(day + 30))
    return Message(type: "DID_RECOVER", periods: [period, Story.old], isAutoRenewOn: true)
  }

  @Test func graceEndsWithoutRecovery() throws {
    let words = try History.words([Story.buy, Self.failure(), Self.recovery(50)])
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
    #expect(try History.gaps([Story.buy, Self.failure(), Self.recovery(day)], asOf: Message.day(90)).isEmpty)
  }

  /// The subscription may have ended by the customer's choice, before the grace period did.
  @Test(arguments: [(false, Confidence.documented), (true, .inferred)])
  func graceEndsForCertainOnlyWhereAutoRenewStaysOn(_ isTurnedOff: Bool, _ confidence: Confidence) throws {
    let off = Scenario.status(false, at: Message.day(29, 3_600_000), [Story.old])
    let messages = [Story.buy, Self.failure()] + (isTurnedOff ? [off] : [])
    let complete = [Message.day(-10)...Message.day(300)]
    let gaps = try History.gaps(messages, asOf: Message.day(60), complete: complete)
    let gap = try #require(gaps.first { $0.rule == "server.GRACE_PERIOD_EXPIRED" })
    #expect((gap.time, gap.confidence) == (Message.day(46), confidence))
  }

  /// A purchase in the grace period, of which only a message tells that came after the recovery of another period.
  @Test(arguments: [(40, false), (50, true)] as [(Int64, Bool)])
  func aPurchaseInGraceThatIsToldLaterDisprovesItsEnd(_ day: Int64, _ ends: Bool) throws {
    let bought = Period(line: "350", purchase: Message.day(day), expires: Message.day(day + 20))
    var recovery = Self.recovery(75)
    recovery.periods.insert(bought, at: 1)
    let refund = Scenario.refund(bought, at: Message.day(80))
    let rules = try History.gaps([Story.buy, Self.failure(), recovery, refund]).map(\.rule)
    #expect(rules.contains("server.GRACE_PERIOD_EXPIRED") == ends)
  }

  /// A later list says that the customer ended the subscription; no message says when.
  @Test(arguments: [(Int64(1), Confidence.inferred), (2, .documented)])
  func theIntentThatAnotherRecordShowsMayBeOlderThanTheEndOfGrace(_ intent: Int64, _ confidence: Confidence) throws {
    let evidence = ListedEvidence(end: { $0.intents = 1 << intent })
    let complete = [Message.day(-10)...Message.day(300)]
    let gaps = try History.gaps(
      [Story.buy, Self.failure()], asOf: Message.day(60), complete: complete, evidence: evidence)
    #expect(gaps.first { $0.rule == "server.GRACE_PERIOD_EXPIRED" }?.confidence == confidence)
  }

  /// Source: from late 2021 on V1 sends to family members what it sends to purchasers (eras, family-events).
  @Test(arguments: [(Int64(-300), Confidence.inferred), (0, .documented)])
  func silenceAboutAFamilyMemberProvesNothingBeforeV1ToldOfThem(_ shift: Int64, _ confidence: Confidence) throws {
    var failure = Self.failure()
    failure.periods = [
      Self.shared(Period(line: "200", purchase: Message.day(shift), expires: Message.day(shift + 30)))
    ]
    failure.renewal[0].1 = "\(Message.day(shift + 46))"
    let complete = [Message.day(-500)...Message.day(300)]
    let gaps = try History.gaps([failure], asOf: Message.day(60), complete: complete)
    #expect(gaps.first { $0.rule == "server.GRACE_PERIOD_EXPIRED" }?.confidence == confidence)
  }

  @Test func graceIsNotOverBeforeItsDate() throws {
    #expect(try History.gaps([Story.buy, Self.failure()], asOf: Message.day(46, -1)).isEmpty)
  }

  @Test func aRenewalBehindAMissingRecoveryTellsNothing() throws {
    let later = Period(line: "500", purchase: Message.day(65), expires: Message.day(95))
    let renew = Message(type: "DID_RENEW", periods: [later], isAutoRenewOn: true)
    #expect(try History.gaps([Story.buy, Self.failure(), renew], asOf: Message.day(66)).isEmpty)
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

  /// The last choice that a message shows is the last one only where its time is known.
  @Test(arguments: [(true, Confidence.inferred), (false, .documented)])
  func theChoiceInAMessageWithoutATimeMayBeAnOlderOne(_ wasTurnedOnAgain: Bool, _ confidence: Confidence) throws {
    let on = Scenario.status(true, at: Message.day(6), [Story.old])
    let change = Message(
      type: "DID_CHANGE_RENEWAL_PREF", periods: [Story.old], isAutoRenewOn: false, nextProduct: "studio",
      received: Message.day(7))
    let messages = [Story.buy, Story.off] + (wasTurnedOnAgain ? [on] : []) + [change]
    let complete = [Message.day(-10)...Message.day(300)]
    let gaps = try History.gaps(messages, asOf: Message.day(60), complete: complete)
    #expect(gaps.first { $0.rule == "server.EXPIRED.VOLUNTARY" }?.confidence == confidence)
  }

  /// Apple ends its retries about 60 days after the period: the grace period had ended long before, without recovery.
  ///
  /// Source: evidence §14, a grace period in silence is documented where a later body shows its end.
  @Test(arguments: [(true, Confidence.documented), (false, .inferred)])
  func theEndOfTheRetriesShowsThatGraceEnded(_ isRetryEnd: Bool, _ confidence: Confidence) throws {
    var ended = Scenario.status(false, at: Message.day(90), [Story.old])
    ended.renewal = Self.failure().renewal
    ended.renewal[1] = ("is_in_billing_retry_period", "0")
    if !isRetryEnd { ended.renewal[2] = ("expiration_intent", "1") }
    let gaps = try History.gaps([Story.buy, Self.failure(), ended])
    #expect(gaps.first { $0.rule == "server.GRACE_PERIOD_EXPIRED" }?.confidence == confidence)
  }

  // MARK: DID_RENEW

  /// V1 reports renewals since November 2020, and failed ones before: then a message is read as another one.
  @Test(arguments: [(Int64(0), false, false), (-700, false, true), (-700, true, false)])
  func aRenewalWithoutAMessageIsPlainOnlyWhereV1HadNone(_ shift: Int64, _ hasFailed: Bool, _ isExact: Bool) throws {
    func period(_ line: String, _ day: Int64) -> Period {
      Period(line: line, purchase: Message.day(shift + day), expires: Message.day(shift + day + 30))
    }
    let (first, second) = (period("101", 0), period("102", 30))
    let buy = Message(type: "INITIAL_BUY", periods: [first], isAutoRenewOn: true)
    var failed = Story.failed
    failed.periods = [first]
    let off = Scenario.status(false, at: Message.day(shift + 40), [second, first])
    let complete = [Message.day(-800)...Message.day(300)]
    let gaps = try History.gaps([buy] + (hasFailed ? [failed] : []) + [off], complete: complete)
    let gap = try #require(gaps.first { $0.rule == "server.DID_RENEW" })
    #expect(gap.candidates.isEmpty == isExact)
    #expect((gap.timing, gap.confidence) == (isExact ? .exact : .earliest, isExact ? .documented : .inferred))
  }

  // MARK: Family Sharing

  private static func shared(_ period: Period) -> Period {
    var period = period
    period.isFamilyShared = true
    return period
  }

  @Test func aFamilyMemberGainsAccess() throws {
    let renew = Message(type: "DID_RENEW", periods: [Self.shared(Story.next)], isAutoRenewOn: true)
    let gap = try #require(try History.gaps([renew, renew]).first)
    #expect((gap.rule, gap.timing) == ("server.SUBSCRIBED.INITIAL_BUY.FAMILY_SHARED", .latest))
    // Evidence §1: the purchaser may have subscribed for the first time or again. Access comes before its renewal.
    #expect(gap.confidence == .inferred)
    #expect(try History.words([renew]) == ["(SUBSCRIBED/INITIAL_BUY)", "DID_RENEW"])
    #expect(try History.gaps([Story.renew]).isEmpty)
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
    var revoked = Self.shared(Story.old)
    revoked.cancellation = Message.day(12)
    let revoke = Message(type: "REVOKE", periods: [revoked], isAutoRenewOn: false)
    let renew = Message(type: "DID_RENEW", periods: [Self.shared(Story.back)], isAutoRenewOn: true)
    let words = try History.words([revoke, renew])
    #expect(words == ["(SUBSCRIBED/INITIAL_BUY)", "REVOKE", "(SUBSCRIBED/RESUBSCRIBE)", "DID_RENEW"])
  }

  // MARK: RENEWAL_EXTENDED, eras, what leaves no trace

  @Test func theExpiryOfALineItemGrows() throws {
    var longer = Story.old
    longer.expires = Message.day(44)
    let off = Scenario.status(false, at: Message.day(20), [longer])
    let gap = try #require(try History.gaps([Story.buy, off]).first)
    #expect((gap.rule, gap.confidence) == ("server.RENEWAL_EXTENDED", .inferred))
    #expect(try History.gaps([Story.buy, Story.off]).isEmpty)
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
