import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import SlipcastV2
import Testing

/// Price increases that end a subscription, and the places of events that have no date.
@Suite struct PriceIncreaseTests {
  private typealias Period = Message.Period
  private typealias Scenario = GroupingScenarioTests
  private static let old = Scenario.old
  private static let buy = Message(type: "INITIAL_BUY", periods: [old], isAutoRenewOn: true)
  private static let next = Period(line: "200", purchase: Message.day(30), expires: Message.day(60))
  private static let renew = Message(type: "DID_RENEW", periods: [next, old], isAutoRenewOn: true)
  private static let pending = "PRICE_INCREASE/PENDING"

  private static func ask(_ periods: [Message.Period], received: Int64? = nil) -> Message {
    var message = Message(type: "PRICE_INCREASE_CONSENT", periods: periods, isAutoRenewOn: true, received: received)
    message.renewal = [("price_consent_status", "0")]
    return message
  }

  private static func lapsed(_ message: Message) -> Message {
    var message = message
    message.renewal = [("expiration_intent", "3"), ("price_consent_status", "0")]
    return message
  }

  @Test func aLapseThatV1TellsComesAfterThePending() throws {
    let ended = Self.lapsed(Scenario.status(false, at: Message.day(30, 5000), [Self.old]))
    #expect(
      try History.words([Self.ask([Self.old]), Self.buy, ended], asOf: Message.day(90))
        == ["SUBSCRIBED/INITIAL_BUY", Self.pending, "EXPIRED/PRICE_INCREASE"])
  }

  @Test func aLapseShownByALaterBodyComesAfterThePending() throws {
    var refunded = Self.old
    refunded.cancellation = Message.day(40)
    let refund = Self.lapsed(Message(type: "CANCEL", periods: [refunded], isAutoRenewOn: false))
    let messages = [Self.ask([Self.old]), Self.buy, refund]
    #expect(
      try History.words(messages, asOf: Message.day(90))
        == ["SUBSCRIBED/INITIAL_BUY", Self.pending, "(EXPIRED/PRICE_INCREASE)", "REFUND"])
    let gap = try #require(try History.gaps(messages).first)
    #expect((gap.time, gap.timing, gap.confidence) == (Message.day(30), .exact, .inferred))
    #expect((gap.rule, gap.trace) == ("server.EXPIRED.PRICE_INCREASE", "data.renewalInfo.expirationIntent"))
  }

  @Test func anIntentThatIsKnownBeforeTheEndIsJudgedByALaterTime() throws {
    let off = Self.lapsed(Scenario.status(false, at: Message.day(25), [Self.old]))
    #expect(try History.gaps([Self.buy, off]).isEmpty)
    #expect(try History.gaps([Self.buy, off], asOf: Message.day(30, -1)).isEmpty)
    let gaps = try History.gaps([Self.buy, off], asOf: Message.day(30))
    #expect(gaps.map(\.rule) == ["server.EXPIRED.PRICE_INCREASE"])
    let back = Period(line: "300", purchase: Message.day(50), expires: Message.day(80))
    let comeback = Message(type: "INTERACTIVE_RENEWAL", periods: [back, Self.old], isAutoRenewOn: true)
    #expect(try History.gaps([Self.buy, off, comeback]).map(\.rule) == ["server.EXPIRED.PRICE_INCREASE"])
  }

  // MARK: events without a date

  @Test func anUndatedEventFollowsTheNewestPurchaseThatItShows() throws {
    #expect(
      try History.words([Self.ask([Self.old]), Self.buy, Self.renew])
        == ["SUBSCRIBED/INITIAL_BUY", Self.pending, "DID_RENEW"])
    #expect(
      try History.words([Self.ask([Self.next, Self.old]), Self.buy, Self.renew])
        == ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW", Self.pending])
    #expect(
      try History.words([Self.ask([Self.next, Self.old]), Self.buy])
        == ["SUBSCRIBED/INITIAL_BUY", "(DID_RENEW)", Self.pending])
  }

  @Test func aReceivedTimeTakesPrecedenceOverTheSnapshot() throws {
    #expect(
      try History.words([Self.ask([Self.old], received: Message.day(31)), Self.buy, Self.renew])
        == ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW", Self.pending])
  }

  @Test func undatedEventsDoNotDisturbTheGroupsAroundThem() throws {
    let choice = Message(
      type: "DID_CHANGE_RENEWAL_PREF", periods: [Scenario.new, Scenario.upgraded(Self.old)], isAutoRenewOn: true,
      nextProduct: "basic")
    #expect(
      try Outcome.words(Scenario.upgrade() + [choice, Self.buy]) == [
        "SUBSCRIBED/INITIAL_BUY < INITIAL_BUY",
        "DID_CHANGE_RENEWAL_PREF/UPGRADE < INTERACTIVE_RENEWAL + DID_CHANGE_RENEWAL_STATUS + CANCEL",
        "DID_CHANGE_RENEWAL_PREF/DOWNGRADE < DID_CHANGE_RENEWAL_PREF",
      ])
  }

  @Test func anUndatedEventThatShowsNoPurchaseComesLast() throws {
    let body = #"{"notificationType":"PRICE_INCREASE","subtype":"PENDING","notificationUUID":"x"}"#
    let event = StoredEvent(
      place: 0, originalTransactionId: Message.original, notification_type: "PRICE_INCREASE_CONSENT", eventTime: nil,
      receivedAt: nil, body: Array(body.utf8))
    let groups = try Outcome.groups([event, try Self.buy.stored(place: 1), try Self.renew.stored(place: 2)])
    #expect(groups.map(\.notificationType) == ["SUBSCRIBED", "DID_RENEW", "PRICE_INCREASE"])
  }

  @Test func undatedEventsStayInBoundedMemory() throws {
    let grouper = EventGrouper(rules: BuiltIn.rules)
    var most = 0
    for number in 0..<2000 {
      let body = #"{"notificationType":"PRICE_INCREASE","notificationUUID":"\#(number)"}"#
      let event = StoredEvent(
        place: Int64(number), originalTransactionId: "1", notification_type: "PRICE_INCREASE_CONSENT", eventTime: nil,
        receivedAt: nil, body: Array(body.utf8))
      grouper.feed(event) { _ in }
      most = max(most, grouper.heldCount)
    }
    grouper.finish { _ in }
    #expect(most <= EventGrouper.heldLimit + EventGrouper.undatedLimit)
    #expect(grouper.counts.addsUp && grouper.counts.leads == 2000 && grouper.heldCount == 0)
  }
}
