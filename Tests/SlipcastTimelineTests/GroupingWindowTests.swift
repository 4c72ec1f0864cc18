import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import SlipcastV2
import Testing

/// How near messages must be, what happens to those without a time, and to those that come again.
@Suite struct GroupingWindowTests {
  private typealias Scenario = GroupingScenarioTests
  private static let tenMinutes: Int64 = 600_000
  private static let day: Int64 = 86_400_000

  @Test(arguments: [(tenMinutes, 1), (tenMinutes + 1, 2), (-tenMinutes, 1), (-tenMinutes - 1, 2)] as [(Int64, Int)])
  func aStatusBelongsWithinTenMinutes(_ distance: Int64, _ groups: Int) throws {
    // The body shows an upgrade, so that only the distance decides.
    let messages = Scenario.upgrade(statusAfter: distance).dropFirst()
    #expect(try Outcome.words(Array(messages)).count == groups)
  }

  /// A cancellation before the purchase is not its companion; seconds do not count.
  @Test(
    arguments: [(day, 1), (day + 1, 2), (-10_000, 1), (-10_001, 2), (-day, 2), (8 * 3_600_000, 1)] as [(Int64, Int)])
  func theUpgradedPeriodIsCancelledWithinADay(_ distance: Int64, _ groups: Int) throws {
    let all = Scenario.upgrade(cancelledAfter: distance)
    #expect(try Outcome.words([all[0], all[2]]).count == groups)
  }

  /// The edge of `decision.window.recovery`, in production and in the Sandbox.
  @Test(arguments: [false, true]) func aRecoveryIsToldTwiceWithinItsWindow(_ isSandbox: Bool) throws {
    let window = BuiltIn.rules.window(.recovery)
    let length = isSandbox ? window.sandbox : window.milliseconds
    let next = Message.Period(line: "200", purchase: Message.day(33), expires: Message.day(63))
    var recovery = Message(type: "DID_RECOVER", periods: [next, Scenario.old], isAutoRenewOn: true)
    var renewal = Message(type: "DID_RENEW", periods: [next, Scenario.old], isAutoRenewOn: true)
    (recovery.environment, renewal.environment) = (isSandbox ? "Sandbox" : "PROD", isSandbox ? "Sandbox" : "PROD")
    for (seconds, groups) in [(Int64(-1), 1), (0, 1), (1, 2)] {
      var events = try [recovery, renewal].enumerated().map { try $0.element.stored(place: Int64($0.offset)) }
      events[1].eventTime = events[0].eventTime.map { $0 + length + seconds * 1000 }
      #expect(try Outcome.groups(Outcome.sorted(events)).count == groups, "\(seconds) s outside")
    }
  }

  @Test func anOverlayWidensTheWindow() throws {
    let rule = #"{"id":"decision.window.action","milliseconds":1200000,"meaning":"mine","source":"INFERENCE"}"#
    let rules = try RuleSet(overlays: [
      (name: "own.json", bytes: Array("{\"family\":\"decisions\",\"rules\":[\(rule)]}".utf8))
    ])
    let messages = Array(Scenario.upgrade(statusAfter: 1_100_000).dropFirst())
    #expect(try Outcome.words(messages).count == 2)
    #expect(try Outcome.words(messages, rules: rules).count == 1)
  }

  /// The window of an upgrade decides what a CANCEL is read as, and which messages belong together.
  @Test func oneEntryChangesTheWindowOfAnUpgradeEverywhere() throws {
    let rule = #"{"id":"decision.window.upgrade","milliseconds":172800000,"meaning":"mine","source":"INFERENCE"}"#
    let rules = try RuleSet(overlays: [
      (name: "own.json", bytes: Array("{\"family\":\"decisions\",\"rules\":[\(rule)]}".utf8))
    ])
    let all = Scenario.upgrade(cancelledAfter: 30 * 3_600_000)
    #expect(try Outcome.words([all[0], all[2]]).count == 2)
    #expect(try Outcome.words([all[0], all[2]], rules: rules).count == 1)
    let users = try #require(Explainer(rules: rules).pages(for: "decision.window.upgrade").first)
    let named = users.lines.first { $0.label == "named by" }?.text ?? ""
    #expect(named.contains("cancelledNearUpgrade") && named.contains("grouping.upgrade.cancel"))
  }

