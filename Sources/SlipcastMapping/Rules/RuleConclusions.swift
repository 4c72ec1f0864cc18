internal import SlipcastV2

/// What follows from the rules of a set, made at the first use.
///
/// None of it depends on what may still change in a set, the tolerances.
final class RuleConclusions: Sendable {
  /// Rows of the decision table with their settled readings.
  struct Rows: Sendable {
    var rows: [TypeRule]
    /// The places of these, by row and candidate; the row's own reading is -1.
    var places: [Int: [Int: Int]] = [:]

    init(_ types: [TypeRule]) {
      rows = types
      for (place, rule) in types.enumerated() { add(rule, place) }
    }

    private mutating func add(_ rule: TypeRule, _ place: Int) {
      var readings = rule.settleable.enumerated().filter { !$1.settledBy.isEmpty }
        .map { ($0, $1.event, $1.isAbsorbed) }
      if !rule.settledBy.isEmpty { readings.append((-1, rule.to, rule.isAbsorbed)) }
      for (candidate, event, isAbsorbed) in readings {
        var row = rule
        (row.to, row.isAbsorbed, row.accepts) = (event, isAbsorbed, [])
        (row.candidates, row.otherwise) = ([], [])
        row.confidence = .corroborated
        places[place, default: [:]][candidate] = rows.count
        rows.append(row)
        row.isAbsorbed = true
        rows.append(row)
      }
    }
  }

  private let rows = Later<Rows>()
  private let places = Later<[String: [String: Int]]>()
  private let citations = Later<[String: [Citation]]>()

  func rows(_ types: @autoclosure () -> [TypeRule]) -> Later<Rows>.Made { rows.made { Rows(types()) } }

  /// The index of a V2 field's rule, by family and V2 name.
  func places(_ fields: [FieldRule]) -> [String: [String: Int]] {
    places.value {
      var places: [String: [String: Int]] = [:]
      for (place, rule) in fields.enumerated() {
        if let to = rule.to { places[rule.family, default: [:]][to] = place }
      }
      return places
    }
  }

  /// By rule: spelled out once, because reports name them for every field of every pair.
  func citations(_ rules: RuleSet) -> [String: [Citation]] {
    citations.value {
      let spelled = rules.fields.map { ($0.id, rules.citations($0.source, of: $0.to.map(Explainer.last))) }
      return Dictionary(spelled) { $1 }
    }
  }
}
