package import SlipcastMapping

/// What the messages of one subscription show of each other.
package struct SettledSubscription: Sendable {
  /// What the lists show of the ends of its periods, and of those that no message is about.
  package struct Periods: Sendable {
    let ends: [PeriodEnd]
    let following: [(after: UntoldPeriod.Key, period: UntoldPeriod)]
    let first: (before: UntoldPeriod.Key, period: UntoldPeriod)?

    package init(_ periods: UnitedPeriods) {
      ends = periods.ends
      (following, first) = periods.untold
    }
  }

  /// The numbers of the events of messages without a time, where the order of receipt decides.
  package var ordinals: [(trace: EventTrace, ordinal: Int)] = []
  package var results: [Settler.Result] = []
  /// `nil` where they are not asked for.
  package var periods: Periods?
  /// The periods that a store keeps.
  package var kept: [KeptPeriod] = []

  package init() {}
}