  @Test func theNearestStatusIsTheCompanion() throws {
    let new = Scenario.new
    let near = Scenario.status(true, at: Message.day(10, 1000), [new, Scenario.upgraded(Scenario.old)])
    let far = Scenario.status(false, at: Message.day(10, 300_000), [new, Scenario.upgraded(Scenario.old)])
    let events = try [far, near, Scenario.upgrade()[2]].enumerated().map {
      try $0.element.stored(place: Int64($0.offset))
    }
    let groups = try Outcome.groups(Outcome.sorted(events))
    #expect(groups.map { $0.companions.map(\.event.place) } == [[1], []])
    #expect(groups.last?.isUnmatched == false)
    #expect(groups.last?.confidence == .ambiguous)
  }

  @Test func theOrderOfReceiptDoesNotMatter() throws {
    let messages = Scenario.upgrade()
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
      let events = try order.enumerated().map { place, index in
        var message = messages[index]
        // Received hours apart, and in another order than they happened in.
        message.received = Message.day(11, Int64(place) * 3_600_000)
        return try message.stored(place: Int64(place))
      }
      // Events within the window may come in disorder, too.
      for list in [Outcome.sorted(events), events] {
        let groups = try Outcome.groups(list)
        #expect(groups.map(\.companions.count) == [2])
      }
    }
  }

  // MARK: missing times

  @Test func aChoiceOfProductTakesItsTimeFromItsRow() throws {
    let choice = Message(
      type: "DID_CHANGE_RENEWAL_PREF", periods: [Scenario.old], isAutoRenewOn: true, nextProduct: "lite",
      received: Message.day(5))
    let on = Message(
      type: "DID_CHANGE_RENEWAL_STATUS", periods: [Scenario.old], isAutoRenewOn: true, nextProduct: "lite",
      changed: Message.day(5, -2000))
    #expect(
      try Outcome.words([choice, on]) == [
        "DID_CHANGE_RENEWAL_PREF/DOWNGRADE < DID_CHANGE_RENEWAL_PREF + DID_CHANGE_RENEWAL_STATUS"
      ])
    var off = on
    off.isAutoRenewOn = false
    #expect(try Outcome.words([choice, off]).count == 2)
  }

  /// The customer needs seconds to choose twice, so V2 reports both.
  ///
  /// Source: mapping A3, a downgrade request is one message; comparison §2, which messages are absorbed; S2:ev2.
  @Test(arguments: [-300_000, -11_000, 11_000, 240_000])
  func autoRenewTurnedOnLongerBeforeOrAfterAChoiceIsAnotherEvent(_ distance: Int64) throws {
    let choice = Message(
      type: "DID_CHANGE_RENEWAL_PREF", periods: [Scenario.old], isAutoRenewOn: true, nextProduct: "lite",
      received: Message.day(5))
    var on = Scenario.status(true, at: Message.day(5, distance), [Scenario.old])
    on.nextProduct = "lite"
    let words = try Outcome.words([choice, on])
    #expect(words.count == 2)
    #expect(words.contains("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED < DID_CHANGE_RENEWAL_STATUS"))
  }

  @Test func withoutAnyTimeItStandsAloneAndSaysSo() throws {
    let choice = Message(
      type: "DID_CHANGE_RENEWAL_PREF", periods: [Scenario.old], isAutoRenewOn: true, nextProduct: "lite")
    let event = try choice.stored()
    let group = try #require(try Outcome.groups([event]).first)
    #expect(group.isUntimed && group.confidence == .inferred && group.timeSource == .unknown)
    let (lines, counts) = try Outcome.lines([event])
    #expect(lines.first?.contains(#""confidence":"inferred""#) == true)
    #expect(lines.first?.hasSuffix(#","migration.companions"]}}"#) == true)
    #expect(counts.untimed == 1 && counts.addsUp)
  }

  @Test func aRequestThatNeverJoinsIsNotMarked() throws {
    let request = Message(type: "PRICE_INCREASE_CONSENT", periods: [Scenario.old], isAutoRenewOn: true)
    let group = try #require(try Outcome.groups([try request.stored()]).first)
    #expect(!group.isUntimed && group.confidence == .documented)
  }

  @Test func aDateOfSigningIsNoTimeForGrouping() throws {
    var events = try Scenario.upgrade().enumerated().map { try $0.element.stored(place: Int64($0.offset)) }
    for index in events.indices { events[index].eventTime = nil }
    let groups = try Outcome.groups(events)
    #expect(groups.count == 3 && groups.allSatisfy { $0.isUntimed && $0.timeSource == .signedDate })
  }

  // MARK: again

  @Test func whatComesAgainIsDropped() throws {
    let events = try (Scenario.upgrade() + Scenario.upgrade()).enumerated().map {
      try $0.element.stored(place: Int64($0.offset))
    }
    let (lines, counts) = try Outcome.lines(Outcome.sorted(events))
    #expect(lines.count == 1)
    #expect((counts.read, counts.leads, counts.absorbed, counts.duplicate) == (6, 1, 2, 3))
  }

  @Test func whatIsNoNotificationIsCounted() throws {
    let broken = StoredEvent(
      place: 1, originalTransactionId: "1", notification_type: "CANCEL", eventTime: 1, receivedAt: nil,
      body: Array("{\"notificationType\":".utf8))
    let (lines, counts) = try Outcome.lines([broken])
    #expect(lines.isEmpty && counts.unreadable == 1 && counts.addsUp)
  }

  // MARK: hostile archives

  @Test(arguments: [0, 1, 60_000, 86_400_000] as [Int64])
  func fortyThousandEventsOfOneSubscriptionStayInBoundedMemory(_ step: Int64) throws {
    let grouped = EventGrouper(rules: BuiltIn.rules)
    let types = ["INTERACTIVE_RENEWAL", "DID_CHANGE_RENEWAL_STATUS", "CANCEL", "DID_RENEW"]
    let total = step == 60_000 ? 40_000 : 2_000
    var most = 0
    for number in 0..<total {
      // Most without a transaction: reading them is what takes the time.
      let data = number % 8 == 0 ? #","data":{"transactionInfo":{"webOrderLineItemId":"\#(number / 16)"}}"# : ""
      let body =
        #"{"notificationType":"DID_CHANGE_RENEWAL_PREF","subtype":"UPGRADE","notificationUUID":"\#(number)"\#(data)}"#
      let event = StoredEvent(
        place: Int64(number), originalTransactionId: "1", notification_type: types[number % 4],
        eventTime: Int64(number) * step, receivedAt: nil, body: Array(body.utf8))
      grouped.feed(event) { _ in }
      most = max(most, grouped.heldCount)
    }
    grouped.finish { _ in }
    #expect(most <= EventGrouper.heldLimit)
    #expect(grouped.counts.read == total && grouped.counts.addsUp)
  }

  @Test func longLinesPushEachOtherOut() throws {
    let grouper = EventGrouper(rules: BuiltIn.rules)
    let filler = String(repeating: "x", count: 1 << 20)
    var most = 0
    for number in 0..<40 {
      let body = #"{"notificationType":"DID_RENEW","notificationUUID":"\#(number)","version":"\#(filler)"}"#
      let event = StoredEvent(
        place: Int64(number), originalTransactionId: "1", notification_type: "DID_RENEW", eventTime: Int64(number),
        receivedAt: nil, body: Array(body.utf8))
      grouper.feed(event) { _ in }
      most = max(most, grouper.heldCount)
    }
    grouper.finish { _ in }
    #expect(most <= 16 && grouper.counts.addsUp && grouper.counts.leads == 40)
  }

  @Test(arguments: [Int64.min, Int64.max, 0])
  func extremeTimesDoNotTrap(_ time: Int64) throws {
    var events = try Scenario.upgrade().enumerated().map { try $0.element.stored(place: Int64($0.offset)) }
    events[1].eventTime = time
    for list in [events, Outcome.sorted(events)] { #expect(try Outcome.lines(list).1.addsUp) }
  }
}
