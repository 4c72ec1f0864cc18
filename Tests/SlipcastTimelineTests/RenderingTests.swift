import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import SlipcastWire
import Testing

/// How timelines look, for people and for programs.
@Suite struct RenderingTests {
  private typealias Scenario = GroupingScenarioTests

  private static func events() throws -> [StoredEvent] {
    let off = Scenario.status(false, at: Message.day(12), [Scenario.new])
    return Outcome.sorted(
      try (Scenario.upgrade() + [off]).enumerated().map { try $0.element.stored(place: Int64($0.offset)) })
  }

  @Test func peopleReadColumns() throws {
    let text = try History.text(try Self.events(), .text, asOf: Message.day(60))
    let expected = """
      Subscription 4711  com.example.app  Production

        2022-03-11T12:00:00Z       DID_CHANGE_RENEWAL_PREF/UPGRADE               INTERACTIVE_RENEWAL
                                   com.example.studio, line item 200, until 2022-04-10T12:00:00Z
                                   type.INTERACTIVE_RENEWAL.upgraded, documented
        2022-03-11T12:00:01Z     + grouping.upgrade                              DID_CHANGE_RENEWAL_STATUS
        2022-03-11T12:00:02Z     + grouping.upgrade.cancel                       CANCEL
        2022-03-13T12:00:00Z       DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED DID_CHANGE_RENEWAL_STATUS
                                   com.example.studio, line item 200, until 2022-04-10T12:00:00Z
                                   type.DID_CHANGE_RENEWAL_STATUS.off, documented
        2022-04-10T12:00:00Z     ~ EXPIRED/VOLUNTARY                             (never sent by V1)
                                   com.example.studio, until 2022-04-10T12:00:00Z
                                   Auto-renew is off when the period ends; later bodies: expiration_intent
                                   "1".
                                   data.renewalInfo.autoRenewStatus; server.EXPIRED.VOLUNTARY, inferred;
                                   V1-TYPE

        messages 4, events 2, absorbed 2, never sent by V1 1
        products com.example.studio
        from 2022-03-11T12:00:00Z to 2022-03-13T12:00:00Z

      V2 also sends these; V1 leaves no trace of them
      """
    #expect(text.hasPrefix(expected))
  }

  /// Source: mapping D, environment and app are part of the identity: ids are unique only within both.
  @Test(arguments: ["environment", "app"])
  func anIdIsUniqueOnlyInOneEnvironmentOfOneApp(_ differing: String) throws {
    var events: [StoredEvent] = []
    for name in ["one", "two"] {
      events += try Self.events().map { event in
        var event = event
        if differing == "app" { event.bundleId = name } else { event.environment = name }
        return event
      }
    }
    let text = try History.text(events, .json)
    #expect(text.ranges(of: #""kind":"subscription""#).count == 2)
    #expect(text.ranges(of: #""messages":4,"events":2,"absorbed":2,"duplicate":0"#).count == 2)
  }

  @Test func noLineIsWiderThanAHundredCharacters() throws {
    var events: [StoredEvent] = []
    for fixture in Fixture.cases("notifications") where fixture.exists("v2.json") {
      let body = Array(try PrettyJSON.compact(try fixture.bytes("v2.json")).utf8)
      events.append(
        StoredEvent(
          place: Int64(events.count), originalTransactionId: nil, notification_type: "DID_CHANGE_RENEWAL_STATUS",
          eventTime: 1_646_136_000_123, receivedAt: nil, body: body))
    }
    let lines = try History.text(events, .text).split(separator: "\n")
    #expect(lines.filter { $0.count > 100 }.isEmpty)
    #expect(events.count > 100 && lines.filter { $0.hasPrefix("Subscription (without") }.count > 100)
  }

  @Test func coloursComeOnlyWhenAsked() throws {
    #expect(!(try History.text(try Self.events(), .text)).contains("\u{1B}"))
    #expect(try History.text(try Self.events(), .text, isColored: true).contains("\u{1B}[1mSubscription 4711\u{1B}[0m"))
  }

  @Test func whatIsNotCertainIsSaid() throws {
    let alone = Message(type: "INTERACTIVE_RENEWAL", periods: [Scenario.new], isAutoRenewOn: true)
    let ambiguous = try History.text([try alone.stored()], .text)
    #expect(ambiguous.contains("  ? SUBSCRIBED/RESUBSCRIBE") || ambiguous.contains(" ? SUBSCRIBED/RESUBSCRIBE"))
    #expect(ambiguous.contains("DID_CHANGE_RENEWAL_PREF/UPGRADE: needs another product was running"))
    var cancel = Scenario.upgrade()[0]
    cancel.periods.append(Scenario.new)
    let orphan = try History.text([try cancel.stored()], .text)
    #expect(orphan.contains("a companion message of DID_CHANGE_RENEWAL_PREF/UPGRADE; what it belongs"))
    let choice = Message(type: "DID_CHANGE_RENEWAL_PREF", periods: [Scenario.old], isAutoRenewOn: true)
    #expect(try History.text([try choice.stored()], .text).contains("at an unknown time"))
  }

