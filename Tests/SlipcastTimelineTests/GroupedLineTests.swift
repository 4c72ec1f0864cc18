import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import SlipcastV2
import SlipcastWire
import Testing

/// What leaves `convert --group`: the lead's line, changed only where the group decides.
@Suite struct GroupedLineTests {
  private typealias Scenario = GroupingScenarioTests

  private static func events(_ messages: [Message]) throws -> [StoredEvent] {
    Outcome.sorted(try messages.enumerated().map { try $0.element.stored(place: Int64($0.offset)) })
  }

  @Test func theLineNamesWhatItAbsorbedBetweenAbsorbedAndInferred() throws {
    let events = try Self.events(Scenario.upgrade())
    let line = try #require(try Outcome.lines(events).0.first)
    let migration = try #require(try ResponseBodyV2DecodedPayload(json: line).migration)
    #expect(migration.rule == "type.INTERACTIVE_RENEWAL.upgraded")
    #expect(migration.companions?.map(\.notification_type) == ["DID_CHANGE_RENEWAL_STATUS", "CANCEL"])
    #expect(migration.companions?.map(\.rule) == ["grouping.upgrade", "grouping.upgrade.cancel"])
    let own = try events.map { try ResponseBodyV2DecodedPayload(json: $0.body).notificationUUID }
    #expect(migration.companions?.map(\.notificationUUID) == [own[1], own[2]])
    let companions = try #require(line.firstRange(of: #","companions":["#))
    let rest = line[..<companions.lowerBound] + line[try #require(line.firstRange(of: #","inferred":"#)).lowerBound...]
    #expect(String(rest) == String(decoding: events[0].body, as: UTF8.self))
  }

  @Test func anEventOfItsOwnLeavesAsItCame() throws {
    for fixture in Fixture.cases("notifications") where fixture.exists("v2.json") {
      let body = try PrettyJSON.compact(try fixture.bytes("v2.json"))
      guard let payload = try? ResponseBodyV2DecodedPayload(json: body), payload.notificationType != nil else {
        continue
      }
      let event = StoredEvent(
        place: 1, originalTransactionId: nil, notification_type: "INITIAL_BUY", eventTime: 1, receivedAt: nil,
        body: Array(body.utf8))
      #expect(try Outcome.lines([event]).0 == [body], "\(fixture)")
    }
  }

  @Test func anAmbiguousPurchaseIsDecidedByItsCompanion() throws {
    // No earlier period in the body of the purchase, but the old one in that of the change of status.
    let purchase = Message(
      type: "INTERACTIVE_RENEWAL", periods: [Scenario.new], isAutoRenewOn: true, nextProduct: "studio")
    let alone = try #require(try Outcome.groups(try Self.events([purchase])).first)
    #expect(alone.confidence == .ambiguous && alone.candidates.count == 3)
    let both = try Self.events([purchase, Scenario.upgrade()[1]])
    let line = try #require(try Outcome.lines(both).0.first)
    let body = try ResponseBodyV2DecodedPayload(json: line)
    #expect(body.notificationType?.known == .didChangeRenewalPref && body.subtype?.known == .upgrade)
    #expect(body.migration?.rule == "grouping.upgrade" && body.migration?.confidence?.known == .documented)
    #expect(body.migration?.candidates == nil)
    #expect(line.hasPrefix(#"{"notificationType":"DID_CHANGE_RENEWAL_PREF","subtype":"UPGRADE","notificationUUID":"#))
  }

  @Test func whatStaysOpenKeepsItsCandidates() throws {
    let purchase = Message(
      type: "INTERACTIVE_RENEWAL", periods: [Scenario.new], isAutoRenewOn: true, nextProduct: "studio")
    let on = Scenario.status(true, at: Message.day(10, 1000), [Scenario.new])
    let (lines, counts) = try Outcome.lines(try Self.events([purchase, on]))
    let migration = try ResponseBodyV2DecodedPayload(json: try #require(lines.first)).migration
    #expect(migration?.confidence?.known == .ambiguous && migration?.candidates?.count == 3)
    #expect(migration?.companions?.map(\.rule) == ["grouping.purchase"])
    #expect(counts.reclassified == 0 && counts.absorbed == 1)
  }

  @Test func aPurchaseByHandThatAlsoRecoversStaysOpen() throws {
    let back = Message.Period(line: "200", purchase: Message.day(33), expires: Message.day(63))
    let (lines, _) = try Outcome.lines(
      try Self.events([
        Message(type: "INTERACTIVE_RENEWAL", periods: [back, Scenario.old], isAutoRenewOn: true),
        Message(type: "DID_RECOVER", periods: [back, Scenario.old], isAutoRenewOn: true),
      ]))
    let body = try ResponseBodyV2DecodedPayload(json: try #require(lines.first))
    #expect(lines.count == 1)
    #expect(body.migration?.confidence?.known == .ambiguous)
    #expect(body.migration?.candidates?.compactMap { $0.subtype?.known } == [.billingRecovery, .resubscribe])
  }

  @Test func aPurchaseByHandInRetryIsDecidedByTheRecovery() throws {
    let back = Message.Period(line: "200", purchase: Message.day(33), expires: Message.day(63))
    var purchase = Message(type: "INTERACTIVE_RENEWAL", periods: [back, Scenario.old], isAutoRenewOn: true)
    purchase.renewal = [("is_in_billing_retry_period", "1")]
    let recovery = Message(type: "DID_RECOVER", periods: [back, Scenario.old], isAutoRenewOn: true)
    #expect(
      try Outcome.words([purchase, recovery]) == ["DID_RENEW/BILLING_RECOVERY < INTERACTIVE_RENEWAL + DID_RECOVER"])
  }

  @Test(arguments: [
    ("cancel-upgraded-period", "CANCEL"),
    ("did-change-renewal-status-01-upgrade-companion", "DID_CHANGE_RENEWAL_STATUS"),
    ("did-change-renewal-status-02-refund-companion", "DID_CHANGE_RENEWAL_STATUS"),
  ])
  func aCompanionWithoutItsLeadStaysWhatItWas(_ name: String, _ type: String) throws {
    let fixture = Fixture.named("notifications/\(name)")
    let event = try Message.stored(try fixture.text("v1.json"), type: type)
    let (lines, counts) = try Outcome.lines([event])
    #expect(lines == [String(decoding: event.body, as: UTF8.self)])
    #expect(lines.first?.contains(#""absorbed":{"#) == true)
    #expect(counts.unmatched == 1)
  }

  @Test func twoCompanionsWithoutTheirLeadBecomeOne() throws {
    let events = try Self.events(Array(Scenario.upgrade().dropLast()))
    let (lines, counts) = try Outcome.lines(events)
    #expect((counts.leads, counts.absorbed, counts.unmatched) == (1, 1, 1))
    #expect(lines.first?.contains(#""absorbed":{"into":"DID_CHANGE_RENEWAL_PREF/UPGRADE""#) == true)
    #expect(lines.first?.contains(#""companions":[{"#) == true)
  }

  @Test func groupingAgainChangesNothing() throws {
    let period = Message.Period(line: "900", purchase: Message.day(10, -5000), expires: Message.day(40))
    let scenarios: [[Message]] = [
      Scenario.upgrade(), Array(Scenario.upgrade().dropLast()),
      Scenario.upgrade() + [Scenario.refund(period, at: Message.day(10, 4000))],
      Scenario.upgrade() + [Scenario.status(false, at: Message.day(10, 200_000), [Scenario.new])],
      [
        Message(type: "DID_CHANGE_RENEWAL_PREF", periods: [period], isAutoRenewOn: true, nextProduct: "lite"),
        Message(type: "INTERACTIVE_RENEWAL", periods: [Scenario.new], isAutoRenewOn: true, nextProduct: "studio"),
        Scenario.status(true, at: Message.day(10, 1000), [Scenario.new]),
      ],
    ]
    for messages in scenarios {
      let events = try Self.events(messages)
      var leads: [StoredEvent] = []
      var first: [String] = []
      let grouped = GroupedLines(rules: BuiltIn.rules) { line, group in
        var lead = group.lead
        lead.body = Array(line)
        leads.append(lead)
        first.append(String(decoding: line))
      }
      for event in events { try grouped.feed(event) }
      try grouped.finish()
      #expect(try Outcome.lines(leads).0 == first)
    }
  }

  @Test func linesWithoutAccountGetNone() throws {
    let events = try Self.events(Scenario.upgrade()).map { event in
      var event = event
      var body = try ResponseBodyV2DecodedPayload(json: event.body)
      body.migration = nil
      event.body = Array(body.json.utf8)
      return event
    }
    let (lines, counts) = try Outcome.lines(events)
    #expect(lines == [String(decoding: events[0].body, as: UTF8.self)])
    #expect(counts.absorbed == 2)
  }

  @Test func subscriptionsDoNotMixAndEventsWithoutOneStandAlone() throws {
    let messages = Scenario.upgrade()
    let ids: [String?] = ["1", "1", "2", "2", nil, nil]
    var events: [StoredEvent] = []
    for (place, id) in ids.enumerated() {
      var event = try messages[place % 2 == 0 ? 2 : 1].stored(place: Int64(place), id: id)
      let name = try #require(try ResponseBodyV2DecodedPayload(json: event.body).notificationUUID)
      // Ids of events differ between subscriptions.
      event.body = Array(
        String(decoding: event.body, as: UTF8.self).replacing(name, with: "\(name)-\(id ?? "\(place)")").utf8)
      events.append(event)
    }
    let (lines, counts) = try Outcome.lines(events)
    #expect(lines.count == 4)
    #expect((counts.leads, counts.absorbed, counts.read) == (4, 2, 6))
  }
}
