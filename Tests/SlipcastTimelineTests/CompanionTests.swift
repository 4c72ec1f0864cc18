import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import Testing

/// Which changes of status and cancellations belong to an upgrade or a refund, and which are events of their own.
@Suite struct CompanionTests {
  private typealias Period = Message.Period
  private typealias Scenario = GroupingScenarioTests
  private static let minute: Int64 = 60_000
  private static let hour: Int64 = 3_600_000
  private static let upgrade = "DID_CHANGE_RENEWAL_PREF/UPGRADE"
  private static let disabled = "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"
  private static let status = "DID_CHANGE_RENEWAL_STATUS"

  // MARK: upgrade

  @Test(arguments: [-minute, 0, 1000, 9 * minute])
  func autoRenewOffNearAnUpgradeStaysSeparate(_ distance: Int64) throws {
    var off = Scenario.upgrade()[1]
    (off.isAutoRenewOn, off.changed) = (false, Message.day(10, distance))
    for messages in [[off, Scenario.upgrade()[2]], [off, Scenario.upgrade()[2], Scenario.upgrade()[0]]] {
      let words = try Outcome.words(messages)
      #expect(words.count == 2)
      #expect(words.contains("\(Self.disabled)? < \(Self.status)"))
      #expect(words.contains { $0.hasPrefix("\(Self.upgrade) < INTERACTIVE_RENEWAL") && !$0.contains(Self.status) })
    }
  }

  @Test(arguments: [true, nil])
  func autoRenewOnOrUnstatedNearAnUpgradeJoins(_ isOn: Bool?) throws {
    var change = Scenario.upgrade()[1]
    change.isAutoRenewOn = isOn
    let words = try Outcome.words([change, Scenario.upgrade()[2]])
    #expect(words == ["\(Self.upgrade) < INTERACTIVE_RENEWAL + \(Self.status)"])
  }

