package import SlipcastBulk
package import SlipcastMapping

/// What all lists of an archive show of subscriptions, in addition to the messages about them.
///
/// Times are milliseconds since 1970 UTC.
package protocol LifeEvidence: Sendable {
  /// What records other than its own messages show of the end of a period.
  func end(of period: UntoldPeriod.Key) -> PeriodEnd?
  /// The period after one, where no message is about it.
  func untold(after period: UntoldPeriod.Key) -> UntoldPeriod?
  /// The oldest period of the subscription, where no message is about it; `period` is the oldest one with a message.
  func firstUntold(before period: UntoldPeriod.Key) -> UntoldPeriod?
}

extension SettledReadings: LifeEvidence {}
