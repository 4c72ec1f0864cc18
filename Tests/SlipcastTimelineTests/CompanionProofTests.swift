import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import Testing

/// Auto-renew off near an upgrade is the upgrade's companion message where a later body shows that nothing changed since.
@Suite struct CompanionProofTests {
  private typealias Scenario = GroupingScenarioTests
  private static let off = Message.day(10, 120_000)
  private static let separate = "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED? < DID_CHANGE_RENEWAL_STATUS"
  private static let alone = "DID_CHANGE_RENEWAL_PREF/UPGRADE < INTERACTIVE_RENEWAL"
  private static let joined = "\(alone) + DID_CHANGE_RENEWAL_STATUS"

  /// An upgrade on day 10, and auto-renew off two minutes later.
  private static var upgrade: [Message] {
    [
      Scenario.upgrade()[2],
      Scenario.status(false, at: off, [Scenario.new, Scenario.upgraded(Scenario.old)]),
    ]
  }

  /// The renewal a month later, whose body says since when auto-renew has its state.
  private static func renewal(isOn: Bool = true, since: Int64?) -> Message {
    let next = Message.Period(
      line: "300", product: "studio", purchase: Message.day(40), expires: Message.day(70))
    return Message(
      type: "DID_RENEW", periods: [next, Scenario.new, Scenario.upgraded(Scenario.old)], isAutoRenewOn: isOn,
      nextProduct: "studio", changed: since)
  }

  @Test(arguments: [off, off - 1, Message.day(0)])
  func aLaterBodyThatChangedNothingSinceShowsTheCompanion(_ since: Int64) throws {
    let words = try Outcome.words(Self.upgrade + [Self.renewal(since: since)])
    #expect(words == [Self.joined, "DID_RENEW < DID_RENEW"])
    let history = try History.words(Self.upgrade + [Self.renewal(since: since)])
    #expect(history == ["DID_CHANGE_RENEWAL_PREF/UPGRADE", "DID_RENEW"])
  }

  @Test func aChangeSinceThenProvesNothing() throws {
    for later in [
      Self.renewal(since: Self.off + 1), Self.renewal(isOn: false, since: Self.off), Self.renewal(since: nil),
    ] {
      #expect(try Outcome.words(Self.upgrade + [later]).prefix(2) == [Self.alone, Self.separate])
    }
    #expect(try Outcome.words(Self.upgrade) == [Self.alone, Self.separate])
  }

  /// A message about auto-renew on states the time of its change.
  @Test func aLaterChangeToOnProvesNothing() throws {
    let on = Scenario.status(true, at: Message.day(20), [Scenario.new, Scenario.upgraded(Scenario.old)])
    let words = try Outcome.words(Self.upgrade + [on, Self.renewal(since: Message.day(20))])
    #expect(words.prefix(2) == [Self.alone, Self.separate])
  }

  @Test func aRefundIsNoUpgrade() throws {
    let refund = Scenario.refund(Scenario.new, at: Message.day(12))
    let off = Scenario.status(false, at: Message.day(12, 5000), [Scenario.new])
    let words = try Outcome.words([refund, off, Self.renewal(since: Message.day(0))])
    #expect(words.first == "REFUND < CANCEL + DID_CHANGE_RENEWAL_STATUS")
  }

  /// Waiting is bounded: the proof may come behind very many messages.
  @Test func aProofBehindTooManyMessagesIsNotWaitedFor() throws {
    let choices = (1...Int64(EventGrouper.heldLimit)).map { day in
      Message(
        type: "DID_CHANGE_RENEWAL_PREF", periods: [Scenario.new], isAutoRenewOn: true, nextProduct: "lite\(day)",
        received: Message.day(11, day * 60_000))
    }
    let words = try Outcome.words(Self.upgrade + choices + [Self.renewal(since: Self.off)])
    #expect(words.count == choices.count + 3 && words.contains(Self.separate))
    #expect(try Outcome.words(Self.upgrade + choices.prefix(20) + [Self.renewal(since: Self.off)])[0] == Self.joined)
  }

  @Test func otherMessagesLeaveInOrderAfterTheWait() throws {
    let events = try (Self.upgrade + [Self.renewal(since: Self.off)]).enumerated().map {
      try $0.element.stored(place: Int64($0.offset))
    }
    let (lines, counts) = try Outcome.lines(Outcome.sorted(events))
    #expect(lines.count == 2 && counts.addsUp && counts.absorbed == 1)
    #expect(lines.first?.contains(#""rule":"grouping.upgrade""#) == true)
  }
}
