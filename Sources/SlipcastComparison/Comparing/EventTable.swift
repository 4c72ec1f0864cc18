internal import SlipcastMapping

/// Readings of type and subtype: worked out once for each row of the decision table and each two events.
final class EventTable {
  struct Reading {
    let fitsType: Bool
    let fitsSubtype: Bool
    /// Only the judgement of the grace period separates the two.
    let differsByGrace: Bool
    let standing: EventStanding
    /// The rules do not name V2's type, or its subtype.
    let isUnknown: (type: Bool, subtype: Bool)

    init(_ event: EventReading, _ rules: RuleSet) {
      (fitsType, fitsSubtype) = (event.fits(subtype: false), event.fits(subtype: true))
      (differsByGrace, standing) = (event.differsByGrace, event.standing)
      isUnknown = (event.isUnknown(subtype: false, rules), event.isUnknown(subtype: true, rules))
    }

    func outcome(isSubtype: Bool, _ around: Surroundings, _ table: ComparingTable) -> Outcome {
      if isSubtype ? fitsSubtype : fitsType {
        return table.read(.event) ?? Outcome(differenceClass: .derived, kind: .read(.event))
      }
      if isSubtype ? isUnknown.subtype : isUnknown.type {
        return Outcome(differenceClass: .unknown, kind: .unknownValue)
      }
      if isSubtype, differsByGrace, around.isNear(around.graceEnds, table.tolerance(.boundary)) {
        return table.read(.boundary) ?? Outcome(differenceClass: .timeDependent, kind: .read(.boundary))
      }
      return Outcome(differenceClass: .conflict, kind: .differ)
    }
  }

  private let rules: RuleSet
  /// By the numbers of decision, cast and server's event in one.
  private var readings: [Int: Reading] = [:]

  private let events: [EventName]

  init(_ rules: RuleSet) { (self.rules, events) = (rules, rules.events) }

  /// - Parameters:
  ///   - numbers: those of the two events; less than 0 for one without.
  ///   - alternatives: other events that the record leaves possible.
  func reading(
    _ decision: Int, _ alternatives: EventChoices, cast: EventName, server: EventName, numbers: (cast: Int, server: Int)
  ) -> Reading {
    guard alternatives.isEmpty, numbers.cast >= 0, numbers.server >= 0, max(numbers.cast, numbers.server) < 1 << 20
    else { return make(decision, alternatives: alternatives, cast: cast, server: server) }
    let key = decision << 40 | numbers.cast << 20 | numbers.server
    if let known = readings[key] { return known }
    let reading = make(decision, alternatives: alternatives, cast: cast, server: server)
    // Hostile input can contain any number of unknown words.
    if readings.count > 10_000 { readings = [:] }
    readings[key] = reading
    return reading
  }

  private func make(
    _ decision: Int, alternatives: EventChoices, cast: EventName, server: EventName
  ) -> Reading {
    var row = rules.comparedTypes[decision]
    row.apply(alternatives, events)
    return Reading(EventReading(decision: row, cast: cast, server: server), rules)
  }
}

extension TypeRule {
  /// Adds what a record leaves possible, and removes what it rules out.
  mutating func apply(_ choices: EventChoices, _ events: [EventName]) {
    guard !choices.isEmpty else { return }
    func listed(_ mask: EventMask) -> [EventName] {
      events.indices.filter { mask.contains(EventMask(rawValue: 1 << UInt64($0))) }.map { events[$0] }
    }
    let excluded = listed(choices.excluded)
    candidates.removeAll { excluded.contains($0.event) }
    accepts.removeAll { excluded.contains($0) }
    accepts += listed(choices.added)
  }
}
