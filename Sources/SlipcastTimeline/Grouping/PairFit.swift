internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2

/// Two messages that belong together, and what that says of the lead.
struct PairFit {
  /// The rule that joins them.
  let rule: GroupingPair
  /// The reading that an ambiguous lead gets; `nil` when it keeps its own.
  var decision: EventName?
  /// The event that the pair tells, where the lead by itself says something else.
  var contradiction: EventName?

  /// Judges a lead and a companion whose types and order a pair allows; `nil` when they do not belong together.
  init?(_ pair: GroupingTable.Pair, lead: HeldEvent, companion: HeldEvent) {
    rule = pair.rule
    let window = companion.isSandbox ? pair.sandbox : pair.milliseconds
    guard let distance = lead.distance(to: companion), distance <= UInt64(max(0, window)),
      pair.rule.conditions.allSatisfy({ Self.holds($0, in: pair.rule, lead, companion) })
    else { return nil }
    if rule.to.isEmpty {
      if !Self.isFree(companion, to: []), !rule.conditions.contains(.sameLine) { return nil }
    } else if !readTogether(lead, companion) {
      return nil
    }
  }

  /// Compares what the two say; false when they cannot tell one event.
  private mutating func readTogether(_ lead: HeldEvent, _ companion: HeldEvent) -> Bool {
    let isOneLine = rule.conditions.contains(.sameLine)
    if let reading = lead.certainReading {
      if rule.to.contains(reading) { return isOneLine || Self.isFree(companion, to: rule.to) }
      // Two messages about one purchase that say different things: both readings stay.
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

  /// A companion whose reading is an event of its own joins that event only; one that is told by V1's own name is free.
  private static func isFree(_ companion: HeldEvent, to events: [EventName]) -> Bool {
    companion.readings.contains { reading in
      events.contains(reading) || reading.notificationType == companion.event.notification_type
    }
  }

  private static func holds(
    _ condition: GroupingPair.Condition, in rule: GroupingPair, _ lead: HeldEvent, _ companion: HeldEvent
  ) -> Bool {
    switch condition {
    case .upgraded: companion.isUpgraded
    case .on: isNamed(companion, rule) || companion.facts.turnsAutoRenewOn == true
    case .off: isNamed(companion, rule) || companion.facts.turnsAutoRenewOn == false
    case .notOff: !turnsOff(companion, rule) && !turnsOff(lead, rule)
    case .notBefore: isInOrder(lead, companion, rule)
    // The grouper knows the other messages and judges this.
    case .noPurchaseBetween: true
    case .sameLine: lead.facts.isSameLine(as: companion.facts)
    case .otherLine: !lead.facts.isSameLine(as: companion.facts)
    case .equal: lead.rank?.row == companion.rank?.row
    }
  }

  static let changeOfStatus = "DID_CHANGE_RENEWAL_STATUS"

  /// A change of status to off; of other messages auto-renew is a state and not the event.
  private static func turnsOff(_ event: HeldEvent, _ rule: GroupingPair) -> Bool {
    event.event.notification_type == changeOfStatus && !isNamed(event, rule) && !event.isProvenCompanion
      && event.facts.turnsAutoRenewOn == false
  }

  /// Received times do not tell which of two came first; there the companion's own reading decides.
  private static func isInOrder(_ lead: HeldEvent, _ companion: HeldEvent, _ rule: GroupingPair) -> Bool {
    if lead.event.eventTime == nil || companion.event.eventTime == nil, isNamed(companion, rule) { return true }
    guard let one = lead.time, let two = companion.time else { return false }
    return one <= two
  }

  /// The companion itself says which event it belongs to; the switch that it tells may be a later one.
  private static func isNamed(_ companion: HeldEvent, _ rule: GroupingPair) -> Bool {
    companion.certainReading.map(rule.to.contains) ?? false
  }
}
