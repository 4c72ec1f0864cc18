import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import SlipcastV2
import Testing

/// The intervals of a subscription's life, and what a missing message must not make certain.
@Suite struct StateTests {
  private typealias Scenario = GroupingScenarioTests
  private static let whole = [Message.day(-10)...Message.day(300)]

  /// `0–30 active inferred`: in days from the first purchase.
  private func words(_ intervals: [LifeInterval]) -> [String] {
    func day(_ time: Int64) -> String { "\((time - Message.day(0)) / 86_400_000)" }
    return intervals.map {
      "\(day($0.from))–\($0.until.map(day) ?? "") \($0.reason.rawValue) \($0.confidence.rawValue)"
    }
  }

  private static func refund(_ period: Message.Period, at time: Int64, beside others: [Message.Period]) -> Message {
    var message = Scenario.refund(period, at: time)
    message.periods += others
    return message
  }

  /// A refund, whose message may be missing, ends access too.
  @Test func accessIsCertainOnlyWhereNoMessageIsMissing() throws {
    let messages = [Story.buy, Story.off]
    #expect(try words(History.states(messages)) == ["0–5 active inferred", "5–30 active inferred"])
    let rows = try History.states(messages, asOf: Message.day(60), complete: Self.whole)
    #expect(words(rows) == ["0–5 active documented", "5–30 active documented", "30– expired documented"])
    #expect(rows.map(\.autoRenewStatus) == [.on, .off, .off] && rows.map(\.access) == [.yes, .yes, .no])
    let shown = ListedEvidence(end: { $0.isShownAfter = true })
    #expect(try words(History.states([Story.buy], evidence: shown)) == ["0–30 active documented"])
  }

  /// Renewals whose messages are missing may have given access all the time.
  @Test func aHoleInTheArchiveIsUnknown() throws {
    let renewal = Message(type: "DID_RENEW", periods: [Story.late, Story.old], isAutoRenewOn: true)
    let rows = try History.states([Story.buy, renewal])
    #expect(words(rows) == ["0–30 active inferred", "30–200 unknown ambiguous", "200–230 active inferred"])
    #expect(rows.map(\.access) == [.yes, .unknown, .yes] && rows.map(\.status) == [.active, nil, .active])
  }

  @Test func aPeriodThatOnlyListsShowGivesAccess() throws {
    let product = UntoldPeriod.number(ofProduct: "com.example.basic")
    let next = UntoldPeriod(key: Story.key("200", 40), expires: Message.day(70), product: product)
    let evidence = ListedEvidence(untold: [Story.key(Story.old.line, 0): next])
    let rows = try History.states([Story.buy], evidence: evidence)
    #expect(words(rows) == ["0–30 active inferred", "30–40 unknown ambiguous", "40–70 active inferred"])
    #expect(rows.last?.productId == "com.example.basic" && rows.last?.evidence == [])
  }

