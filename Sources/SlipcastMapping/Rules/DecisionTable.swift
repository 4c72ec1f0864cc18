/// The rows of the decision table for one V1 type, compiled when its first record comes: a run has records of few types.
final class DecisionTable: Sendable {
  /// The compiled rows.
  final class Rows: Sendable {
    let all: [CompiledDecision]
    /// The facts that rows ask for, as bits; no others are looked for.
    let asked: UInt64

    init(_ all: [CompiledDecision]) {
      self.all = all
      asked = all.reduce(0) { $0 | $1.condition.asked }
    }
  }

  /// The place of the type in `RuleSet.legacyTypes`.
  private let type: Int
  private let compiled = Later<Rows>()

  init(ofType type: Int) { self.type = type }

  @inline(__always)
  func rows(of rules: CompiledRules) -> Rows { compiled.value { compile(rules) } }

  private func compile(_ rules: CompiledRules) -> Rows {
    let types = rules.rules.legacyTypes
    let rows = rules.rules.shelf.rows(about: types[type].name)
    func decision(_ index: Int) -> CompiledDecision? {
      let (place, rule) = rows[index]
      // The readings of another row of the type may be possible too; a row with candidates is not doubted itself.
      let other = rule.doubtedAs.flatMap { id in
        rows.lastIndex { $0.rule.id == id && !$0.rule.candidates.isEmpty }
      }
      return CompiledDecision(
        rule, place, of: rules.parameters.types[rule.type == types[type].name ? type : 0],
        doubt: other.flatMap(decision), eras: rules.rules.eras, among: rules.events)
    }
    return Rows(rows.indices.compactMap(decision))
  }
}
