import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import SlipcastV2
import SlipcastWire
import Testing

/// What lists show beside the messages, ends for an unknown reason, and the place of a recovery.
///
/// Source: evidence §12 and §14.
@Suite struct LifeTests {
  private typealias Period = Message.Period
  private typealias Scenario = GroupingScenarioTests

  /// A purchase that no message reports is a renewal within the window of a lapse, which is shorter in the Sandbox.
  @Test(arguments: [false, true], [Int64(0), 1000])
  func aPurchaseThatOnlyOtherRecordsShowIsARenewalWithinTheGap(_ isSandbox: Bool, _ beyond: Int64) throws {
    let window = BuiltIn.rules.window(.gap)
    let events = try [Story.buy, Story.off].enumerated().map { place, message in
      var message = message
      if isSandbox { message.environment = "Sandbox" }
      return try message.stored(place: Int64(place))
    }
    var options = TimelineOptions()
    (options.format, options.asOf) = (.json, Message.day(60))
    let length = isSandbox ? window.sandbox : window.milliseconds
    options.evidence = ListedEvidence(end: { end in end.next = end.expires + length + beyond })
    var bytes: [UInt8] = []
    let writer = TimelineWriter(rules: BuiltIn.rules, options: options) { bytes.append(contentsOf: $0) }
    for event in Outcome.sorted(events) { try writer.feed(event) }
    try writer.finish()
    #expect(String(decoding: bytes, as: UTF8.self).contains("EXPIRED") == (beyond > 0))
  }

  // MARK: periods that no message is about

  /// Two periods that only lists show, between a purchase and a change of auto-renew in the fourth period.
  @Test(arguments: [(true, 0, Confidence.documented), (false, 0, .inferred), (true, 60_000, .inferred)])
  func renewalsWithoutMessagesAreTold(_ isWhole: Bool, _ late: Int64, _ confidence: Confidence) throws {
    func period(_ line: String, from start: Int64, to end: Int64) -> UntoldPeriod {
      var key = Story.key(line, start)
      if start == 30 { key.purchase += late }
      var period = UntoldPeriod(
        key: key, expires: Message.day(end), product: UntoldPeriod.number(ofProduct: "com.example.\(Story.old.product)")
      )
      period.isListedWhole = isWhole
      return period
    }
    let (second, third) = (period("200", from: 30, to: 60), period("300", from: 60, to: 90))
    let last = Period(line: "400", purchase: Message.day(90), expires: Message.day(120))
    let evidence = ListedEvidence(untold: [Story.key(Story.old.line, 0): second, second.key: third])
    let messages = [Story.buy, Scenario.status(false, at: Message.day(100), [last])]
    let gaps = try History.gaps(messages, evidence: evidence)
    #expect(gaps.map(\.event.description) == ["DID_RENEW", "DID_RENEW", "DID_RENEW"])
    #expect(gaps.map(\.time) == [Message.day(30) + late, Message.day(60), Message.day(90)])
    #expect(gaps.map(\.expires) == [Message.day(60), Message.day(90), Message.day(120)])
    #expect(gaps.first?.confidence == confidence && gaps.last?.confidence == .documented)
    #expect(gaps.allSatisfy { $0.candidates.map(\.subtype) == [nil, "BILLING_RECOVERY"] })
    let complete = [Message.day(-10)...Message.day(130)]
    let certain = try History.gaps(messages, complete: complete, evidence: evidence)
    // V1 reported renewals then: where none is missing, a message seems to be about something else.
    #expect(certain.allSatisfy { $0.candidates.count == 2 && $0.timing == .earliest && $0.confidence == .inferred })
    #expect(gaps.allSatisfy { $0.isSent && $0.productId == "com.example.\(Story.old.product)" })
  }

  /// Where a message reports the renewal, none is missing.
  @Test func aReportedRenewalIsNotMissing() throws {
    #expect(try History.gaps([Story.buy, Story.renew]).isEmpty)
    let off = Scenario.status(false, at: Message.day(40), [Story.next, Story.old])
    #expect(try History.words([Story.buy, off]) == ["SUBSCRIBED/INITIAL_BUY", "(DID_RENEW)", Story.disabled])
    #expect(try History.words([Story.buy, off, Story.renew]).filter { $0 == "(DID_RENEW)" }.isEmpty)
  }

  /// A purchase within the retries may be a recovery; later it proves that the period had ended.
  @Test(arguments: [(40, 0), (89, 0), (91, 1)] as [(Int64, Int)])
  func aPurchaseThatOnlyListsShowEndsThePeriodBeforeIt(_ day: Int64, _ lapses: Int) throws {
    let next = UntoldPeriod(key: Story.key("200", day), expires: Message.day(day + 30), product: 1)
    let evidence = ListedEvidence(untold: [Story.key(Story.old.line, 0): next])
    let gaps = try History.gaps([Story.buy], evidence: evidence)
    #expect(gaps.map(\.rule) == Array(repeating: "server.EXPIRED.unknown", count: lapses))
    #expect(gaps.allSatisfy { $0.confidence == .inferred && $0.timing == .earliest })
  }

  // MARK: ends for an unknown reason

  /// Source: evidence §14, a period that ended and a later purchase that was no renewal.
  @Test func aReturnProvesThatThePeriodBeforeItEnded() throws {
    let gap = try #require(try History.gaps([Story.buy, Story.comeback]).first)
    #expect((gap.rule, gap.time, gap.timing) == ("server.EXPIRED.unknown", Message.day(30), .earliest))
    #expect(gap.event.subtype == nil && gap.candidates.map(\.subtype).contains("VOLUNTARY"))
    #expect(gap.expires == Message.day(30) && gap.productId == "com.example.\(Story.old.product)")
    let words = try History.words([Story.buy, Story.comeback])
    #expect(words == ["SUBSCRIBED/INITIAL_BUY", "(EXPIRED)", "SUBSCRIBED/RESUBSCRIBE"])
  }