  @Test func theBodysOwnStatusCountsAndNotALaterStateOfTheRenewal() throws {
    var off = Scenario.upgrade()[1]
    off.isAutoRenewOn = false
    let json = off.json.replacing(#""auto_renew_status":"0""#, with: #""auto_renew_status":"1""#)
    let events = [
      try Message.stored(json, type: off.type, place: 0), try Scenario.upgrade()[2].stored(place: 1),
    ]
    #expect(try Outcome.groups(Outcome.sorted(events)).allSatisfy { $0.companions.isEmpty })
  }

  @Test func autoRenewOffDoesNotLeadTheOldPeriodOfAnUpgrade() throws {
    var off = Scenario.upgrade()[1]
    off.isAutoRenewOn = false
    let words = try Outcome.words([off, Scenario.upgrade()[0]])
    #expect(words == ["\(Self.disabled)? < \(Self.status)", "\(Self.upgrade)? < CANCEL"])
    let joined = try Outcome.words([Scenario.upgrade()[1], Scenario.upgrade()[0]])
    #expect(joined == ["\(Self.upgrade) < \(Self.status) + CANCEL"])
  }

  // MARK: a refunded period that was upgraded

  private static func refundOfUpgraded(after delay: Int64, reason: String) -> Message {
    var ended = Scenario.upgraded(Scenario.old, at: Message.day(10, delay))
    ended.reason = reason
    var message = Message(type: "CANCEL", periods: [Scenario.new, ended], isAutoRenewOn: true, nextProduct: "studio")
    message.lineItem = ended.line
    return message
  }

  @Test func aRefundForAProblemWithTheAppIsNotPartOfTheUpgrade() throws {
    let refund = Self.refundOfUpgraded(after: 2000, reason: "1")
    let words = try Outcome.words([refund] + Scenario.upgrade().dropFirst())
    #expect(words == ["\(Self.upgrade) < INTERACTIVE_RENEWAL + \(Self.status)", "REFUND < CANCEL"])
    // An upgrade that its own body does not show is not decided by that refund either.
    let alone = Message(type: "INTERACTIVE_RENEWAL", periods: [Scenario.new], isAutoRenewOn: true)
    #expect(try Outcome.words([refund, alone]).contains("REFUND < CANCEL"))
  }

  @Test(arguments: [(2000, 1), (23 * hour, 1), (25 * hour, 2), (96 * hour, 2)] as [(Int64, Int)])
  func aCancellationAfterTheUpgradeWindowStaysSeparate(_ delay: Int64, _ groups: Int) throws {
    let cancel = Self.refundOfUpgraded(after: delay, reason: "0")
    #expect(try Outcome.words([cancel, Scenario.upgrade()[2]]).count == groups)
  }

  // MARK: refund

  @Test(
    arguments: [
      (0, "PROD", true), (3000, "PROD", true), (30 * minute, "PROD", true), (6 * hour, "PROD", true),
      (6 * hour + 1, "PROD", false), (-1, "PROD", false), (-2000, "PROD", false), (-5 * minute, "PROD", false),
      (10 * minute, "Sandbox", true), (10 * minute + 1, "Sandbox", false), (-1, "Sandbox", false),
    ] as [(Int64, String, Bool)], [true, false])
  func autoRenewOffBelongsToARefundWithinSixHoursAfterIt(
    _ row: (distance: Int64, environment: String, isJoined: Bool), _ isRefundShown: Bool
  ) throws {
    let time = Message.day(12)
    var refund = Scenario.refund(Scenario.old, at: time)
    let period = isRefundShown ? refund.periods[0] : Scenario.old
    var off = Scenario.status(false, at: time + row.distance, [period])
    (refund.environment, off.environment) = (row.environment, row.environment)
    let words = try Outcome.words([refund, off])
    if row.isJoined {
      #expect(words == ["REFUND < CANCEL + \(Self.status)"])
    } else {
      let separate = ["REFUND < CANCEL", "\(Self.disabled) < \(Self.status)"]
      #expect(words == (row.distance < 0 ? separate.reversed() : separate))
    }
  }

  /// The subscription goes on with the purchase of the upgrade: its customer turned auto-renew off.
  @Test func aRefundOfAReplacedPeriodDoesNotTurnAutoRenewOff() throws {
    let refund = Self.refundOfUpgraded(after: 96 * Self.hour, reason: "1")
    let off = Scenario.status(false, at: Message.day(14, 3 * Self.minute), [Scenario.new, refund.periods[1]])
    let words = try Outcome.words([refund, off])
    #expect(words == ["REFUND < CANCEL", "\(Self.disabled) < \(Self.status)"])
  }

  /// A change back to on, minutes after an upgrade, that other messages show to be the customer's own.
  @Test(arguments: [true, false])
  func aSettledChangeJoinsNoOtherEvent(_ isSettled: Bool) throws {
    let upgrade = try Scenario.upgrade()[2].stored(place: 0)
    var on = try Scenario.status(true, at: Message.day(10, 5 * Self.minute), [Scenario.new]).stored(place: 1)
    var line = String(decoding: on.body, as: UTF8.self)
    if isSettled { line.replace(#""migration":{"#, with: #""migration":{"settled":{"facts":["statusChangedSince"]},"#) }
    on.body = Array(line.utf8)
    let groups = try Outcome.groups([upgrade, on])
    #expect(groups.count == (isSettled ? 2 : 1))
  }

  @Test func aPurchaseBetweenSeparatesARefundAndAutoRenewOff() throws {
    let time = Message.day(12)
    var refunded = Scenario.old
    refunded.cancellation = time
    let back = Period(line: "200", purchase: time + Self.hour, expires: Message.day(42))
    let buy = Message(type: "INTERACTIVE_RENEWAL", periods: [back, refunded], isAutoRenewOn: true)
    let off = Scenario.status(false, at: time + 2 * Self.hour, [back, refunded])
    let words = try Outcome.words([Scenario.refund(Scenario.old, at: time), buy, off])
    #expect(words.count == 3 && words.last == "\(Self.disabled) < \(Self.status)")
    // Also where the message of the purchase is missing.
    #expect(try Outcome.words([Scenario.refund(Scenario.old, at: time), off]).count == 2)
  }

  /// The refund of an earlier period ends nothing: who turns auto-renew off minutes later chose that.
  @Test func theRefundOfAnEarlierPeriodTurnsNothingOff() throws {
    let running = Period(line: "200", purchase: Message.day(30), expires: Message.day(60))
    let off = Scenario.status(false, at: Message.day(35, 5 * Self.minute), [running])
    let words = try Outcome.words([Scenario.refund(Scenario.old, at: Message.day(35)), off])
    #expect(words.count == 2 && words.last == "\(Self.disabled) < \(Self.status)")
    // Of the period itself it is the same action.
    let own = Scenario.status(false, at: Message.day(25, 5 * Self.minute), [Scenario.old])
    #expect(try Outcome.words([Scenario.refund(Scenario.old, at: Message.day(25)), own]).count == 1)
  }

  @Test func refundsOwnTheirWindowOnce() throws {
    let rules = BuiltIn.rules
    for id in ["grouping.refund", "grouping.revoke"] {
      let pair = try #require(rules.grouping.pairs.first { $0.id == id })
      #expect(pair.window == "decision.window.refund")
      #expect(rules.window(of: pair) == (6 * Self.hour, 10 * Self.minute))
    }
    let rule = #"{"id":"decision.window.refund","milliseconds":172800000,"meaning":"mine","source":"INFERENCE"}"#
    let wide = try RuleSet(overlays: [
      (name: "own.json", bytes: Array("{\"family\":\"decisions\",\"rules\":[\(rule)]}".utf8))
    ])
    #expect(wide.longestGroupingWindow == 172_800_000)
    let messages = [
      Scenario.refund(Scenario.old, at: Message.day(12)),
      Scenario.status(false, at: Message.day(13, 5000), [Scenario.old]),
    ]
    #expect(try Outcome.words(messages).count == 2)
    #expect(try Outcome.words(messages, rules: wide).count == 1)
  }
}
