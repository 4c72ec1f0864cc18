/// The decision table of one V1 type as a tree: what consecutive rows ask alike is asked once, above them.
///
/// Reading the tree from the top decides as the table does: the first row whose conditions hold.
package struct DecisionTree: Sendable {
  /// A fact that must hold, or must not.
  package struct Condition: Hashable, Sendable {
    package var fact: String
    package var isNegated: Bool

    package init(fact: String, isNegated: Bool) { (self.fact, self.isNegated) = (fact, isNegated) }
  }

  /// A row, or rows below conditions that they share.
  package indirect enum Node: Sendable {
    case row([Condition], TypeRule)
    case branch([Condition], [Node])

    package var rows: [TypeRule] {
      switch self {
      case .row(_, let rule): [rule]
      case .branch(_, let below): below.flatMap(\.rows)
      }
    }
  }

  package let type: String
  /// The rows in the order in which they are tried.
  package let rows: [TypeRule]
  /// The top of the tree.
  package let nodes: [Node]

  /// - Returns: `nil` for a name that is not a V1 type of the decision table; case does not matter.
  package init?(of name: String, in rules: RuleSet) {
    let types = rules.types.map(\.type).filter { $0 != "*" }
    guard let type = types.first(where: { $0.lowercased() == name.lowercased() }) else { return nil }
    self.type = type
    rows = rules.types.filter { $0.type == type }
    nodes = Self.nodes(rows.map { (Self.conditions(of: $0), $0) }[...])
  }

  private typealias Row = (conditions: [Condition], rule: TypeRule)

  private static func conditions(of rule: TypeRule) -> [Condition] {
    var seen: Set<Condition> = []
    let all = rule.all.map { Condition(fact: $0, isNegated: false) }
    let none = rule.none.map { Condition(fact: $0, isNegated: true) }
    return (all + none).filter { seen.insert($0).inserted }
  }

  private static func nodes(_ rows: ArraySlice<Row>) -> [Node] {
    var (nodes, rest) = ([Node](), rows)
    while let first = rest.first {
      let runs = first.conditions.map { condition in rest.prefix { $0.conditions.contains(condition) }.count }
      guard let longest = runs.max(), longest > 1 else {
        nodes.append(.row(first.conditions, first.rule))
        rest.removeFirst()
        continue
      }
      let run = rest.prefix(longest)
      let shared = first.conditions.filter { condition in run.allSatisfy { $0.conditions.contains(condition) } }
      let below: [Row] = run.map { row in (row.conditions.filter { !shared.contains($0) }, row.rule) }
      nodes.append(.branch(shared, Self.nodes(below[...])))
      rest = rest.dropFirst(longest)
    }
    return nodes
  }
}

extension RuleSet {
  /// Other V1 types whose messages may become a V2 event of that type, in the order of the table.
  package func otherTypes(becoming type: String) -> [String] {
    var types: [String] = []
    for rule in self.types where rule.type != type && rule.type != "*" && !types.contains(rule.type) {
      if rule.readings.contains(where: { $0.notificationType == type }) { types.append(rule.type) }
    }
    return types
  }

  /// Grouping rules about a V1 type that have a note.
  package func groupingNotes(about type: String) -> [(id: String, note: String)] {
    grouping.pairs.filter { ($0.lead + $0.companion).contains(type) }.compactMap { pair in
      pair.note.map { (pair.id, $0) }
    }
  }
}