  /// A refund whose message is missing ends a subscription, too: only a later list without it proves the expiry.
  @Test(arguments: [(true, Confidence.documented), (false, .inferred)])
  func onlyAListAfterTheEndProvesTheExpiry(_ isShown: Bool, _ confidence: Confidence) throws {
    let evidence = ListedEvidence(end: { $0.isShownAfter = isShown })
    let gaps = try History.gaps([Story.buy, Story.lateComeback], evidence: evidence)
    #expect(gaps.map(\.rule) == ["server.EXPIRED.unknown"] && gaps.first?.confidence == confidence)
    let refunded = ListedEvidence(end: { $0.cancellation = Message.day(20) })
    let others = try History.gaps([Story.buy, Story.lateComeback], evidence: refunded)
    #expect(Set(others.map(\.rule)) == ["server.REFUND"])
  }

  /// A customer who buys again while Apple retries the renewal ends nothing.
  @Test func aReturnDuringTheRetriesProvesNoEnd() throws {
    #expect(try History.gaps([Story.buy, Story.failed, Story.comeback]).isEmpty)
    #expect(try History.gaps([Story.buy, Story.comeback]).map(\.confidence) == [.inferred])
  }

  /// Silence proves nothing without the owner's word that no message is missing.
  @Test(arguments: [(false, Confidence.inferred), (true, .documented)])
  func silenceProvesAnEndOnlyInACompleteArchive(_ isComplete: Bool, _ confidence: Confidence) throws {
    let complete = isComplete ? [Message.day(0)...Message.day(60)] : []
    let gap = try #require(try History.gaps([Story.buy, Story.off], asOf: Message.day(60), complete: complete).first)
    #expect((gap.rule, gap.confidence) == ("server.EXPIRED.VOLUNTARY", confidence))
  }

  /// A message without a time may show what another one has changed since.
  @Test func aMessageWithoutATimeProvesNoReason() throws {
    var asked = Message(type: "PRICE_INCREASE_CONSENT", periods: [Story.old], isAutoRenewOn: false)
    asked.renewal = [("price_consent_status", "0")]
    let on = Scenario.status(true, at: Message.day(6), [Story.old])
    let messages = [Story.buy, Story.off, on, asked, Story.lateComeback]
    let gaps = try History.gaps(messages, complete: [Message.day(-10)...Message.day(300)])
    #expect(gaps.map(\.confidence) == [.inferred])
  }

  /// A later record that states the reason proves it, too.
  @Test func aLaterRecordProvesAnEnd() throws {
    let evidence = ListedEvidence(end: { $0.intents = 1 << 1 })
    let gap = try #require(try History.gaps([Story.buy, Story.off], asOf: Message.day(60), evidence: evidence).first)
    #expect((gap.rule, gap.confidence) == ("server.EXPIRED.VOLUNTARY", .documented))
  }

  @Test func aRequestForConsentThatNobodyAnswersLeavesTheReasonOpen() throws {
    var asked = Message(
      type: "PRICE_INCREASE_CONSENT", periods: [Story.old], isAutoRenewOn: true, received: Message.day(9))
    asked.renewal = [("price_consent_status", "0")]
    let gap = try #require(try History.gaps([Story.buy, asked], asOf: Message.day(60)).first)
    #expect((gap.rule, gap.confidence, gap.time) == ("server.EXPIRED.consent", .inferred, Message.day(30)))
    #expect(gap.candidates.map(\.description) == ["EXPIRED/PRICE_INCREASE", "EXPIRED/VOLUNTARY"])
  }

  @Test func aConsentComesBeforeTheRenewalThatShowsIt() throws {
    var asked = Message(
      type: "PRICE_INCREASE_CONSENT", periods: [Story.old], isAutoRenewOn: true, received: Message.day(9))
    asked.renewal = [("price_consent_status", "0")]
    var renewed = Story.renew
    renewed.renewal = [("price_consent_status", "1")]
    let words = try History.words([Story.buy, asked, renewed])
    #expect(words.suffix(2) == ["(PRICE_INCREASE/ACCEPTED)", "DID_RENEW"])
  }

  // MARK: recoveries inside a grace period

  /// The recovery keeps the billing date; it is after every message that knows only older periods.
  ///
  /// Source: evidence §12.
  @Test(arguments: [Message.day(34), nil] as [Int64?])
  func aRecoveryInsideGraceIsAfterTheMessagesThatDoNotKnowIt(_ received: Int64?) throws {
    let recovery = Message(
      type: "DID_RECOVER", periods: [Story.next, Story.old], isAutoRenewOn: true, received: received)
    let off = Scenario.status(false, at: Message.day(32), [Story.old])
    let entries = try History.entries([Story.buy, recovery, off])
    guard case .event(let last)? = entries.last else {
      Issue.record("no event at the end")
      return
    }
    #expect(last.event?.description == "DID_RENEW/BILLING_RECOVERY" && last.time == received)
    #expect(last.timeSource == (received == nil ? .unknown : .receivedAt))
    guard case .event(let before) = entries[entries.count - 2] else { return }
    #expect(last.after == before.facts.notificationUUID && before.lead.notification_type == off.type)
  }
}
