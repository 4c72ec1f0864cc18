import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import SlipcastV2
import Testing

/// The end of a period that a later purchase proves: what proves it, when it was, and which reasons are possible.
///
/// Source: evidence §14, a period that ended and a later purchase that was no renewal; §11, a disproved candidate.
@Suite struct LapseTests {
  private typealias Period = Message.Period
  private typealias Scenario = GroupingScenarioTests
  /// A list that lacks nothing shows the end of the first period and the next purchase.
  private static let listed = ListedEvidence(end: { ($0.isNextListed, $0.isShownAfter) = (true, true) })

  private static func failure(graceDays: Int64? = nil) -> Message {
    var failure = Story.failed
    if let graceDays { failure.renewal.append(("grace_period_expires_date_ms", "\(Message.day(30 + graceDays))")) }
    return failure
  }

  /// The first message about the later period, of each kind that does not report its purchase.
  static let latecomers: [Message] = {
    let periods = [Story.late, Story.old]
    let off = GroupingScenarioTests.status(false, at: Message.day(210), periods)
    var refunded = Story.late
    refunded.cancellation = Message.day(210)
    var failed = Message(type: "DID_FAIL_TO_RENEW", periods: periods, isAutoRenewOn: true)
    failed.renewal = Story.failed.renewal
    var ended = GroupingScenarioTests.status(false, at: Message.day(290), periods)
    ended.renewal = [("expiration_intent", "2"), ("is_in_billing_retry_period", "0")]
    return [
      off, Message(type: "CANCEL", periods: [refunded, Story.old], isAutoRenewOn: false), failed, ended,
      Message(
        type: "DID_CHANGE_RENEWAL_PREF", periods: periods, isAutoRenewOn: true, nextProduct: "studio",
        received: Message.day(210)),
    ]
  }()

  // MARK: what proves it

  @Test(arguments: latecomers)
  func whateverTheFirstMessageOfALaterPeriodIsAWholeListProvesTheLapse(_ message: Message) throws {
    let gap = try #require(try History.gaps([Story.buy, message], evidence: Self.listed).first)
    #expect((gap.rule, gap.time, gap.timing) == ("server.EXPIRED.unknown", Message.day(30), .earliest))
    #expect(gap.confidence == .documented && gap.event.subtype == nil && !gap.candidates.isEmpty)
    // Where lists may lack periods, renewals may lie between.
    let cut = ListedEvidence(end: { $0.isShownAfter = true })
    #expect(try History.gaps([Story.buy, message], evidence: cut).allSatisfy { $0.rule != gap.rule })
  }

  @Test(arguments: latecomers)
  func theChoiceOfTheCustomerIsItsReason(_ message: Message) throws {
    let gaps = try History.gaps([Story.buy, Story.off, message], evidence: Self.listed)
    #expect(gaps.first?.rule == "server.EXPIRED.VOLUNTARY" && gaps.first?.confidence == .inferred)
  }

  /// A message about a period between belongs to another purchase: the one that is listed is not the later one.
  @Test func aPurchaseBetweenIsTheNextOne() throws {
    let upgraded = Period(line: "500", purchase: Message.day(50), expires: Message.day(80), isUpgraded: true)
    var refund = Scenario.refund(upgraded, at: Message.day(60))
    refund.periods[0].reason = "1"
    let gaps = try History.gaps([Story.buy, refund, Self.latecomers[0]], evidence: Self.listed)
    #expect(gaps.allSatisfy { !$0.rule.hasPrefix("server.EXPIRED") })
  }

  /// A recovery within the retries, or a renewal, is no lapse.
  @Test(arguments: [(30, "DID_CHANGE_RENEWAL_STATUS"), (50, "DID_CHANGE_RENEWAL_STATUS"), (200, "DID_RENEW")])
  func whatMayRenewProvesNoLapse(_ day: Int64, _ type: String) throws {
    let next = Period(line: "700", purchase: Message.day(day), expires: Message.day(day + 30))
    var message = Message(type: type, periods: [next, Story.old], isAutoRenewOn: type == "DID_RENEW")
    if type != "DID_RENEW" { message.changed = Message.day(day + 10) }
    let gaps = try History.gaps([Story.buy, message], evidence: Self.listed)
    #expect(gaps.allSatisfy { !$0.rule.hasPrefix("server.EXPIRED") })
  }

  /// Who came back in a period that only lists show had auto-renew on again.
  @Test func anOldChoiceIsNoReasonForTheEndOfALaterPeriod() throws {
    let next = UntoldPeriod(key: Story.key("200", 100), expires: Message.day(130), product: 1)
    let evidence = ListedEvidence(untold: [Story.key(Story.old.line, 0): next])
    let gaps = try History.gaps([Story.buy, Story.off, Story.lateComeback], evidence: evidence)
    #expect(gaps.map(\.rule) == ["server.EXPIRED.VOLUNTARY", "server.EXPIRED.unknown"])
  }

  // MARK: when it was

