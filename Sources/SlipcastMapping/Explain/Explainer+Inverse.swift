internal import SlipcastLegacy
internal import SlipcastV2

// The way back: V2's members as keys of `verifyReceipt`, next to the way there.

extension Explainer {
  func inversePages(for wanted: String) -> [Page] {
    rules.inverse.filter { $0.id.lowercased() == wanted || $0.finding?.lowercased() == wanted }.map(page)
  }

  var inverseNames: [String] { rules.inverse.map(\.id) + rules.inverse.compactMap(\.finding) }

  /// The lines of a field rule about the way back.
  func addInverse(of rule: FieldRule, to lines: inout Lines) {
    for inverse in rules.inverse(of: rule) { lines.add("back to V1", inverse.summary) }
  }

  private func page(_ rule: InverseRule) -> Page {
    page(rule.id, summary: rule.summary, confidence: rule.confidence, source: rule.source) { lines in
      lines.add("V2", rule.from.isEmpty ? ["no member"] : rule.from.map { Self.place(rule.family ?? "", $0) })
      lines.add("V1", rule.paths.isEmpty ? ["no key"] : rule.paths)
      lines.add("how", rule.explanation)
      if rule.way != .truth { lines.add("when", rule.conditions) }
      lines.add("only with", rule.needs)
      lines.add("of converted records", rule.convertedNeeds.map { "only with \($0)" })
      lines.add("not in", rule.isLatestOnly ? "receipt.in_app" : nil)
      lines.add("inferred values", rule.takesInferred ? "are written too: V1's own key says the same" : nil)
      lines.add("finding", rule.finding)
      lines.add(rule.key == nil ? "why" : "trap", rule.note)
      lines.add("to V2", rules.forward(of: rule).map { "\($0.id): \($0.relation.rawValue)" })
    }
  }
}

extension InverseRule {
  /// `priceIncreaseStatus → price_increase_status: the same as text`.
  package var summary: String {
    let condition = way != .truth && !when.isEmpty ? ", where \(conditions)" : ""
    guard let key else {
      if from.isEmpty { return "(none) → \(paths.joined(separator: ", "))" }
      return "\(from[0]) → (lost)\(condition)" + (finding.map { ": \($0)" } ?? "")
    }
    return "\(from.joined(separator: ", ")) → \(key.name): \(explanation ?? "")\(condition)"
  }
}

extension RuleSet {
  /// The rules by which what a field rule writes goes back to V1; for a rule without a V2 field, those about its keys.
  package func inverse(of rule: FieldRule) -> [InverseRule] {
    guard let to = rule.to else { return inverse.filter { !$0.unfilled.isEmpty && !isDisjoint($0, rule) } }
    return inverse.filter { $0.family == rule.family && $0.from.contains(to) }
  }

  /// The field rules that make the members of an inverse rule.
  func forward(of rule: InverseRule) -> [FieldRule] {
    fields.filter { field in field.family == rule.family && field.to.map(rule.from.contains) ?? false }
  }

  private func isDisjoint(_ inverse: InverseRule, _ rule: FieldRule) -> Bool {
    let keys = Set(inverse.unfilled)
    return inverse.family != rule.family || !rule.places.contains { keys.contains($0.key) }
  }
}
