import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import SlipcastV2
import Testing

/// How auto-renew stands in the intervals of a life: as the newest record states it.
@Suite struct AutoRenewStateTests {
  private typealias Scenario = GroupingScenarioTests
  private static let whole = [Message.day(-10)...Message.day(300)]
  private static let refund = Scenario.refund(Story.old, at: Message.day(10))

  /// `0–30 active on`: in days from the first purchase.
  private func words(_ intervals: [LifeInterval]) -> [String] {
    func day(_ time: Int64) -> String { "\((time - Message.day(0)) / 86_400_000)" }
    return intervals.map { row in
      let renews = row.autoRenewStatus.map { $0 == .on ? "on" : "off" } ?? "open"
      return "\(day(row.from))–\(row.until.map(day) ?? "") \(row.reason.rawValue) \(renews)"
    }
  }

  @Test func autoRenewIsOpenBeforeTheFirstMessageThatStatesIt() throws {
    let buy = Message(type: "INITIAL_BUY", periods: [Story.old])
    let rows = try History.states([buy, Story.off])
    #expect(words(rows) == ["0–5 active open", "5–30 active off"])
  }

  @Test func twoChangesAtOneTimeAreOne() throws {
    let on = Scenario.status(true, at: Message.day(5), [Story.old])
    let rows = try History.states([Story.buy, Story.off, on])
    #expect(words(rows) == ["0–30 active on"])
  }

  /// A message without a time of its own may have been written before the last choice.
  @Test(arguments: [(false, [AutoRenewStatus.on, .off, .on, nil]), (true, [.on, .off, .on])])
  func aMessageWithoutATimeThatContradictsTheLastChoiceLeavesItOpen(_ showsOn: Bool, _ expected: [AutoRenewStatus?])
    throws
  {
    let on = Scenario.status(true, at: Message.day(6), [Story.old])
    let change = Message(
      type: "DID_CHANGE_RENEWAL_PREF", periods: [Story.old], isAutoRenewOn: showsOn, nextProduct: "studio",
      received: Message.day(7))
    let messages = [Story.buy, Story.off, on, change]
    #expect(try History.states(messages, complete: Self.whole).map(\.autoRenewStatus) == expected)
    // A row that is inferred shows what is likely.
    let likely = expected.map { $0 ?? .off }
    #expect(try History.states(messages).map(\.autoRenewStatus) == likely)
  }

  /// Apple charges a renewal up to a day before it begins: the message about it may be older than a choice before that.
  @Test(arguments: [(Int64(2), AutoRenewStatus?.none), (240, .on)])
  func aChoiceShortlyBeforeARenewalBeginsMayFollowIt(_ hours: Int64, _ expected: AutoRenewStatus?) throws {
    let off = Scenario.status(false, at: Message.day(30, -hours * 3_600_000), [Story.old])
    let rows = try History.states([Story.buy, off, Story.renew], complete: Self.whole)
    #expect(rows.last?.from == Message.day(30) && rows.last?.autoRenewStatus == expected)
  }

  /// The message of the refund shows how auto-renew stood when it was written; the companion says what happened.
  @Test func theCompanionOfARefundTurnsAutoRenewOff() throws {
    let refund = Scenario.refund(Story.old, at: Message.day(10))
    let off = Scenario.status(false, at: Message.day(10, 1000), refund.periods)
    let rows = try History.states([Story.buy, refund, off])
    #expect(rows.map(\.reason) == [.active, .refunded] && rows.map(\.autoRenewStatus) == [.on, .off])
  }

  /// What a customer chooses after a refund is stated as any other choice.
  @Test func aChoiceAfterARefundIsStatedFromThenOn() throws {
    let off = Scenario.status(false, at: Message.day(10, 1000), Self.refund.periods)
    let on = Scenario.status(true, at: Message.day(12), Self.refund.periods)
    let again = Scenario.status(false, at: Message.day(14), Self.refund.periods)
    #expect(
      try words(History.states([Story.buy, Self.refund, off, on, again])) == [
        "0–10 active on", "10–12 refunded off", "12–14 refunded on", "14– refunded off",
      ])
  }

  @Test func aChoiceAfterTheEndIsStatedFromThenOn() throws {
    let on = Scenario.status(true, at: Message.day(40), [Story.old], received: Message.day(40))
    let rows = try History.states([Story.buy, Story.off, on], asOf: Message.day(60))
    #expect(rows.last?.autoRenewStatus == .on && rows.last?.from == Message.day(40))
  }

  /// The customer turned auto-renew off in the minutes between two messages about one purchase.
  @Test(arguments: [
    // Both came within minutes: the later one has the later body.
    (Int64(5_000), Int64(300_000), ["0–0 active on", "0–30 active off"]),
    (300_000, 5_000, ["0–30 active on"]),
  ])
  func ofTwoMessagesAboutOnePurchaseTheLaterOneStatesAutoRenew(
    _ first: Int64, _ second: Int64, _ expected: [String]
  ) throws {
    let buy = Message(
      type: "INITIAL_BUY", periods: [Story.old], isAutoRenewOn: true, received: Message.day(0, first))
    let again = Message(
      type: "INITIAL_BUY", periods: [Story.old], isAutoRenewOn: false, received: Message.day(0, second))
    let rows = try History.states([buy, again])
    #expect(words(rows) == expected)
    #expect(rows.last?.evidence == (expected.count == 2 ? [1] : [0, 1]))
  }

  /// Apple tries to deliver a message for days: the one that came later may be the older one.
  @Test func aMessageThatCameLongAfterItsEventLeavesAutoRenewOpen() throws {
    let buy = Message(type: "INITIAL_BUY", periods: [Story.old], isAutoRenewOn: true, received: Message.day(0, 5_000))
    let late = Message(type: "INITIAL_BUY", periods: [Story.old], isAutoRenewOn: false, received: Message.day(2))
    let rows = try History.states([buy, late], complete: Self.whole)
    #expect(rows.allSatisfy { $0.autoRenewStatus != .off })
    #expect(rows.last { $0.reason == .active }?.autoRenewStatus == nil)
  }
}
