extension RuleCheck {
  /// Every parameter that the converter asks for exists and has the right shape.
  mutating func checkDecisionParameters() {
    for name in DecisionName.allCases where rules.decision(name) == nil {
      if rules.unread.mentions(name.rawValue, in: ["decisions"]) { continue }
      report("decisions", "\(name.rawValue) is missing")
    }
    let known = DecisionName.allCases.map(\.rawValue)
    for rule in rules.decisions {
      guard let name = DecisionName(rawValue: rule.id) else {
        // A user's pair may have its own window.
        if case .window = rule.value, rules.grouping.pairs.contains(where: { $0.window == rule.id }) { continue }
        report(rule.id, "\"\(rule.id)\" is not a parameter\(Self.suggestion(rule.id, known))", at: "id")
        continue
      }
      // The placeholder for a value that could not be read has no shape.
      if !rules.faulty.contains(rule.id) { checkShape(rule, name) }
    }
  }

  private mutating func checkShape(_ rule: DecisionRule, _ name: DecisionName) {
    switch (name, rule.value) {
    case (.subject, .order(let words)):
      checkWords(words, SubjectEvidence.allCases.map(\.rawValue), rule.id)
    case (.status, .order(let words)):
      for word in words where DecisionParameters.statusStep(word) == nil {
        report(rule.id, "\"\(word)\" is not a condition and a status from 1 to 5, such as \"grace 4\"", at: "order")
      }
    case (.family, .order(let words)):
      for word in words where DecisionParameters.familyEntry(word, rules.eras) == nil {
        report(rule.id, "\"\(word)\" is not a V1 type and an era, such as \"DID_RENEW family-events\"", at: "order")
      }
    case (.listLimit, .limit): break
    case (.subject, _), (.status, _), (.family, _):
      report(rule.id, "expected an array of strings \"order\"", at: "order")
    case (.listLimit, _): report(rule.id, "expected a number \"count\"", at: "order")
    case (_, .window): break
    default: report(rule.id, "expected a number \"milliseconds\"", at: "order")
    }
  }

  private mutating func checkWords(_ words: [String], _ known: [String], _ id: String) {
    for word in words where !known.contains(word) {
      report(id, "\"\(word)\" is not a known word\(Self.suggestion(word, known))", at: "order")
    }
  }
}
