import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import Testing

/// The table of mapping, row by row: what customers do, what V1 sends, and the events that V2 sends for it.
@Suite struct GroupingScenarioTests {
  private typealias Period = Message.Period
  private static let minute: Int64 = 60_000
  private static let hour: Int64 = 3_600_000

  /// A month that began on day 0, and the one bought on day 10.
  static let old = Message.Period(line: "100", purchase: Message.day(0), expires: Message.day(30))
  static let new = Message.Period(
    line: "200", product: "studio", purchase: Message.day(10), expires: Message.day(40))

  static func upgraded(_ period: Message.Period, at cancellation: Int64? = nil) -> Message.Period {
    var period = period
    (period.isUpgraded, period.cancellation) = (true, cancellation)
    return period
  }

  /// The three messages of an upgrade on day 10; the old period is cancelled some time later.
  static func upgrade(
    cancelledAfter delay: Int64 = 2000, statusAfter: Int64 = 1000, offer: String? = nil
  ) -> [Message] {
    var bought = new
    bought.promotionalOffer = offer
    let ended = upgraded(old, at: Message.day(10, delay))
    return [
      Message(type: "CANCEL", periods: [ended], isAutoRenewOn: true, nextProduct: "studio"),
      Message(
        type: "DID_CHANGE_RENEWAL_STATUS", periods: [bought, upgraded(old)], isAutoRenewOn: true,
        nextProduct: "studio", changed: Message.day(10, statusAfter)),
      Message(
        type: "INTERACTIVE_RENEWAL", periods: [bought, upgraded(old)], isAutoRenewOn: true, nextProduct: "studio"),
    ]
  }

  static func status(_ isOn: Bool, at time: Int64?, _ periods: [Message.Period], received: Int64? = nil) -> Message {
    Message(
      type: "DID_CHANGE_RENEWAL_STATUS", periods: periods, isAutoRenewOn: isOn,
      nextProduct: periods.first?.product ?? "basic", changed: time, received: received)
  }

  static func refund(_ period: Message.Period, at time: Int64, type: String = "CANCEL") -> Message {
    var period = period
    period.cancellation = time
    return Message(type: type, periods: [period], isAutoRenewOn: false)
  }

  // MARK: one action, one event

