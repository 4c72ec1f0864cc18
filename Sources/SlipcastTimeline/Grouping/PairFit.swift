internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2

/// Two messages that belong together, and the consequences for the lead.
struct PairFit {
  let rule: GroupingPair
  /// The reading that an ambiguous lead gets; `nil` when it keeps its own.
  var decision: EventName?
  /// The event of the pair, where the lead alone has another reading.
  var contradiction: EventName?
  /// The customer may have acted twice: the messages are not close enough to prove one action.
  let isDistant: Bool

  /// Checks a lead and a companion whose types and order a pair allows; `nil` when they do not belong together.
  init?(_ pair: GroupingTable.Pair, lead: HeldEvent, companion: HeldEvent) {
    rule = pair.rule
    let window = companion.isSandbox ? pair.sandbox : pair.milliseconds
    guard let distance = lead.distance(to: companion), distance <= UInt64(max(0, window)),
      pair.rule.conditions.allSatisfy({ Self.holds($0, in: pair, lead, companion) })
    else { return nil }
    isDistant = distance > UInt64(max(0, pair.certain))
    if rule.to.isEmpty {
      if !Self.isFree(companion, to: []), !rule.conditions.contains(.sameLine) { return nil }
    } else if !readTogether(lead, companion) {
      return nil
    }
  }

  /// Compares the content of the two; false when they cannot be about one event.
  private mutating func readTogether(_ lead: HeldEvent, _ companion: HeldEvent) -> Bool {
    let isOneLine = rule.conditions.contains(.sameLine)
    if let reading = lead.certainReading {
      if rule.to.contains(reading) { return isOneLine || Self.isFree(companion, to: rule.to) }
      // Two messages about one purchase that contradict each other: both readings stay.
      guard isOneLine else { return false }
      contradiction = rule.to.first
      return true
    }
    guard let possible = lead.readings.first(where: rule.to.contains) else { return false }
    let isSaid = companion.certainReading.map(rule.to.contains) ?? false
    let isUpgrade = rule.conditions.contains(.upgraded) && companion.readings.contains(where: rule.to.contains)
    guard isSaid || isOneLine || isUpgrade else { return false }
    decision = possible
    return true
  }

  /// A companion whose reading is a separate event joins only that event; one with V1's own type may join any, unless
  /// other messages settle that reading.
  private static func isFree(_ companion: HeldEvent, to events: [EventName]) -> Bool {
    if companion.isOwnEvent { return companion.certainReading.map(events.contains) ?? false }
    return companion.readings.contains { reading in
      events.contains(reading) || reading.notificationType == companion.event.notification_type
    }
  }

  private static func holds(
    _ condition: GroupingPair.Condition, in pair: GroupingTable.Pair, _ lead: HeldEvent, _ companion: HeldEvent
  ) -> Bool {
    let rule = pair.rule
    return switch condition {
    case .upgraded: companion.isUpgraded
    case .on: isNamed(companion, rule) || companion.facts.turnsAutoRenewOn == true
    case .off: isNamed(companion, rule) || companion.facts.turnsAutoRenewOn == false
    case .notOff: !turnsOff(companion, rule) && !turnsOff(lead, rule)
    case .notBefore: isInOrder(lead, companion, rule)
    case .notLongBefore: isInOrder(lead, companion, rule, tolerance: pair.tolerance)
    // The grouper knows the other messages and decides this.
    case .noPurchaseBetween: true
    case .sameLine: lead.facts.isSameLine(as: companion.facts)
    case .leadRuns:
      !lead.isUpgraded && lead.facts.transaction?.isUpgraded != true && !isOfLaterPeriod(companion, lead, rule)
    case .named: lead.facts.namesPurchase && companion.facts.namesPurchase
    case .otherLine: !lead.facts.isSameLine(as: companion.facts)
    case .equal: lead.rank?.row == companion.rank?.row
    }
  }

  /// The companion is about a period that was bought after the lead's, and does not say itself that it reports the same
  /// event.
  private static func isOfLaterPeriod(_ companion: HeldEvent, _ lead: HeldEvent, _ rule: GroupingPair) -> Bool {
    guard let purchase = companion.purchase, let before = lead.purchase, purchase > before else { return false }
    let isSaid = companion.certainReading.map(rule.to.contains) ?? false
    return !isSaid && !lead.facts.isSameLine(as: companion.facts)
  }

  static let changeOfStatus = "DID_CHANGE_RENEWAL_STATUS"
  static let cancellation = "CANCEL"

  /// A change of status to off; of other messages auto-renew is a state and not the event.
  private static func turnsOff(_ event: HeldEvent, _ rule: GroupingPair) -> Bool {
    event.event.notification_type == changeOfStatus && !isNamed(event, rule) && !event.isProvenCompanion
      && event.facts.turnsAutoRenewOn == false
  }

  /// Received times do not show which of two came first; then the companion's own reading decides.
  private static func isInOrder(
    _ lead: HeldEvent, _ companion: HeldEvent, _ rule: GroupingPair, tolerance: Int64 = 0
  ) -> Bool {
    if lead.event.eventTime == nil || companion.event.eventTime == nil, isNamed(companion, rule) { return true }
    guard let one = lead.time, let two = companion.time else { return false }
    return one <= two || lead.distance(to: companion).map { $0 <= UInt64(max(0, tolerance)) } ?? false
  }

  /// The companion states which event it belongs to; the change that it reports may be a later one.
  private static func isNamed(_ companion: HeldEvent, _ rule: GroupingPair) -> Bool {
    companion.certainReading.map(rule.to.contains) ?? false
  }
}
