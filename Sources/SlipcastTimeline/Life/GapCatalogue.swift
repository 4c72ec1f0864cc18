package import SlipcastMapping
internal import SlipcastV2

/// The events that no message reports, by the test that recognizes their trace, and what else proves or disproves them.
package struct GapCatalogue: Sendable {
  /// Events that leave no trace at all: they are named once, never for a subscription.
  let legend: [ServerEvent]
  let evidence: (any LifeEvidence)?
  private let kinds: [GapTest: Gap.Kind]
  /// The first instant at which V2 sent anything.
  private let firstInstant: Int64
  /// From when V2 sends no OFFER_REDEEMED for a return.
  private let offersOnInactiveEnd: Int64
  /// From when V1 reports renewals.
  private let renewalsStart: Int64
  /// From when V2 sends PRICE_INCREASE/ACCEPTED also where no consent was needed.
  private let noticesStart: Int64
  /// How well the values are known that V2's paths hold, where they are less than documented.
  private let confidences: [String: Confidence]
  /// From when V1 sends to family members all that it sends to them at all.
  private let familyStart: Int64
  /// Time ranges for which the archive lacks no message.
  private let complete: [ClosedRange<Int64>]
  private let production: LifeWindows
  private let sandbox: LifeWindows

  package init(_ rules: RuleSet, _ options: TimelineOptions = TimelineOptions()) {
    (evidence, complete) = (options.evidence, options.complete)
    production = LifeWindows(rules, \.milliseconds)
    sandbox = LifeWindows(rules, \.sandbox)
    var kinds: [GapTest: Gap.Kind] = [:]
    for event in rules.tracedEvents {
      if let test = event.test, kinds[test] == nil { kinds[test] = Gap.Kind(event, rules) }
    }
    self.kinds = kinds
    legend = rules.serverEvents.filter { event in
      event.test == nil && event.environment == nil && event.present == nil && !event.leavesTrace
        && event.event.notificationType != ServerEvent.anyType
    }
    firstInstant = rules.serverStart?.milliseconds ?? .min
    offersOnInactiveEnd = rules.start(ofEra: "offers-on-inactive")
    noticesStart = rules.start(ofEra: "no-consent-increases")
    (renewalsStart, familyStart) = (rules.start(ofEra: "renew-events"), rules.familyStart)
    confidences = rules.fields.reduce(into: [:]) { known, rule in
      guard rule.confidence != .documented, let name = rule.to else { return }
      known["data.\(rule.family)Info.\(name)"] = rule.confidence
    }
  }

  func windows(isSandbox: Bool) -> LifeWindows { isSandbox ? sandbox : production }

  /// A return was reported with the offer that it redeemed.
  func redeemsAtReturn(_ time: Int64) -> Bool { time < offersOnInactiveEnd }

  /// A customer whom Apple only informed about a higher price was reported as one who agreed.
  func reportsNotices(at time: Int64) -> Bool { time >= noticesStart }

  /// How well the value is known that a V2 path of a converted line holds.
  func confidence(of path: String) -> Confidence { confidences[path] ?? .documented }

  /// No message that came in a time range, or reports what happened in it, is missing.
  ///
  /// - Parameter isFamily: the subscription is shared with a family member; V1 reported fewer of their events at first.
  func isComplete(from start: Int64, until end: Int64, isFamily: Bool) -> Bool {
    if isFamily, start < familyStart { return false }
    return start <= end && complete.contains { $0.contains(start) && $0.contains(end) }
  }

  /// V1 reported the renewals of that time.
  func reportsRenewals(at time: Int64) -> Bool { time >= renewalsStart }

  /// A purchase shows that the newest period did not end then: one made shortly after it may have renewed it.
  func isContinued(by next: Int64, _ test: GapTest, _ state: LifeState, _ end: Int64) -> Bool {
    test == .graceEnd ? next < end : next <= end.moved(by: windows(isSandbox: state.isSandbox).gap)
  }

  /// Another record shows that a period did not end then, or not for this reason.
  func isContradicted(_ test: GapTest, _ state: LifeState, _ end: Int64) -> Bool {
    guard let shown = shownEnd(state) else { return false }
    if isContinued(by: shown.next, test, state, end) { return true }
    if test == .graceEnd { return shown.cancellation < end }
    if shown.cancellation <= end || shown.expires > end { return true }
    guard test != .unknownLapse else { return false }
    return shown.intents & ~Self.reasons(test) != 0 || shown.lastOn > state.renewal?.time ?? .min
  }

  /// Another record that was written after the end of the newest period says why it ended.
  func isConfirmed(_ test: GapTest, _ state: LifeState) -> Bool {
    shownEnd(state).map { $0.intents & Self.reasons(test) != 0 } ?? false
  }

  /// The newest period may have ended after a failed renewal: another record shows a reason that such an end has too.
  func mayHaveFailed(_ state: LifeState) -> Bool {
    shownEnd(state).map { $0.intents & Self.reasons(.lapse) != 0 } ?? true
  }

  /// A list that was written after the end of the newest period shows that nothing took it back.
  func isShownAfter(_ state: LifeState) -> Bool { shownEnd(state)?.isShownAfter ?? false }

  /// A list that lacks nothing shows the newest period and the purchase after it, and nothing between.
  func isNextListed(_ state: LifeState) -> Bool { shownEnd(state)?.isNextListed ?? false }

  /// The expiration intents that other records show of the newest period, one bit each.
  func intents(_ state: LifeState) -> Int64 {
    let intents = shownEnd(state)?.intents ?? 0
    let isRetried = intents & PeriodEnd.retry != 0
    return intents & ~PeriodEnd.retry | (isRetried ? ExpirationIntent.billingError.bit : 0)
  }

  private func shownEnd(_ state: LifeState) -> PeriodEnd? { state.period.flatMap { evidence?.end(of: $0.key) } }

  /// The expiration intents that an end has, one bit each.
  private static func reasons(_ test: GapTest) -> Int64 {
    let intents: [ExpirationIntent] =
      switch test {
      case .lapse: [.customerCancelled]
      case .priceLapse: [.noConsentToPriceIncrease]
      case .consentLapse: [.customerCancelled, .noConsentToPriceIncrease]
      default: []
      }
    return intents.reduce(0) { $0 | $1.bit }
  }

  /// The event that a test found; `nil` when the user's own rules have no event for the test.
  func gap(_ test: GapTest, at time: Int64, _ timing: Gap.Timing = .exact, trace: String) -> Gap? {
    kinds[test].map { kind in
      Gap(
        kind: kind, time: time, timing: timing, trace: trace, confidence: kind.server.confidence,
        isComparable: time >= firstInstant)
    }
  }
}

/// Lengths that decide how two periods of a life relate, in milliseconds, in one environment.
struct LifeWindows: Sendable {
  /// A longer pause between two periods is a lapse.
  let gap: Int64
  /// Apple charges a renewal so long before the expiry at most.
  let early: Int64
  /// A purchase so long after the expiry is a renewal.
  let settled: Int64
  /// Apple retries a failed renewal so long.
  let retry: Int64
  /// What happens so shortly after each other may be one action of the customer.
  let action: Int64
  /// A message comes so long after its event at most.
  let delivery: Int64

  init(_ rules: RuleSet, _ length: ((milliseconds: Int64, sandbox: Int64)) -> Int64) {
    func window(_ name: DecisionName) -> Int64 { length(rules.window(name)) }
    (gap, early, settled) = (window(.gap), window(.early), window(.settled))
    (retry, action, delivery) = (window(.retry), window(.action), window(.delivery))
  }
}

extension Int64 {
  /// A time so much later, or earlier where the length is negative; at the ends of what a number can hold it stays there.
  func moved(by length: Int64) -> Int64 {
    let (time, overflow) = addingReportingOverflow(length)
    return overflow ? (length < 0 ? .min : .max) : time
  }
}
