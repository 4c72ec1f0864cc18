import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline
import SlipcastV2
import Testing

/// What ends access, or may have ended it, after a period: refunds, upgrades in a grace period, and messages that leave open
/// what they report.
@Suite struct EndStateTests {
  private typealias Scenario = GroupingScenarioTests

  /// `30 grace`: from which day, counted from the first purchase.
  private func words(_ intervals: [LifeInterval]) -> [String] {
    intervals.map { "\(($0.from - Message.day(0)) / 86_400_000) \($0.reason.rawValue)" }
  }

  private static func failed(graceUntil end: Int64?) -> Message {
    var failed = Story.failed
    if let end { failed.renewal.append(("grace_period_expires_date_ms", "\(Message.day(end))")) }
    return failed
  }

  /// mapping.md B6: the first step of a status is the refund.
  ///
  /// Where nothing shows how the period ended, V1 may have told no renewal.
  @Test(arguments: [
    ([Self.failed(graceUntil: 46)], ["0 active", "30 grace", "36 refunded"]),
    ([Self.failed(graceUntil: nil)], ["0 active", "30 billingRetry", "36 refunded"]),
    ([Self.failed(graceUntil: 33)], ["0 active", "30 grace", "33 billingRetry", "36 refunded"]),
    ([], ["0 active"]),
  ])
  func aRefundAfterTheEndEndsGraceAndRetry(_ between: [Message], _ expected: [String]) throws {
    let refund = Scenario.refund(Story.old, at: Message.day(36))
    #expect(try words(History.states([Story.buy] + between + [refund])) == expected)
  }

  /// Who replaced a period while Apple retried its renewal had it until its end.
  @Test(arguments: [
    (Int64?(46), ["0 active", "30 grace", "35 active"]), (nil, ["0 active", "30 billingRetry", "35 active"]),
  ])
  func anUpgradeAfterAFailedRenewalTakesNothingFromThePeriod(_ grace: Int64?, _ expected: [String]) throws {
    let studio = Message.Period(line: "300", product: "studio", purchase: Message.day(35), expires: Message.day(65))
    let upgrade = Message(
      type: "INTERACTIVE_RENEWAL", periods: [studio, Scenario.upgraded(Story.old)], isAutoRenewOn: true,
      nextProduct: "studio")
    #expect(try words(History.states([Story.buy, Self.failed(graceUntil: grace), upgrade])) == expected)
  }

  /// A flat CANCEL with another next product is a refund or the companion of an upgrade: access is open from then on.
  @Test func aCancelThatMayBeAnUpgradeLeavesAccessOpen() throws {
    let flat = """
      {"notification_type":"CANCEL","environment":"PROD","bid":"com.example.app","auto_renew_status":"true",\
      "auto_renew_product_id":"com.example.studio","cancellation_date_ms":"\(Message.day(15))",\
      "latest_expired_receipt_info":\(Story.old.json.replacing("\"expires_date_ms\"", with: "\"expires_date\""))}
      """
    let events = [
      try Story.buy.stored(place: 0), try Message.stored(flat, type: "CANCEL", received: Message.day(15), place: 1),
    ]
    let states = try History.states(events)
    #expect(words(states) == ["0 active", "15 unknown"])
    #expect(states.last?.confidence == .ambiguous && states.last?.evidence == [1])
  }

  /// The retry flag does not survive a renewal: with one it still tells of the period before.
  ///
  /// Source: evidence §5.
  @Test(arguments: [("INTERACTIVE_RENEWAL", true), ("DID_RECOVER", true), ("INTERACTIVE_RENEWAL", false)])
  func aRecoveryThatStillShowsTheRetryLeavesTheEndOfItsPeriodOpen(_ type: String, _ isTwice: Bool) throws {
    let recovered = Message.Period(line: "300", purchase: Message.day(45), expires: Message.day(75))
    var byHand = Message(type: type, periods: [recovered, Story.old], isAutoRenewOn: true)
    byHand.renewal = [("is_in_billing_retry_period", "1")]
    let renewal = Message(type: "RENEWAL", periods: [recovered, Story.old], isAutoRenewOn: true)
    let rows = try History.states([Story.buy, byHand] + (isTwice ? [renewal] : []), asOf: Message.day(200))
    #expect(words(rows).suffix(2) == ["45 active", "75 unknown"])
    #expect(rows.last?.until == nil)
  }

  /// Apple tries for 60 days, however far the archive goes.
  @Test(arguments: [nil, Message.day(40), Message.day(300)])
  func billingRetryEndsWhenAppleStops(_ asOf: Int64?) throws {
    let rows = try History.states([Story.buy, Self.failed(graceUntil: nil)], asOf: asOf)
    #expect(words(rows) == ["0 active", "30 billingRetry", "90 expired"])
    #expect(rows.last?.confidence == .inferred && rows.last?.until == nil)
  }
}
