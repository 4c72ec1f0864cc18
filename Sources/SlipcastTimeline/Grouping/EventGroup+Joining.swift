internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

extension EventGroup {
  init(_ held: HeldEvent) {
    lead = held.event
    shared = held.shared
    let facts = held.facts
    let joined = held.joined.sorted { one, two in
      (one.held.time ?? 0, one.held.event.place) < (two.held.time ?? 0, two.held.event.place)
    }
    companions = joined.map { one, fit in
      Companion(
        event: one.event, notificationUUID: one.facts.notificationUUID, time: one.time, rule: fit.rule.id,
        turnsAutoRenewOn: one.facts.turnsAutoRenewOn)
    }
    (notificationType, subtype) = (facts.reading?.notificationType, facts.reading?.subtype)
    (confidence, candidates, rule) = (facts.confidence, facts.candidates, facts.rule)
    (time, timeSource) = Self.time(of: held)
    isReclassified = false
    absorbedInto = facts.absorbedInto
    if facts.isSettled, let into = absorbedInto, joined.contains(where: { $0.held.tells(into) }) { absorbedInto = nil }
    isUnmatched = absorbedInto != nil && !facts.isSettled
    isUntimed = held.type != nil && held.time == nil
    if let decided = joined.first(where: { $0.fit.decision != nil }), let event = decided.fit.decision {
      decide(event, by: decided.fit.rule)
    } else if let other = joined.first(where: { $0.fit.contradiction != nil }), let event = other.fit.contradiction {
      leaveOpen(event, other)
    }
    if isUntimed || joined.contains(where: \.fit.isDistant), let own = confidence { confidence = max(own, .inferred) }
  }

  private static func time(of held: HeldEvent) -> (Int64?, TimeSource) {
    if let time = held.event.eventTime { return (time, .eventTime) }
    if let time = held.event.receivedAt { return (time, .receivedAt) }
    return held.facts.signedDate.map { ($0, .signedDate) } ?? (nil, .unknown)
  }

  private mutating func decide(_ event: EventName, by rule: GroupingPair) {
    (notificationType, subtype) = (event.notificationType, event.subtype)
    (confidence, candidates, self.rule) = (rule.confidence, [], rule.id)
    isReclassified = true
  }

  /// Two messages about one purchase contradict each other: the event of the pair and the lead's own reading both stay.
  private mutating func leaveOpen(_ event: EventName, _ other: HeldEvent.Joined) {
    let first = Self.candidate(event, needs: other.fit.rule.meaning)
    let own = self.event ?? event
    let type = other.held.event.notification_type ?? "the other"
    let second = Self.candidate(own, needs: "\(type) is about another purchase")
    candidates = [first, second]
    (notificationType, subtype) = (event.notificationType, event.subtype)
    (confidence, rule) = (.ambiguous, other.fit.rule.id)
    isReclassified = true
  }
  private static func candidate(_ event: EventName, needs: String) -> MigrationCandidate {
    var candidate = MigrationCandidate()
    candidate.notificationType = Open(rawValue: event.notificationType)
    candidate.subtype = event.subtype.map(Open.init(rawValue:))
    candidate.needs = needs
    return candidate
  }
}
