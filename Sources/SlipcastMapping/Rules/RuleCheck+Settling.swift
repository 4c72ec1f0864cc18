extension RuleCheck {
  /// Every archive fact has a meaning, and every condition over them names facts that exist.
  mutating func checkSettling() {
    let described = Set(rules.archiveFacts.map(\.name))
    let known = ArchiveFact.allCases.map(\.name)
    for fact in ArchiveFact.allCases where !described.contains(fact.name) {
      if rules.unread.mentions(fact.name, in: ["archive-facts"]) { continue }
      report("archive-facts", "\(fact.name) has no meaning in archive-facts.json")
    }
    for name in described where ArchiveFact.byName[name] == nil {
      report("archive-facts", "\"\(name)\" is not an archive fact\(Self.suggestion(name, known))")
    }
    for rule in rules.types {
      checkConditions(rule.settledBy, rule.id, at: "settledBy")
      checkConditions(rule.contradictedBy, rule.id, at: "contradictedBy")
      for candidate in rule.candidates { checkConditions(candidate.settledBy, rule.id, at: "candidates") }
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

  private mutating func checkConditions(_ conditions: [String], _ id: String, at member: String) {
    for condition in conditions {
      guard case .failure(let unknown) = ArchiveFact.bits(of: condition) else { continue }
      let hint = Self.suggestion(unknown.name, ArchiveFact.allCases.map(\.name))
      report(id, "\"\(unknown.name)\" is not an archive fact\(hint)", at: member)
    }
  }
}
