internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

extension RuleEntry {
  func inverseRule() -> InverseRule? {
    only([
      "id", "in", "to", "from", "using", "when", "needs", "convertedNeeds", "latestOnly", "inferred", "finding", "at",
      "without",
      "note",
      "confidence", "source",
    ])
    let scopes = InverseRule.families.keys.map(\.rawValue).sorted()
    let scope = text("in").flatMap { LegacyScope(rawValue: $0) }.flatMap { InverseRule.families[$0] == nil ? nil : $0 }
    guard let scope else {
      fault("\"in\" is one of \(scopes.joined(separator: ", "))", at: "in")
      return nil
    }
    let (to, members, unfilled) = (optionalText("to"), texts("from"), texts("without"))
    if [to != nil, !members.isEmpty, !unfilled.isEmpty].allSatisfy({ !$0 }) {
      fault("expected \"to\", \"from\" or \"without\"")
    }
    let way = element["using"] == nil ? nil : word("using", InverseRule.Way.self)
    let name = to ?? unfilled.first ?? members.first
    return InverseRule(
      id: optionalText("id") ?? name.map { "\(family).\(scope.rawValue).\($0)" } ?? substituteID, scope: scope,
      key: to.flatMap { key($0, in: scope, at: "to") }, from: members, way: way,
      when: self.members("when").map { InverseRule.Condition(member: $0.name, text: $0.text) },
      needs: optionalText("needs"), convertedNeeds: optionalText("convertedNeeds"), isLatestOnly: flag("latestOnly"),
      takesInferred: flag("inferred"),
      finding: optionalText("finding"), absentKey: optionalText("at").flatMap { key($0, in: scope, at: "at") },
      unfilled: unfilled.compactMap { key($0, in: scope, at: "without") }, note: optionalText("note"),
      confidence: confidence(), source: text("source") ?? "")
  }

  private func key(_ name: String, in scope: LegacyScope, at member: String) -> LegacyKey? {
    let known = scope.fields.map(\.key.name)
    if let key = LegacyKey(name: name), known.contains(name) { return key }
    fault("\"\(name)\" is not a key of \(scope.rawValue)\(RuleCheck.suggestion(name, known))", at: member)
    return nil
  }
}
