extension RuleCheck {
  /// Every archive fact has a meaning, and every condition over them names facts that exist.
  mutating func checkSettling() {
    let (described, known) = (rules.archiveFacts.map(\.name), ArchiveFact.allCases.map(\.name))
    require(known, in: "archive-facts", among: described, "has no meaning in archive-facts.json")
    for name in described { check(name, isOneOf: known, "an archive fact", "archive-facts.\(name)", at: "fact") }
    for fact in rules.archiveFacts where known.contains(fact.name) { checkRows(fact) }
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

  /// A row of the table has conditions, and what they compare with.
  private mutating func checkRows(_ fact: FactEntry) {
    let id = "archive-facts.\(fact.name)"
    for row in fact.rows {
      if row.isEmpty { report(id, "the fact has no conditions: \"when\" or \"shows\"", at: "fact") }
      for condition in row.when { checkNeeds(condition, of: row, id, at: "when") }
      for witness in row.witnesses {
        if row.period == .none, witness.neighbour.needsPeriod {
          reportNoPeriod(witness.neighbour.rawValue, id, at: "neighbour")
        }
        for condition in witness.shows {
          checkNeeds(condition, of: row, id, at: "shows")
          if type(of: condition).needsRange {
            report(id, "\"\(condition.rawValue)\" is a condition of \"none\"", at: "shows")
          }
        }
      }
      for condition in row.none.joined() { checkNeeds(condition, of: row, id, at: "none") }
      for condition in row.anyPeriod.joined() { checkNeeds(condition, of: row, id, at: "anyPeriod") }
      for condition in row.noPeriod.joined() { checkNeeds(condition, of: row, id, at: "noPeriod") }
      if let range = row.complete {
        if row.period == .none, range.needsPeriod { reportNoPeriod(range.text, id, at: "complete") }
        if range.needsNeighbour, !row.hasTimedNeighbour { reportNoNeighbour(range.text, id, at: "complete") }
      }
    }
    if Set(fact.rows.map { $0.complete == nil }).count > 1 {
      report(id, "either all rows of a fact have \"complete\" or none has", at: "or")
    }
  }

  private mutating func checkNeeds(
    _ condition: some ArchiveCondition, of row: ArchiveFactRow, _ id: String, at member: String
  ) {
    if row.period == .none, type(of: condition).needsPeriod { reportNoPeriod(condition.rawValue, id, at: member) }
    if type(of: condition).needsRange, row.complete == nil {
      report(id, "\"\(condition.rawValue)\" is about a time range, and the fact has no \"complete\"", at: member)
    }
    if type(of: condition).needsNeighbour, !row.hasTimedNeighbour {
      reportNoNeighbour(condition.rawValue, id, at: member)
    }
  }

  private mutating func reportNoPeriod(_ name: String, _ id: String, at member: String) {
    report(id, "\"\(name)\" is about a period, and the fact has \"period\": \"none\"", at: member)
  }

  private mutating func reportNoNeighbour(_ name: String, _ id: String, at member: String) {
    let known = FactNeighbour.allCases.filter(\.hasTime).map(\.rawValue).joined(separator: ", ")
    report(id, "\"\(name)\" is about the time that a neighbour shows: \"neighbour\" is one of \(known)", at: member)
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
    let isKnown = rules.types.contains { $0.id == id && $0.type == rule.type && !$0.candidates.isEmpty }
    guard !isKnown else { return }
    report(rule.id, "\"\(id)\" is not a row of the same type with \"candidates\"", at: "doubtedAs")
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