  /// Source: mapping A3, failure, end of grace, end of retry.
  @Test(arguments: [latecomers[0], Story.lateComeback])
  func aPeriodEndsAfterItsGracePeriod(_ message: Message) throws {
    let gaps = try History.gaps([Story.buy, Self.failure(graceDays: 16), message], evidence: Self.listed)
    #expect(gaps.map(\.rule).prefix(2) == ["server.GRACE_PERIOD_EXPIRED", "server.EXPIRED.unknown"])
    #expect(gaps.prefix(2).allSatisfy { $0.time == Message.day(46) } && gaps.dropFirst().first?.timing == .earliest)
    // The customer may have ended it within the grace period.
    #expect(gaps.prefix(2).allSatisfy { $0.confidence == .inferred })
  }

  /// Also where one message shows both.
  @Test func theEndOfGraceThatALaterBodyShowsComesFirst() throws {
    var refund = Scenario.refund(Story.old, at: Message.day(100))
    refund.renewal = [
      ("expiration_intent", "1"), ("grace_period_expires_date_ms", "\(Message.day(46))"),
      ("is_in_billing_retry_period", "0"),
    ]
    let gaps = try History.gaps([Story.buy, refund])
    #expect(gaps.map(\.rule) == ["server.GRACE_PERIOD_EXPIRED", "server.EXPIRED.VOLUNTARY"])
    #expect(gaps.map(\.time) == [Message.day(46), Message.day(46)])
  }

  // MARK: which reasons are possible

  private static let voluntary = "EXPIRED/VOLUNTARY"
  private static let retry = "EXPIRED/BILLING_RETRY"
  private static let price = "EXPIRED/PRICE_INCREASE"
  private static let notForSale = "EXPIRED/PRODUCT_NOT_FOR_SALE"

  /// The candidates; the event where only one is left.
  private func reasons(_ gap: Gap?) -> [String] {
    guard let gap else { return [] }
    return gap.candidates.isEmpty ? [gap.event.description] : gap.candidates.map(\.description)
  }

  /// Source: S2 expirationIntent; who turns auto-renew off while Apple retries the renewal changes the intent from 2 to 1.
  @Test(arguments: [
    ([], [voluntary, retry, price, "EXPIRED"]), ([1], [voluntary]), ([2], [voluntary, retry]), ([1, 2], [voluntary]),
    ([3], [price]), ([4], ["EXPIRED"]), ([5], ["EXPIRED"]), ([3, 5], [price, "EXPIRED"]),
  ])
  func theIntentThatRecordsShowExcludesOtherReasons(_ intents: [Int64], _ expected: [String]) throws {
    let bits = intents.reduce(Int64(0)) { $0 | 1 << $1 }
    let evidence = ListedEvidence(end: { $0.intents = bits })
    let gap = try History.gaps([Story.buy, Story.lateComeback], evidence: evidence).first
    #expect(reasons(gap) == expected)
  }

  @Test(arguments: [nil, 16])
  func aFailedRenewalExcludesReasonsWithoutOne(_ graceDays: Int64?) throws {
    let gaps = try History.gaps([Story.buy, Self.failure(graceDays: graceDays), Story.lateComeback])
    #expect(reasons(gaps.first { $0.rule == "server.EXPIRED.unknown" }) == [Self.voluntary, Self.retry])
  }

  /// The failure was that of an older period.
  @Test func theFailureOfAnotherPeriodExcludesNothing() throws {
    let next = UntoldPeriod(key: Story.key("200", 100), expires: Message.day(130), product: 1)
    let evidence = ListedEvidence(untold: [Story.key(Story.old.line, 0): next])
    let gaps = try History.gaps([Story.buy, Story.failed, Story.lateComeback], evidence: evidence)
    #expect(gaps.map { reasons($0).count } == [2, 4])
  }

  /// The edge of the era product-not-for-sale: before it, such an end had no subtype.
  @Test(arguments: [(Int64(0), false), (1, true)])
  func theProductIsNotForSaleOnlySinceV2SaysSo(_ later: Int64, _ isPossible: Bool) throws {
    let start = try #require(BuiltIn.rules.eras.first { $0.id == "product-not-for-sale" }).milliseconds
    let back = Period(line: "900", purchase: start + later, expires: start + later + 2_592_000_000)
    let comeback = Message(type: "INTERACTIVE_RENEWAL", periods: [back, Story.old], isAutoRenewOn: true)
    let gap = try History.gaps([Story.buy, comeback]).first
    #expect(reasons(gap).contains(Self.notForSale) == isPossible)
    #expect(reasons(gap).contains("EXPIRED"))
  }

  @Test func anIntentDecidesWhatSilenceAfterARequestForConsentMeans() throws {
    var asked = Message(
      type: "PRICE_INCREASE_CONSENT", periods: [Story.old], isAutoRenewOn: true, received: Message.day(9))
    asked.renewal = [("price_consent_status", "0")]
    let evidence = ListedEvidence(end: { $0.intents = 1 << 3 })
    let gap = try History.gaps([Story.buy, asked], asOf: Message.day(60), evidence: evidence).first
    #expect(reasons(gap) == [Self.price])
  }
}
