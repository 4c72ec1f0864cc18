internal import SlipcastMapping
internal import SlipcastV2

/// The events that V1 never sends, by the test that recognizes their trace.
struct GapCatalogue: Sendable {
  /// Events that leave no trace at all: they are named once, never for a subscription.
  let legend: [ServerEvent]
  private let events: [GapTest: ServerEvent]
  /// The first instant at which V2 sent anything.
  private let firstInstant: Int64
  /// What other records show of the end of a period, by its name and purchase.
  private let ends: TimelineOptions.Ends?
  /// A purchase this soon after the end of a period is a renewal.
  private let settling: (milliseconds: Int64, sandbox: Int64)

  init(_ rules: RuleSet, ends: TimelineOptions.Ends? = nil) {
    (self.ends, settling) = (ends, rules.window(.gap))
    var events: [GapTest: ServerEvent] = [:]
    for event in rules.serverEvents {
      if let test = event.test, events[test] == nil { events[test] = event }
    }
    self.events = events
    legend = rules.serverEvents.filter { event in
      event.test == nil && event.environment == nil && event.present == nil && !event.leavesTrace
        && event.event.notificationType != ServerEvent.anyType
    }
    firstInstant = rules.serverStart?.milliseconds ?? .min
  }

  /// Another record shows that a period did not end then, or not for this reason.
  func isContradicted(
    _ test: GapTest, _ period: SubscriptionState.Period, _ end: Int64, toldAt time: Int64?, isSandbox: Bool
  ) -> Bool {
    guard let shown = ends?(period.name, period.purchase) else { return false }
    if test == .graceEnd { return shown.next < end || shown.cancellation < end }
    let settling = isSandbox ? settling.sandbox : settling.milliseconds
    if shown.next <= end + settling || shown.cancellation <= end || shown.expires > end { return true }
    let reason = test == .lapse ? ExpirationIntent.customerCancelled : .noConsentToPriceIncrease
    let others = shown.intents & ~(Int64(1) << Int64(reason.rawValue))
    return others != 0 || shown.lastOn > time ?? .min
  }

  /// The event that a test found; `nil` when the user's own rules have no event for the test.
  func gap(_ test: GapTest, at time: Int64, isLatest: Bool = false, trace: String) -> Gap? {
    events[test].map { event in
      Gap(
        rule: event.id, event: event.event, time: time, isLatest: isLatest, trace: trace,
        confidence: event.confidence, source: event.source, meaning: event.trace, isComparable: time >= firstInstant)
    }
  }
}