  /// The message about the older period comes last, and is about a period that another one replaced.
  @Test func aPeriodThatOnlyListsShowIsFoundFromEveryPeriod() throws {
    let next = UntoldPeriod(key: Story.key("200", 10), expires: Message.day(40), product: 1)
    let evidence = ListedEvidence(untold: [Story.key(Story.old.line, 0): next])
    var replaced = Scenario.refund(Scenario.upgraded(Story.old), at: Message.day(12))
    replaced.isAutoRenewOn = nil
    #expect(
      try words(History.states([replaced], evidence: evidence)) == ["0–10 active inferred", "10–40 active inferred"])
  }

  @Test func aRefundThatOnlyAListShowsEndsAccess() throws {
    let refunded = ListedEvidence(end: { $0.cancellation = Message.day(20) })
    let rows = try History.states([Story.buy], evidence: refunded)
    #expect(words(rows) == ["0–20 active inferred", "20– refunded inferred"])
    // At once: no upgrade, of which a list states no time.
    let atOnce = ListedEvidence(end: { $0.cancellation = $0.purchase })
    #expect(try words(History.states([Story.buy], evidence: atOnce)) == ["0– refunded inferred"])
  }

  /// The customer may have bought again before the next purchase that the archive has.
  @Test(arguments: [(false, Confidence.inferred), (true, .documented)])
  func aRefundLastsUntilTheNextPurchaseOnlyInACompleteArchive(_ isComplete: Bool, _ confidence: Confidence) throws {
    let refund = Scenario.refund(Story.old, at: Message.day(10))
    let complete = isComplete ? Self.whole : []
    let rows = try History.states([Story.buy, refund, Story.lateComeback], complete: complete)
    let word = confidence.rawValue
    #expect(Array(words(rows).prefix(2)) == ["0–10 active documented", "10–200 refunded \(word)"])
  }

  /// Source: Apple retries for 60 days.
  @Test func billingRetryEndsLongBeforeALateReturn() throws {
    let rows = try History.states([Story.buy, Story.failed, Story.lateComeback])
    #expect(
      words(rows) == [
        "0–30 active inferred", "30–90 billingRetry inferred", "90–200 expired inferred", "200–230 active inferred",
      ])
  }

  /// The record no longer names a grace period that may have run until then.
  @Test func aFailureThatOnlyALaterRecordShowsLeavesGraceOpen() throws {
    var retrying = Scenario.status(true, at: Message.day(45), [Story.old])
    retrying.renewal = [("is_in_billing_retry_period", "1")]
    let rows = try History.states([Story.buy, retrying, Story.lateComeback])
    #expect(
      Array(words(rows).prefix(3)) == [
        "0–30 active inferred", "30–45 unknown ambiguous", "45–90 billingRetry inferred",
      ])
  }

  /// Dates at the ends of what a number can hold end no program.
  @Test(arguments: [Int64.max, .max - 1000, .min])
  func aFailureOfAPeriodThatEndsFarAwayHasStates(_ end: Int64) throws {
    var failed = try Story.failed.stored(place: 1)
    let body = String(decoding: failed.body, as: UTF8.self)
    failed.body = Array(body.replacing(try Regex("\"expiresDate\":-?[0-9]+"), with: "\"expiresDate\":\(end)").utf8)
    var intervals: [LifeInterval] = []
    let writer = TimelineWriter(rules: BuiltIn.rules, options: TimelineOptions()) { _ in }
    writer.watchIntervals = { one, _ in intervals += one }
    try writer.feed(failed)
    try writer.finish()
    #expect(!intervals.isEmpty && intervals.allSatisfy { $0.from < $0.until ?? .max })
    #expect(zip(intervals, intervals.dropFirst()).allSatisfy { $0.until ?? .max <= $1.from })
  }

  /// The message may also be a refund of the old period, long after the upgrade: nothing states when that was.
  @Test func anUpgradeWhosePurchaseIsMissingLeavesAccessOpen() throws {
    let replaced = Scenario.upgrade()[0]
    let rows = try History.states([Story.buy, replaced])
    #expect(words(rows) == ["0– upgraded ambiguous"])
    #expect(rows.map(\.access) == [.unknown] && rows.last?.status == nil)
  }

  /// Apple charges a renewal before its period begins; an upgrade in that time replaces it.
  @Test func aRenewalThatIsReplacedBeforeItBeginsGivesNoAccess() throws {
    let new = Message.Period(line: "300", product: "studio", purchase: Message.day(29), expires: Message.day(59))
    let upgrade = Message(
      type: "INTERACTIVE_RENEWAL", periods: [new, Scenario.upgraded(Story.next), Scenario.upgraded(Story.old)],
      isAutoRenewOn: true, nextProduct: "studio")
    let evidence = ListedEvidence(end: { end in
      if end.purchase != new.purchase { (end.isReplaced, end.cancellation) = (true, end.purchase) }
    })
    let rows = try History.states([Story.buy, Story.renew, upgrade], evidence: evidence)
    #expect(words(rows) == ["0–29 active inferred", "29–59 active inferred"])
    #expect(rows.map(\.productId) == ["com.example.basic", "com.example.studio"])
  }

  /// The purchase begins at once, also beside a period that no record marks as replaced, and ends with the next one.
  @Test func aPurchaseThatRenewsNothingBeganAtOnce() throws {
    let studio = Message.Period(line: "300", product: "studio", purchase: Message.day(10), expires: Message.day(40))
    let pro = Message.Period(line: "400", product: "pro", purchase: Message.day(20), expires: Message.day(50))
    let upgrade = Message(
      type: "INTERACTIVE_RENEWAL", periods: [studio, Story.old], isAutoRenewOn: true, nextProduct: "studio")
    let refund = Self.refund(Story.old, at: Message.day(15), beside: [studio])
    let second = Message(
      type: "INTERACTIVE_RENEWAL", periods: [pro, Scenario.upgraded(studio), refund.periods[0]], isAutoRenewOn: true,
      nextProduct: "pro")
    let evidence = ListedEvidence(end: { end in
      if end.purchase == Message.day(10) { (end.isReplaced, end.cancellation) = (true, Message.day(20)) }
    })
    let rows = try History.states([Story.buy, upgrade, refund, second], evidence: evidence)
    #expect(rows.allSatisfy { $0.access == .yes })
    let products = rows.map(\.productId).reduce(into: [String?]()) { if $0.last != $1 { $0.append($1) } }
    #expect(products == ["com.example.basic", "com.example.studio", "com.example.pro"])
    #expect(rows.first { $0.productId == products[1] }?.from == Message.day(10))
  }

  /// Whether the period before an upgrade goes on after its refund, Apple does not document: no record marks its end.
  @Test(arguments: [(false, Confidence.inferred), (true, .documented)])
  func theRefundOfAnUpgradeEndsAccessForCertainOnlyWhereTheOldPeriodIsMarked(
    _ isMarked: Bool, _ confidence: Confidence
  ) throws {
    let studio = Message.Period(line: "300", product: "studio", purchase: Message.day(10), expires: Message.day(40))
    let upgrade = Message(
      type: "INTERACTIVE_RENEWAL", periods: [studio, Scenario.upgraded(Story.old)], isAutoRenewOn: true,
      nextProduct: "studio")
    let refund = Scenario.refund(studio, at: Message.day(12))
    // The life takes marks of other periods from what all lists show together.
    let evidence = ListedEvidence(end: { end in
      if isMarked, end.purchase == Message.day(0) { (end.isReplaced, end.cancellation) = (true, Message.day(10)) }
    })
    let messages = [Story.buy, upgrade, refund, Story.lateComeback]
    let rows = try History.states(messages, complete: Self.whole, evidence: evidence)
    let after = try #require(rows.first { $0.from == Message.day(12) })
    #expect((after.access, after.reason, after.confidence) == (.no, .refunded, confidence))
  }

  /// The purchase that replaced the renewal before it began was refunded, and the customer came back later: nothing says
  /// which of the two replaced it.
  @Test(arguments: [(Int64(3_600_000), Confidence.inferred), (-2 * 86_400_000, .documented)])
  func aRenewalThatMayHaveBeenReplacedBeforeItBeganIsNotCertain(_ offset: Int64, _ confidence: Confidence) throws {
    let bought = Message.day(29, offset)
    let studio = Message.Period(line: "300", product: "studio", purchase: bought, expires: bought + 86_400_000 * 30)
    let upgrade = Message(
      type: "INTERACTIVE_RENEWAL", periods: [studio, Story.old], isAutoRenewOn: true, nextProduct: "studio")
    let refund = Scenario.refund(studio, at: bought + 60_000)
    let evidence = ListedEvidence(end: { end in
      if end.purchase == Story.next.purchase { (end.isReplaced, end.cancellation) = (true, end.purchase) }
    })
    let messages = [Story.buy, Story.renew, upgrade, refund, Story.comeback]
    let rows = try History.states(messages, complete: Self.whole, evidence: evidence)
    let renewed = try #require(rows.first { $0.from == Story.next.purchase && $0.access == .yes })
    #expect(renewed.until == Message.day(50) && renewed.confidence == confidence)
  }

  /// The date of a refund is not that of the replacement, however late it comes.
  @Test(arguments: [100, 45])
  func theLateRefundOfAReplacedPeriodGivesNoAccessBack(_ day: Int64) throws {
    let studio = Message.Period(line: "300", product: "studio", purchase: Message.day(29), expires: Message.day(59))
    let replaced = Scenario.upgraded(Story.next)
    let upgrade = Message(
      type: "INTERACTIVE_RENEWAL", periods: [studio, replaced, Story.old], isAutoRenewOn: true, nextProduct: "studio")
    let refund = Self.refund(studio, at: Message.day(29, 3_600_000), beside: [replaced, Story.old])
    var late = Self.refund(replaced, at: Message.day(day), beside: [Story.old])
    late.periods[0].reason = "1"
    let rows = try History.states([Story.buy, Story.renew, upgrade, refund, late, Story.lateComeback])
    #expect(rows.allSatisfy { $0.access != .yes || $0.from < Message.day(30) || $0.from >= Message.day(200) })
  }

  /// A recovery in a grace period keeps the billing date, and may be told long after: access was never lost.
  @Test func aRecoveryInsideGraceFollowsTheGracePeriod() throws {
    var failed = Story.failed
    failed.renewal.append(("grace_period_expires_date_ms", "\(Message.day(36))"))
    let recovery = Message(
      type: "DID_RECOVER", periods: [Story.next, Story.old], isAutoRenewOn: true, received: Message.day(40))
    let rows = try History.states([Story.buy, failed, recovery])
    #expect(rows.allSatisfy { $0.access == .yes })
    #expect(rows.map(\.reason) == [.active, .grace, .active])
    // The customer changed it twice meanwhile; the recovery, with the older billing date, states it last.
    let off = Scenario.status(false, at: Message.day(32), [Story.old])
    let changed = try History.states([Story.buy, failed, off, recovery])
    #expect(changed.map(\.autoRenewStatus) == [.on, .on, .off, .off, .on])
    #expect(changed.map(\.reason) == [.active, .grace, .grace, .active, .active])
  }

  /// Apple charged the renewal early and took it back; the customer bought again before it would have begun.
  @Test(arguments: [(true, ["yes"]), (false, ["yes", "no"])])
  func aRenewalThatWasTakenBackBeforeItBeganEndsNoOtherAccess(_ isBought: Bool, _ access: [String]) throws {
    let refund = Self.refund(Story.next, at: Message.day(29), beside: [Story.old])
    let again = Message.Period(
      line: "300", purchase: Message.day(29, 3_600_000), expires: Message.day(59, 3_600_000))
    let bought = Message(
      type: "INTERACTIVE_RENEWAL", periods: [refund.periods[0], again, Story.old], isAutoRenewOn: true)
    let rows = try History.states([Story.buy, Story.renew, refund] + (isBought ? [bought] : []))
    #expect(rows.map(\.access.rawValue).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } } == access)
    #expect(rows.last?.reason == (isBought ? .active : .refunded))
  }

  /// The message about the recovery comes after the upgrade that replaced the recovered period.
  @Test func aRecoveryIsBeforeThePurchaseThatReplacedIt() throws {
    var failed = Story.failed
    failed.renewal.append(("grace_period_expires_date_ms", "\(Message.day(46))"))
    let studio = Message.Period(line: "300", product: "studio", purchase: Message.day(33), expires: Message.day(63))
    let upgrade = Message(
      type: "INTERACTIVE_RENEWAL", periods: [studio, Scenario.upgraded(Story.next), Story.old], isAutoRenewOn: true,
      nextProduct: "studio")
    let recovery = Message(
      type: "DID_RECOVER", periods: [Story.next, Story.old], isAutoRenewOn: true, received: Message.day(35))
    let rows = try History.states([Story.buy, failed, upgrade, recovery])
    #expect(rows.allSatisfy { $0.access == .yes })
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.until == $1.from && $0.from < $1.from })
    #expect(rows.last?.productId == "com.example.studio" && rows.last?.from == Message.day(33))
  }
}
