import SlipcastMapping
import SlipcastTestSupport
import SlipcastTimeline

/// The messages of one subscription that tests of its gaps and its states begin with.
enum Story {
  static let old = GroupingScenarioTests.old
  static let next = Message.Period(line: "200", purchase: Message.day(30), expires: Message.day(60))
  static let back = Message.Period(line: "300", purchase: Message.day(50), expires: Message.day(80))
  static let late = Message.Period(line: "900", purchase: Message.day(200), expires: Message.day(230))

  static let buy = Message(type: "INITIAL_BUY", periods: [old], isAutoRenewOn: true)
  static let off = GroupingScenarioTests.status(false, at: Message.day(5), [old])
  static let renew = Message(type: "DID_RENEW", periods: [next, old], isAutoRenewOn: true)
  static let comeback = Message(type: "INTERACTIVE_RENEWAL", periods: [back, old], isAutoRenewOn: true)
  static let lateComeback = Message(type: "INTERACTIVE_RENEWAL", periods: [late, old], isAutoRenewOn: true)
  static let disabled = "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"

  /// Apple could not renew the first period, and tries again.
  static let failed: Message = {
    var failed = Message(type: "DID_FAIL_TO_RENEW", periods: [old], isAutoRenewOn: true)
    failed.renewal = [("is_in_billing_retry_period", "1"), ("expiration_intent", "2")]
    return failed
  }()

  static func key(_ line: String, _ day: Int64) -> UntoldPeriod.Key {
    UntoldPeriod.Key(id: HistoryMessage.number(ofPeriod: line), purchase: Message.day(day))
  }
}

/// What lists show beside the messages.
struct ListedEvidence: LifeEvidence {
  var end: @Sendable (inout PeriodEnd) -> Void = { _ in }
  var untold: [UntoldPeriod.Key: UntoldPeriod] = [:]
  var first: UntoldPeriod?

  func end(of period: UntoldPeriod.Key) -> PeriodEnd? {
    var end = PeriodEnd(id: period.id, purchase: period.purchase, expires: Message.day(30))
    self.end(&end)
    return end
  }

  func untold(after period: UntoldPeriod.Key) -> UntoldPeriod? { untold[period] }
  func firstUntold(before period: UntoldPeriod.Key) -> UntoldPeriod? { first }
}
