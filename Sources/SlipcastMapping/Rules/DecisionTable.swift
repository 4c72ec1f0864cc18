internal import Synchronization

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

  /// The places of the rows in `RuleSet.types`.
  private let places: [Int]
  /// By the place of a row its own type: rows for all other words are in every table.
  private let typesOfRows: [Int]
  private let compiled = AtomicLazyReference<Rows>()

  private init(_ places: [Int], _ typesOfRows: [Int]) { (self.places, self.typesOfRows) = (places, typesOfRows) }

  /// A table for each type of `RuleSet.legacyTypes`.
  static func all(of rules: RuleSet) -> [DecisionTable] {
    let numbers = Dictionary(rules.legacyTypes.enumerated().map { ($1.name, $0) }) { first, _ in first }
    let types = rules.types.map { numbers[$0.type] ?? 0 }
    return rules.legacyTypes.indices.map { type in
      DecisionTable(types.indices.filter { types[$0] == type || types[$0] == 0 }, types)
    }
  }

  @inline(__always)
  func rows(of rules: CompiledRules) -> Rows { compiled.load() ?? compiled.storeIfNil(compile(rules)) }

  private func compile(_ rules: CompiledRules) -> Rows {
    let types = rules.rules.types
    func decision(_ place: Int) -> CompiledDecision? {
      // Readings of a row before may be possible too.
      let other = types[place].doubtedAs.flatMap { id in types[..<place].lastIndex { $0.id == id } }
      return CompiledDecision(
        types[place], place, of: rules.parameters.types[typesOfRows[place]], doubt: other.flatMap(decision),
        eras: rules.rules.eras, among: rules.events)
    }
    return Rows(places.compactMap(decision))
  }
}
