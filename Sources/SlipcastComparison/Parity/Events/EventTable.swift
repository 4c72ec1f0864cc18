internal import SlipcastMapping

/// Readings of type and subtype: worked out once for each row of the decision table and each two events.
final class EventTable {
  /// How V2's event stands to what a message may be.
  struct Reading {
    let fitsType: Bool
    let fitsSubtype: Bool
    /// Only the judgement of the grace period separates the two.
    let differsByGrace: Bool
    let standing: EventReading.Standing

    func outcome(isSubtype: Bool, _ around: Surroundings, _ table: ComparingTable) -> Outcome {
      if isSubtype ? fitsSubtype : fitsType {
        return table.read(.event) ?? Outcome(differenceClass: .derived, kind: .read(.event))
      }
      if isSubtype, differsByGrace, around.isNear(around.graceEnds, table.tolerance(.boundary)) {
        return table.read(.boundary) ?? Outcome(differenceClass: .timeDependent, kind: .read(.boundary))
      }
      return Outcome(differenceClass: .conflict, kind: .differ)
    }
  }

  private struct Key: Hashable {
    var decision: Int
    var cast: EventName
    var server: EventName
  }

  private let rules: RuleSet
  private var readings: [Key: Reading] = [:]

  init(_ rules: RuleSet) { self.rules = rules }

  func reading(_ decision: Int, cast: EventName, server: EventName) -> Reading {
    let key = Key(decision: decision, cast: cast, server: server)
    if let known = readings[key] { return known }
    let event = EventReading(decision: rules.types[decision], cast: cast, server: server)
    let reading = Reading(
      fitsType: event.fits(subtype: false), fitsSubtype: event.fits(subtype: true),
      differsByGrace: event.differsByGrace, standing: event.standing)
    // Words that nobody knows come without end from those who mean harm.
    if readings.count > 10_000 { readings = [:] }
    readings[key] = reading
    return reading
  }
}