  @Test func controlCharactersHaveNoPower() throws {
    let evil = "\u{1B}[2J\u{202E}x\ny"
    let body =
      #"{"notificationType":"A\u001b[31m","data":{"bundleId":"\u001b[2J\u202e","environment":"\u0007","#
      + #""transactionInfo":{"productId":"p\n\u001b]0;x\u0007","webOrderLineItemId":"\u009b"}},"#
      + #""migration":{"rule":"\u001b[1m","absorbed":{"into":"\u202e"}}}"#
    let event = StoredEvent(
      place: 1, originalTransactionId: evil, notification_type: evil, eventTime: 5, receivedAt: nil,
      body: Array(body.utf8))
    let text = try History.text([event], .text)
    for scalar in text.unicodeScalars where scalar != "\n" {
      #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar.value != 0x202E)
    }
    for line in try History.text([event], .json).split(separator: "\n") {
      #expect(throws: Never.self) { try PrettyJSON.text(line.utf8) }
    }
  }

  @Test func programsReadOneObjectALine() throws {
    let text = try History.text(try Self.events(), .json, asOf: Message.day(60))
    let lines = text.split(separator: "\n").map(String.init)
    for line in lines { #expect(throws: Never.self) { try PrettyJSON.text(line.utf8) } }
    let own = lines.filter { $0.hasPrefix(#"{"originalTransactionId":"4711","kind":"#) }
    let kinds = own.compactMap { $0.split(separator: "\"").dropFirst(7).first.map(String.init) }
    #expect(kinds == ["subscription", "event", "companion", "companion", "event", "gap", "end"])
    #expect(
      own[5] == #"{"originalTransactionId":"4711","kind":"gap","time":1649592000000,"timeIs":"exact","#
        + #""notificationType":"EXPIRED","subtype":"VOLUNTARY","productId":"com.example.studio","#
        + #""expiresDate":1649592000000,"trace":"data.renewalInfo.autoRenewStatus","#
        + #""rule":"server.EXPIRED.VOLUNTARY","confidence":"inferred","source":"V1-TYPE","#
        + #""meaning":"Auto-renew is off when the period ends; later bodies: expiration_intent \"1\".","#
        + #""comparable":true}"#)
    #expect(
      own[6] == #"{"originalTransactionId":"4711","kind":"end","products":["com.example.studio"],"#
        + #""first":1647000000000,"last":1647172800000,"messages":4,"events":2,"absorbed":2,"duplicate":0,"#
        + #""unreadable":0,"gaps":1}"#)
    #expect(lines.dropFirst(own.count).allSatisfy { $0.hasPrefix(#"{"kind":"legend","#) })
  }

  @Test func subscriptionsFollowEachOther() throws {
    let messages = Scenario.upgrade()
    var events: [StoredEvent] = []
    for id in ["1", "2"] { events.append(try messages[2].stored(place: 1, id: id)) }
    events.append(try messages[2].stored(place: 3, id: nil))
    events.append(try messages[0].stored(place: 4, id: nil))
    let text = try History.text(events, .json)
    let begins = text.split(separator: "\n").filter { $0.contains(#""kind":"subscription""#) }
    #expect(begins.count == 4 && begins.filter { $0.contains("originalTransactionId") }.count == 2)
  }

  @Test func oneSubscriptionWithoutEndStaysInBoundedMemory() throws {
    var written = 0
    let writer = TimelineWriter(rules: BuiltIn.rules) { written += $0.count }
    var most = 0
    for number in 0..<5000 {
      // Auto-renew off and an expiry long past, and never a message that shows the newest period again.
      let line = number == 0 ? "\"new\",\"purchaseDate\":9" : "\"old\",\"purchaseDate\":1"
      let body =
        #"{"notificationType":"REFUND","notificationUUID":"\#(number)","data":{"transactionInfo":"#
        + #"{"webOrderLineItemId":\#(line),"expiresDate":10},"renewalInfo":{"autoRenewStatus":0}}}"#
      try writer.feed(
        StoredEvent(
          place: Int64(number), originalTransactionId: "1", notification_type: "CANCEL",
          eventTime: Int64(number) * 86_400_000, receivedAt: nil, body: Array(body.utf8)))
      most = max(most, writer.heldCount)
    }
    try writer.finish()
    #expect(most <= EventGrouper.heldLimit + Life.heldLimit && written > 0)
    #expect(writer.counts.addsUp && writer.counts.read == 5000)
  }
}
