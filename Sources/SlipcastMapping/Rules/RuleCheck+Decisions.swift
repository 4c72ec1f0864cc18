extension RuleCheck {
  /// Every parameter that the converter asks for exists and has the right shape.
  func checkDecisionParameters(_ errors: inout [MappingError]) {
    for name in DecisionName.allCases where rules.decision(name) == nil {
      report("decisions", "\(name.rawValue) is missing", &errors)
    }
    let known = DecisionName.allCases.map(\.rawValue)
    for rule in rules.decisions {
      checkSources(rule.source, rule.id, &errors)
      guard let name = DecisionName(rawValue: rule.id) else {
        report(rule.id, "\"\(rule.id)\" is not a parameter\(Self.suggestion(rule.id, known))", &errors)
        continue
      }
      checkShape(rule, name, &errors)
    }
  }

  private func checkShape(_ rule: DecisionRule, _ name: DecisionName, _ errors: inout [MappingError]) {
    switch (name, rule.value) {
    case (.subject, .order(let words)):
      checkWords(words, SubjectEvidence.allCases.map(\.rawValue), rule.id, &errors)
    case (.status, .order(let words)):
      for word in words where DecisionParameters.statusStep(word) == nil {
        report(rule.id, "\"\(word)\" is not a condition and a status from 1 to 5, such as \"grace 4\"", &errors)
      }
    case (.family, .order(let words)):
      for word in words where DecisionParameters.familyEntry(word, rules.eras) == nil {
        report(rule.id, "\"\(word)\" is not a V1 type and an era, such as \"DID_RENEW family-events\"", &errors)
      }
    case (.listLimit, .limit): break
    case (.subject, _), (.status, _), (.family, _): report(rule.id, "expected an array of strings \"order\"", &errors)
    case (.listLimit, _): report(rule.id, "expected a number \"count\"", &errors)
    case (_, .window): break
    default: report(rule.id, "expected a number \"milliseconds\"", &errors)
    }
  }

  private func checkWords(_ words: [String], _ known: [String], _ id: String, _ errors: inout [MappingError]) {
    for word in words where !known.contains(word) {
      report(id, "\"\(word)\" is not a known word\(Self.suggestion(word, known))", &errors)
    }
  }
}
