extension RuleCheck {
  /// Every archive fact has a meaning, and every condition over them names facts that exist.
  mutating func checkSettling() {
    let (described, known) = (rules.archiveFacts.map(\.name), ArchiveFact.allCases.map(\.name))
    require(known, in: "archive-facts", among: described, "has no meaning in archive-facts.json")
    for name in described { check(name, isOneOf: known, "an archive fact", "archive-facts.\(name)", at: "fact") }
    for fact in rules.archiveFacts { checkRow(fact) }
    for rule in rules.types {
      checkConditions(rule.settledBy, rule.id, at: "settledBy")
      checkConditions(rule.contradictedBy, rule.id, at: "contradictedBy")
      checkDoubt(rule)
      for candidate in rule.candidates {
        checkConditions(candidate.settledBy, rule.id, at: "candidates")
        checkDisproofs(candidate.disprovedBy, rule.id)
      }
      for other in rule.otherwise { checkConditions(other.settledBy, rule.id, at: "otherwise") }
      if !rule.candidates.isEmpty, !rule.settledBy.isEmpty {
        report(rule.id, "an ambiguous row has \"settledBy\" in its candidates", at: "settledBy")
      }
      if !rule.candidates.isEmpty, !rule.otherwise.isEmpty {
        report(rule.id, "an ambiguous row names all its readings in \"candidates\"", at: "otherwise")
      }
      if rule.otherwise.contains(where: \.settledBy.isEmpty) {
        report(rule.id, "each reading in \"otherwise\" needs \"settledBy\"", at: "otherwise")
      }
    }
  }

  /// A row of the table has conditions, and a period where they are about one.
  private mutating func checkRow(_ fact: FactEntry) {
    let id = "archive-facts.\(fact.name)"
    let isOfProgram = ArchiveFact.byName[fact.name]?.isOfProgram
    guard let row = fact.row, !row.when.isEmpty || !row.shows.isEmpty else {
      if fact.row != nil || isOfProgram == false {
        report(id, "the fact has no conditions: \"when\" or \"shows\"", at: "fact")
      }
      return
    }
    if isOfProgram == true {
      return report(id, "the fact needs more than conditions: the program decides it", at: "fact")
    }
    guard row.period == .none else { return }
    for condition in row.when where condition.needsPeriod { reportNoPeriod(condition, id, at: "when") }
    for condition in row.shows where condition.needsPeriod { reportNoPeriod(condition, id, at: "shows") }
  }

  private mutating func reportNoPeriod(_ condition: some ArchiveCondition, _ id: String, at member: String) {
    report(id, "\"\(condition.rawValue)\" is about a period, and the fact has \"period\": \"none\"", at: member)
  }

  /// What other messages make possible is a row with candidates, which the compiled rules know already.
  private mutating func checkDoubt(_ rule: TypeRule) {
    checkConditions(rule.doubtedBy, rule.id, at: "doubtedBy")
    guard let id = rule.doubtedAs else {
      if !rule.doubtedBy.isEmpty { report(rule.id, "\"doubtedBy\" needs \"doubtedAs\"", at: "doubtedBy") }
      return
    }
    if rule.doubtedBy.isEmpty { return report(rule.id, "\"doubtedAs\" needs \"doubtedBy\"", at: "doubtedAs") }
    if !rule.candidates.isEmpty {
      report(rule.id, "an ambiguous row is not doubted: it has its readings", at: "doubtedAs")
    }
    let earlier = rules.types.prefix { $0.id != rule.id }
    guard !earlier.contains(where: { $0.id == id && $0.type == rule.type && !$0.candidates.isEmpty }) else { return }
    report(rule.id, "\"\(id)\" is not a row of the same type with \"candidates\" before this one", at: "doubtedAs")
  }

  /// A condition is over facts of the record, or over archive facts; the two are known at different times.
  private mutating func checkDisproofs(_ conditions: [String], _ id: String) {
    for condition in conditions where ArchiveFact.bits(of: condition) == nil {
      let names = ArchiveFact.names(in: condition)
      guard FactCondition(all: names, none: [], eras: rules.eras) == nil else { continue }
      report(id, "\"\(condition)\" names neither facts nor archive facts alone", at: "candidates")
    }
  }

  private mutating func checkConditions(_ conditions: [String], _ id: String, at member: String) {
    for name in conditions.compactMap({ ArchiveFact.names(in: $0).first { ArchiveFact.byName[$0] == nil } }) {
      check(name, isOneOf: ArchiveFact.allCases.map(\.name), "an archive fact", id, at: member)
    }
  }
}
