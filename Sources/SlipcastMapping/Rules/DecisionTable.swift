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

  /// The places of the rows in `RuleSet.types`, each with the place of the type that it names: rows for all other words fit any type.
  private let places: [(row: Int, type: Int)]
  private let compiled = AtomicLazyReference<Rows>()

  private init(_ places: [(row: Int, type: Int)]) { self.places = places }

  /// A table for each type of `RuleSet.legacyTypes`.
  static func all(of rules: RuleSet) -> [DecisionTable] {
    var places = [[(row: Int, type: Int)]](repeating: [], count: rules.legacyTypes.count)
    let numbers = Dictionary(rules.legacyTypes.enumerated().map { ($1.name, $0) }) { first, _ in first }
    for (row, rule) in rules.types.enumerated() {
      let own = numbers[rule.type] ?? 0
      for type in own == 0 ? Array(places.indices) : [own] { places[type].append((row, own)) }
    }
    return places.map(DecisionTable.init)
  }

  @inline(__always)
  func rows(of rules: CompiledRules) -> Rows { compiled.load() ?? compiled.storeIfNil(compile(rules)) }

  private func compile(_ rules: CompiledRules) -> Rows {
    func decision(_ row: Int, _ type: Int) -> CompiledDecision? {
      let rule = rules.rules.types[row]
      // Readings of a row before may be possible too.
      let other = rule.doubtedAs.flatMap { id in rules.rules.types[..<row].lastIndex { $0.id == id } }
      let types = rules.parameters.types
      let doubt = other.flatMap { row in
        decision(row, rules.rules.legacyTypes.firstIndex { $0.name == rules.rules.types[row].type } ?? 0)
      }
      return CompiledDecision(rule, row, of: types[type], doubt: doubt, eras: rules.rules.eras, among: rules.events)
    }
    return Rows(places.compactMap { decision($0.row, $0.type) })
  }
}
