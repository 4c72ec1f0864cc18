internal import SlipcastLegacy
internal import SlipcastV2
internal import SlipcastWire

extension RuleCheck {
  /// Every member of a V2 transaction and renewal info goes back to a key or is declared lost; every key of V1 is filled
  /// by one rule or declared empty.
  mutating func checkInverse() {
    let family = "verify-receipt"
    var filled: [String: String] = [:]
    for rule in rules.inverse {
      let isWhole = !read.faulty.contains(rule.id)
      for path in rule.paths {
        if let other = filled.updateValue(rule.id, forKey: path) {
          report(rule.id, "\"\(path)\" is already filled by \(other)", at: rule.key == nil ? "without" : "to")
        }
      }
      check(rule)
      if isWhole, (rule.key == nil) != (rule.way == nil) {
        report(rule.id, "a rule with \"to\" has \"using\", and no other has", at: rule.key == nil ? "using" : "to")
      }
      if rule.key == nil, rule.note == nil { report(rule.id, "what is lost needs its reason (\"note\")") }
    }
    guard !read.unread.hasFile(of: family) else { return }
    for (scope, model) in Self.inverseModels {
      let told = Set(rules.inverse.filter { $0.scope == scope }.flatMap(\.from))
      for field in model.fields where !told.contains(field.name) {
        if read.unread.mentions(field.name, in: [family]) { continue }
        report(family, "the member \"\(field.name)\" of \(model.name) has no rule")
      }
      for field in scope.fields where filled["\(scope.rawValue).\(field.key.name)"] == nil {
        if read.unread.mentions(field.key.name, in: [family]) { continue }
        report(family, "the key \"\(scope.rawValue).\(field.key.name)\" has no rule")
      }
    }
  }

  /// Members are those of the V2 object, and what is written fits its kind.
  private mutating func check(_ rule: InverseRule) {
    guard let model = Self.inverseModels.first(where: { $0.0 == rule.scope })?.1 else { return }
    let known = model.fields.map(\.name)
    for name in rule.from { check(name, isOneOf: known, "a member of \(model.name)", rule.id, at: "from") }
    for name in rule.when.map(\.member) {
      check(name, isOneOf: known, "a member of \(model.name)", rule.id, at: "when")
    }
    check(rule.convertedNeeds, isOneOf: known, "a member of \(model.name)", rule.id, at: "convertedNeeds")
    check(rule.needs, isOneOf: known, "a member of \(model.name)", rule.id, at: "needs")
    if rule.way == .truth, rule.when.isEmpty { report(rule.id, "\"truth\" needs \"when\"", at: "using") }
    let kind = rule.from.first.flatMap { name in model.fields.first { $0.name == name }?.kind }
    if let kind, (kind == .milliseconds) != (rule.way == .dates), rule.way != nil {
      report(rule.id, "\"\(rule.way?.rawValue ?? "")\" cannot write \"\(rule.from[0])\"", at: "using")
    }
  }

  private static let inverseModels: [(LegacyScope, ObjectSchema)] = [
    (.latest_receipt_info, ObjectSchema(JWSTransactionDecodedPayload.self)),
    (.pending_renewal_info, ObjectSchema(JWSRenewalInfoDecodedPayload.self)),
  ]
}
