extension RuleCheck {
  /// Every parameter that the converter asks for exists and has the right shape.
  mutating func checkDecisionParameters() {
    let known = DecisionName.allCases.map(\.rawValue)
    require(known, in: "decisions", among: rules.decisions.map(\.id), "is missing")
    for rule in rules.decisions {
      guard let name = DecisionName(rawValue: rule.id) else {
        // A user's pair may have its own window.
        if case .window = rule.value, rules.grouping.pairs.contains(where: { $0.window == rule.id }) { continue }
        check(rule.id, isOneOf: known, "a parameter", rule.id, at: "id")
        continue
      }
      // The placeholder for a value that could not be read has no shape.
      if !read.faulty.contains(rule.id) { checkShape(rule, name) }
    }
  }

  private mutating func checkShape(_ rule: DecisionRule, _ name: DecisionName) {
    switch (name, rule.value) {
    case (.subject, .order(let words)):
      let known = SubjectEvidence.allCases.map(\.rawValue)
      for word in words { check(word, isOneOf: known, "a known word", rule.id, at: "order") }
    case (.status, .order(let words)):
      for word in words where DecisionParameters.statusStep(word) == nil {
        report(rule.id, "\"\(word)\" is not a condition and a status from 1 to 5, such as \"grace 4\"", at: "order")
      }
    case (.family, .order(let words)):
      for word in words where rules.familyEntry(word) == nil {
        report(rule.id, "\"\(word)\" is not a V1 type and an era, such as \"DID_RENEW family-events\"", at: "order")
      }
    case (.events, .order(let words)):
      for word in words where DecisionParameters.eventEntry(word, rules.eras) == nil {
        report(rule.id, "\"\(word)\" is not a V2 event and an era, such as \"REVOKE family-sharing\"", at: "order")
      }
    case (.once, .order(let words)):
      for word in words { check(word, isOneOf: rules.serverTypes, "a V2 type", rule.id, at: "order") }
    case (.listLimit, .limit): break
    case (.subject, _), (.status, _), (.family, _), (.events, _), (.once, _):
      report(rule.id, "expected an array of strings \"order\"", at: "order")
    case (.listLimit, _): report(rule.id, "expected a number \"count\"", at: "order")
    case (_, .window): break
    default: report(rule.id, "expected a number \"milliseconds\"", at: "order")
    }
  }
}