  @Test func anUpgradeOfThreeMessagesIsOne() throws {
    let words = try Outcome.words(Self.upgrade())
    #expect(
      words == ["DID_CHANGE_RENEWAL_PREF/UPGRADE < INTERACTIVE_RENEWAL + DID_CHANGE_RENEWAL_STATUS + CANCEL"])
  }

  @Test func anUpgradeOfTwoMessagesIsOne() throws {
    let words = try Outcome.words(Array(Self.upgrade().dropFirst()))
    #expect(words == ["DID_CHANGE_RENEWAL_PREF/UPGRADE < INTERACTIVE_RENEWAL + DID_CHANGE_RENEWAL_STATUS"])
  }

  @Test func anUpgradeWithAnOfferIsOne() throws {
    let words = try Outcome.words(Self.upgrade(offer: "half"))
    #expect(words == ["OFFER_REDEEMED/UPGRADE < INTERACTIVE_RENEWAL + DID_CHANGE_RENEWAL_STATUS + CANCEL"])
  }

  @Test(arguments: [true, false])
  func aRefundIsOneWhateverItsMessageIsCalled(_ isCancel: Bool) throws {
    let time = Message.day(12)
    let type = isCancel ? "CANCEL" : "REFUND"
    var cancelled = Self.old
    cancelled.cancellation = time
    let words = try Outcome.words([
      Self.refund(Self.old, at: time, type: type), Self.status(false, at: time + 3000, [cancelled]),
    ])
    #expect(words == ["REFUND < \(type) + DID_CHANGE_RENEWAL_STATUS"])
  }

  @Test func theStatusOfARefundIsAbsorbedEvenWhenItsBodyDoesNotTellTheRefund() throws {
    let words = try Outcome.words([
      Self.refund(Self.old, at: Message.day(12)), Self.status(false, at: Message.day(12, 2000), [Self.old]),
    ])
    #expect(words == ["REFUND < CANCEL + DID_CHANGE_RENEWAL_STATUS"])
  }

  @Test(
    arguments: [
      (1_646_136_000_000, nil, "SUBSCRIBED/RESUBSCRIBE"), (1_646_136_000_000, "back", "OFFER_REDEEMED/RESUBSCRIBE"),
      (1_706_011_200_000, "back", "SUBSCRIBED/RESUBSCRIBE"),
    ] as [(Int64, String?, String)])
  func aReturnIsOne(_ start: Int64, _ offer: String?, _ event: String) throws {
    let shift = start - Message.day(0)
    let old = Period(line: "100", purchase: Message.day(0) + shift, expires: Message.day(30) + shift)
    var back = Period(
      line: "200", product: "studio", purchase: Message.day(50) + shift, expires: Message.day(80) + shift)
    back.promotionalOffer = offer
    let words = try Outcome.words([
      Message(type: "INTERACTIVE_RENEWAL", periods: [back, old], isAutoRenewOn: true, nextProduct: "studio"),
      Self.status(true, at: back.purchase + 1000, [back, old]),
    ])
    #expect(words == ["\(event) < INTERACTIVE_RENEWAL + DID_CHANGE_RENEWAL_STATUS"])
  }

  @Test func aReturnBeforeARefundedPeriodWouldHaveEndedIsNoUpgrade() throws {
    var refunded = Self.old
    refunded.cancellation = Message.day(3)
    let words = try Outcome.words([
      Message(type: "INTERACTIVE_RENEWAL", periods: [Self.new, refunded], isAutoRenewOn: true, nextProduct: "studio"),
      Self.status(true, at: Message.day(10, 1000), [Self.new, refunded]),
    ])
    #expect(words == ["SUBSCRIBED/RESUBSCRIBE < INTERACTIVE_RENEWAL + DID_CHANGE_RENEWAL_STATUS"])
  }

  @Test func aReturnToldByItsStatusAloneKeepsThatReading() throws {
    let back = Period(line: "200", purchase: Message.day(50), expires: Message.day(80))
    let words = try Outcome.words([Self.status(true, at: Message.day(50, 1000), [back, Self.old])])
    #expect(words == ["SUBSCRIBED/RESUBSCRIBE < DID_CHANGE_RENEWAL_STATUS"])
  }

  @Test(arguments: ["RENEWAL", "DID_RENEW"])
  func aRecoveryToldTwiceIsOne(_ type: String) throws {
    let next = Period(line: "200", purchase: Message.day(33), expires: Message.day(63))
    let words = try Outcome.words([
      Message(type: type, periods: [next, Self.old], isAutoRenewOn: true),
      Message(type: "DID_RECOVER", periods: [next, Self.old], isAutoRenewOn: true),
    ])
    #expect(words == ["DID_RENEW/BILLING_RECOVERY < DID_RECOVER + \(type)"])
  }

  @Test func aRecoveryOfAnotherPeriodIsAnother() throws {
    let next = Period(line: "200", purchase: Message.day(33), expires: Message.day(63))
    let other = Period(line: "300", purchase: Message.day(33, 60_000), expires: Message.day(63))
    let words = try Outcome.words([
      Message(type: "RENEWAL", periods: [next, Self.old], isAutoRenewOn: true),
      Message(type: "DID_RECOVER", periods: [other, Self.old], isAutoRenewOn: true),
    ])
    #expect(words == ["DID_RENEW/BILLING_RECOVERY < RENEWAL", "DID_RENEW/BILLING_RECOVERY < DID_RECOVER"])
  }

  @Test func theEndOfFamilySharingIsOne() throws {
    var shared = Self.old
    (shared.isFamilyShared, shared.cancellation) = (true, Message.day(12))
    let words = try Outcome.words([
      Message(type: "REVOKE", periods: [shared], isAutoRenewOn: false),
      Self.status(false, at: Message.day(12, 1000), [shared]),
    ])
    #expect(words == ["REVOKE < REVOKE + DID_CHANGE_RENEWAL_STATUS"])
  }

  // MARK: several actions, several events

  @Test func aTrialThatIsTurnedOffAtOnceStaysTwo() throws {
    let words = try Outcome.words([
      Message(type: "INITIAL_BUY", periods: [Self.old], isAutoRenewOn: false),
      Self.status(false, at: Message.day(0, 60_000), [Self.old]),
    ])
    #expect(
      words == [
        "SUBSCRIBED/INITIAL_BUY < INITIAL_BUY",
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED < DID_CHANGE_RENEWAL_STATUS",
      ])
  }

  @Test func offAndOnAgainStayTwo() throws {
    let words = try Outcome.words([
      Self.status(false, at: Message.day(5), [Self.old]), Self.status(true, at: Message.day(5, 5000), [Self.old]),
    ])
    #expect(
      words == [
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED < DID_CHANGE_RENEWAL_STATUS",
        "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED < DID_CHANGE_RENEWAL_STATUS",
      ])
  }

  @Test func twoRefundsAreNotMerged() throws {
    let later = Period(line: "200", purchase: Message.day(30), expires: Message.day(60))
    let words = try Outcome.words([
      Self.refund(Self.old, at: Message.day(31)), Self.refund(later, at: Message.day(31, 1000)),
    ])
    #expect(words == ["REFUND < CANCEL", "REFUND < CANCEL"])
  }

  @Test func oneRefundToldByBothTypesIsMerged() throws {
    let words = try Outcome.words([
      Self.refund(Self.old, at: Message.day(12)), Self.refund(Self.old, at: Message.day(12), type: "REFUND"),
    ])
    #expect(words == ["REFUND < CANCEL + REFUND"])
  }

  @Test func aRefundDuringAnUpgradeKeepsItsOwnMessages() throws {
    let earlier = Period(line: "050", purchase: Message.day(-30), expires: Message.day(0))
    var cancelled = earlier
    cancelled.cancellation = Message.day(10, 3000)
    let words = try Outcome.words(Self.upgrade() + [Self.refund(earlier, at: Message.day(10, 3000))])
    #expect(
      words == [
        "DID_CHANGE_RENEWAL_PREF/UPGRADE < INTERACTIVE_RENEWAL + DID_CHANGE_RENEWAL_STATUS + CANCEL",
        "REFUND < CANCEL",
      ])
  }

  @Test func twoUpgradesInOneDayAreTwo() throws {
    let later = Message.day(10, 5 * Self.hour)
    let third = Period(line: "300", product: "max", purchase: later, expires: Message.day(40))
    let ended = Self.upgraded(Self.new, at: later + 2000)
    let list = [third, Self.upgraded(Self.new), Self.upgraded(Self.old)]
    let second = [
      Message(type: "CANCEL", periods: [ended], isAutoRenewOn: true, nextProduct: "max"),
      Self.status(true, at: later + 1000, list),
      Message(type: "INTERACTIVE_RENEWAL", periods: list, isAutoRenewOn: true, nextProduct: "max"),
    ]
    // The first upgraded period is cancelled eight hours later, behind the second upgrade.
    for delay in [2000, 8 * Self.hour] {
      let messages = Self.upgrade(cancelledAfter: delay) + second
      let events = try messages.enumerated().map { try $0.element.stored(place: Int64($0.offset)) }
      let groups = try Outcome.groups(Outcome.sorted(events))
      #expect(groups.map(\.companions.count) == [2, 2])
      let cancelled = groups.map { group in
        group.companions.filter { $0.event.notification_type == "CANCEL" }.map(\.event.place)
      }
      #expect(cancelled == [[0], [3]], "after \(delay) ms")
    }
  }

  @Test(arguments: ["CONSUMPTION_REQUEST", "PRICE_INCREASE_CONSENT", "SOMETHING_NEW"])
  func someTypesNeitherAbsorbNorAreAbsorbed(_ type: String) throws {
    let alone = Message(type: type, periods: [Self.old], isAutoRenewOn: true, received: Message.day(10, 500))
    let groups = try Outcome.words(Self.upgrade() + [alone])
    #expect(groups.contains { $0.hasSuffix("< \(type)") })
    #expect(groups.count == 2)
  }

  @Test func aFailureAndItsRecoveryStayTwo() throws {
    let next = Period(line: "200", purchase: Message.day(30, 60_000), expires: Message.day(60))
    let words = try Outcome.words([
      Message(type: "DID_FAIL_TO_RENEW", periods: [Self.old], isAutoRenewOn: true),
      Message(type: "DID_RECOVER", periods: [next, Self.old], isAutoRenewOn: true),
    ])
    #expect(words == ["DID_FAIL_TO_RENEW < DID_FAIL_TO_RENEW", "DID_RENEW/BILLING_RECOVERY < DID_RECOVER"])
  }

  @Test func aRenewalAndTheSwitchRightBehindItStayTwo() throws {
    let next = Period(line: "200", purchase: Message.day(30), expires: Message.day(60))
    let words = try Outcome.words([
      Message(type: "DID_RENEW", periods: [next, Self.old], isAutoRenewOn: true),
      Self.status(false, at: Message.day(30, 90_000), [next, Self.old]),
    ])
    #expect(
      words == [
        "DID_RENEW < DID_RENEW", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED < DID_CHANGE_RENEWAL_STATUS",
      ])
  }

  @Test func aRequestOfADowngradeAndItsEffectAreTwo() throws {
    let next = Period(line: "200", product: "lite", purchase: Message.day(30), expires: Message.day(60))
    let words = try Outcome.words([
      Message(
        type: "DID_CHANGE_RENEWAL_PREF", periods: [Self.old], isAutoRenewOn: true, nextProduct: "lite",
        received: Message.day(29)),
      Message(type: "DID_RENEW", periods: [next, Self.old], isAutoRenewOn: true, nextProduct: "lite"),
    ])
    #expect(words == ["DID_CHANGE_RENEWAL_PREF/DOWNGRADE < DID_CHANGE_RENEWAL_PREF", "DID_RENEW < DID_RENEW"])
  }

  @Test func theSwitchOfAnUpgradeIsNotTakenForThatOfARefund() throws {
    // Both leads lie within ten minutes of the one change of status; its own reading decides.
    let refund = Self.refund(
      Period(line: "050", purchase: Message.day(-30), expires: Message.day(0)), at: Message.day(10, 1500))
    let words = try Outcome.words([Self.upgrade()[1], Self.upgrade()[2], refund])
    #expect(
      words == ["DID_CHANGE_RENEWAL_PREF/UPGRADE < INTERACTIVE_RENEWAL + DID_CHANGE_RENEWAL_STATUS", "REFUND < CANCEL"])
  }

  @Test func aReturnUnderANewOriginalIdIsOne() throws {
    let back = Period(line: "200", purchase: Message.day(50), expires: Message.day(80))
    let words = try Outcome.words([
      Message(type: "INITIAL_BUY", periods: [back, Self.old], isAutoRenewOn: true),
      Self.status(true, at: Message.day(50, 1000), [back, Self.old]),
    ])
    #expect(words == ["SUBSCRIBED/RESUBSCRIBE < INITIAL_BUY + DID_CHANGE_RENEWAL_STATUS"])
  }
}
