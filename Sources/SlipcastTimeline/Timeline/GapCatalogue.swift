internal import SlipcastMapping

/// The events that V1 never sends, by the test that recognizes their trace.
struct GapCatalogue: Sendable {
  /// Events that leave no trace at all: they are named once, never for a subscription.
  let legend: [ServerEvent]
  private let events: [GapTest: ServerEvent]
  /// The first instant at which V2 sent anything.
  private let firstInstant: Int64

  init(_ rules: RuleSet) {
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

  /// The event that a test found; `nil` when the user's own rules have no event for the test.
  func gap(_ test: GapTest, at time: Int64, isLatest: Bool = false, trace: String) -> Gap? {
    events[test].map { event in
      Gap(
        rule: event.id, event: event.event, time: time, isLatest: isLatest, trace: trace,
        confidence: event.confidence, source: event.source, meaning: event.trace, isComparable: time >= firstInstant)
    }
  }
}
