@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Proves that a set of rules is whole: names exist, kinds fit, nothing is written twice and nothing is forgotten.
///
/// It also checks sets in which some entries have errors. What is missing only because of such an error is not reported.
struct RuleCheck {
  let rules: RuleSet
  /// Where entries are, and what could not be read.
  let read: ReadRules
  private var errors: [MappingError] = []
  /// V2 fields, with their family, that a misspelled name was probably meant to be.
  private var meantTargets: Set<String> = []
  /// Names of legacy keys that a misspelled name was probably meant to be.
  private var meantKeys: Set<String> = []
  /// The rule that writes each V2 field.
  private var written: [String: String] = [:]

  init(_ read: ReadRules) { (rules, self.read) = (RuleSet(read), read) }

  /// Checks everything.
  ///
  /// - Returns: all errors, in no particular order.
  mutating func run() -> [MappingError] {
    for (source, location) in read.cited { checkSources(source, location) }
    for rule in rules.fields { checkField(rule) }
    checkDecisions()
    checkCompleteness()
    for event in rules.tracedEvents { checkServerEvent(event) }
    checkGrouping()
    checkDecisionParameters()
    checkWindowTexts()
    require(Fact.allCases.map(\.name), in: "facts", among: rules.facts.map(\.name), "has no meaning in facts.json")
    checkSettling()
    let ways = ComparingRule.Way.allCases.map { "compare.\($0.rawValue)" }
    require(ways, in: "comparing", among: rules.comparing.map(\.id), "is missing")
    checkReceiptAttributes()
    checkInverse()
    checkEventSentences()
    return errors
  }

  /// Reports an error at a member of a rule, or at the rule where that has no such member.
  mutating func report(_ id: String, _ message: String, at member: String? = nil) {
    let unknown = MappingError(file: "rules", line: 1, column: 1, rule: id, message: message)
    errors.append(read.locations[id]?.error(message, at: member) ?? unknown)
  }

  /// Reports an unknown name, with the one that was probably meant.
  mutating func check(_ name: String?, isOneOf known: [String], _ what: String, _ id: String, at member: String) {
    guard let name, !known.contains(name) else { return }
    report(id, "\"\(name)\" is not \(what)\(Self.suggestion(name, known))", at: member)
  }

  /// Reports what a family must hold and does not, unless an entry that could not be read may hold it.
  mutating func require(_ names: [String], in family: String, among known: [String], _ fault: String) {
    for name in names where !known.contains(name) && !read.unread.mentions(name, in: [family]) {
      report(family, "\(name) \(fault)")
    }
  }

  func knowsEra(_ id: String) -> Bool {
    rules.eras.contains { $0.id == id } || read.unread.mentions(id, in: ["eras"])
  }

  private mutating func checkSources(_ text: String, _ location: RuleLocation) {
    for citation in text.parts(at: ";") {
      let key = citation.parts(at: " ").first ?? ""
      guard rules.source(key: key) == nil, !read.unread.mentions(key, in: ["sources"]) else { continue }
      let other =
        "name it in a file of {\"family\": \"sources\", \"sources\": [{\"key\": …, \"title\": …}]}, or cite INFERENCE"
      let hint = Self.suggestion(key, rules.sources.map(\.key))
      let message = "\"\(key)\" is not a key of sources.json\(hint.isEmpty ? "; \(other)" : hint)"
      errors.append(location.error(message, at: "source"))
    }
  }

  // MARK: field rules

  private mutating func checkField(_ rule: FieldRule) {
    checkKeys(rule)
    if let using = rule.using, Transform.all[using] == nil {
      check(using, isOneOf: Transform.all.keys.sorted(), "a transform", rule.id, at: "using")
    }
    guard let to = rule.to else {
      if rule.relation != .legacyOnly { report(rule.id, "a rule without \"to\" is legacyOnly", at: "relation") }
      if rule.note == nil, rule.meaning.v1 == nil { report(rule.id, "a lost value needs its reason", at: "meaning") }
      if read.faulty.contains(rule.id) { noteMeantTarget(rule, nil) }
      return
    }
    let target = "\(rule.family).\(to)"
    guard let kind = Self.targets[target] else {
      let known = Self.names(of: rule.family)
      check(to, isOneOf: known, "a V2 field here", rule.id, at: "to")
      return noteMeantTarget(rule, Suggestion.closest(to: to, among: known))
    }
    if let other = written.updateValue(rule.id, forKey: target) {
      report(rule.id, "\"\(to)\" is already written by \(other); use its id to replace it", at: "to")
    }
    checkTransform(rule, kind)
    checkComparing(rule, kind)
  }

  private mutating func checkKeys(_ rule: FieldRule) {
    for name in rule.from where rule.place(of: name).map({ !isField($0) }) ?? true {
      report(rule.id, "\"\(name)\" is not a legacy key here\(Self.suggestion(name, Self.legacyNames))", at: "from")
      if let meant = Suggestion.closest(to: name, among: Self.legacyNames) {
        meantKeys.insert(Explainer.last(meant))
      } else {
        let replaced = read.replaced.filter { $0.id == rule.id }
        meantKeys.formUnion(replaced.flatMap(\.from).map(Explainer.last))
      }
    }
  }

  /// Notes which V2 field a rule would write if its `to` were right.
  private mutating func noteMeantTarget(_ rule: FieldRule, _ suggestion: String?) {
    let replaced = read.replaced.filter { $0.id == rule.id }.compactMap(\.to)
    for name in replaced + [suggestion].compactMap(\.self) { meantTargets.insert("\(rule.family).\(name)") }
  }

  private mutating func checkTransform(_ rule: FieldRule, _ kind: FieldKind) {
    guard let using = rule.using else {
      if rule.relation != .serverOnly, !kind.isContainer {
        report(rule.id, "\"\(rule.to ?? "")\" would never be written: name a transform in \"using\"", at: "to")
      }
      return
    }
    guard let transform = rule.transform else { return }
    if rule.from.isEmpty, !transform.traits.contains(.sourceless), !read.faulty.contains(rule.id) {
      report(rule.id, "\"\(using)\" reads V1 keys: name them in \"from\"", at: "from")
    }
    if !transform.fills(kind) {
      report(rule.id, "\"\(using)\" cannot fill \"\(rule.to ?? "")\", which is a \(kind.description)", at: "using")
    }
    if rule.relation == .serverOnly { report(rule.id, "a serverOnly rule writes nothing", at: "using") }
  }

  private func isField(_ place: CompiledRules.KeyPlace) -> Bool {
    place.scope.fields.contains { $0.key == place.key }
      // An iOS 6 style receipt is a transaction itself.
      || (place.scope == .receipt && LegacyScope.latest_receipt_info.fields.contains { $0.key == place.key })
  }

  // MARK: the decision table

  private mutating func checkDecisions() {
    let types = rules.legacyTypes.map(\.name)
    for rule in rules.types {
      check(rule.type, isOneOf: types, "a V1 notification_type", rule.id, at: "id")
      for fact in rule.all { checkFact(fact, rule.id, FactCondition(all: [fact], none: [], eras: rules.eras)) }
      for fact in rule.none {
        checkFact(fact, rule.id, FactCondition(all: [], none: [fact], eras: rules.eras), at: "none")
      }
      let events = [
        ("to", rule.candidates.isEmpty ? [rule.to] : []), ("candidates", rule.candidates.map(\.event)),
        ("otherwise", rule.otherwise.map(\.event)),
      ]
      for (member, names) in events + [("accepts", rule.accepts), ("atGraceEnd", [rule.atGraceEnd].compactMap(\.self))]
      {
        for event in names where event.notificationType != "*" { checkEvent(event, rule.id, at: member) }
      }
    }
    // Rows of all types are for words that Apple does not document: a documented type must not end there.
    for type in types where !rules.types.contains(where: { $0.type == type && $0.isLastResort }) {
      if read.unread.hasFile(of: "notification-types") { continue }
      let last = rules.types.last { $0.type == type }
      report(last?.id ?? "notification-types", "\(type) needs a last row without conditions")
    }
  }

  private mutating func checkFact(_ name: String, _ id: String, _ compiled: FactCondition?, at member: String = "all") {
    guard compiled == nil else { return }
    let era = name.split(separator: ":").last.map(String.init) ?? ""
    if member == "all", name.hasPrefix("before:") || name.hasPrefix("from:"), read.unread.mentions(era, in: ["eras"]) {
      return
    }
    let known = Fact.allCases.map(\.name) + rules.eras.flatMap { ["before:\($0.id)", "from:\($0.id)"] }
    report(id, "\"\(name)\" is not a fact\(Self.suggestion(name, known))", at: member)
  }

  // MARK: completeness

  private mutating func checkCompleteness() {
    // Slipcast's account is not a field of Apple's.
    for target in Self.targets.keys.sorted() where written[target] == nil && !target.hasSuffix(".migration") {
      let parts = target.parts(at: ".", maxSplits: 1)
      if meantTargets.contains(target) || read.unread.mentions(parts[1], in: [parts[0]]) { continue }
      if let before = read.replaced.first(where: { "\($0.family).\($0.to ?? "")" == target }), let to = before.to {
        report(before.id, "it replaces the rule that writes \"\(to)\", which no rule writes now")
      } else {
        report(target, "no rule for this V2 field: map it or mark it serverOnly with a reason")
      }
    }
    let named = Set(rules.fields.flatMap(\.places))
    for scope in LegacyScope.allCases {
      for field in scope.fields where field.kind != .secret || scope == .responseBodyV1 {
        let place = CompiledRules.KeyPlace(scope: scope, key: field.key)
        if !named.contains(place) { reportForgotten(place) }
      }
    }
  }

  private mutating func reportForgotten(_ place: CompiledRules.KeyPlace) {
    let name = place.key.name
    if meantKeys.contains(name) || read.unread.mentions(name, in: Self.fieldFamilies) { return }
    guard let before = read.replaced.first(where: { $0.places.contains(place) }) else {
      return report(
        "\(place.scope.rawValue).\(name)", "no rule for this legacy key: map it or mark it legacyOnly with a reason")
    }
    let shown = before.from.first { before.place(of: $0) == place } ?? name
    report(
      before.id, "it replaces the rule that reads \"\(shown)\", which no rule reads now: add it to \"from\"", at: "from"
    )
  }
}

extension RuleCheck {
  private static let fieldFamilies = FieldRule.scopeOfFamily.keys.sorted()

  /// Every V2 field that rules must speak of, with its kind.
  static let targets: [String: FieldKind] = {
    var result: [String: FieldKind] = [:]
    func add(_ schema: ObjectSchema, _ prefix: String) {
      for field in schema.fields {
        result[prefix + field.name] = field.kind
        if field.traits.hasRulesInside, let inner = field.inner { add(inner, prefix + field.name + ".") }
      }
    }
    for part in ObjectPart.allCases { add(part.schema, "\(part.rules.family).\(part.rules.under)") }
    add(ObjectSchema(ResponseBodyV2.self), "\(ObjectPart.notification.rules.family).")
    return result
  }()

  /// The V2 fields that rules of a family may fill.
  static func names(of family: String) -> [String] {
    targets.keys.filter { $0.hasPrefix(family + ".") }.map { String($0.dropFirst(family.count + 1)) }.sorted()
  }

  static let legacyNames =
    LegacyKey.names
    + LegacyScope.allCases.flatMap { scope in
      scope.fields.map { "\(scope.rawValue).\($0.key.name)" }
    }

  /// `; did you mean "…"?`, or nothing when no name is close.
  static func suggestion(_ name: String, _ known: [String]) -> String {
    Suggestion.closest(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
  }
}

extension TypeRule {
  var isLastResort: Bool { all.isEmpty && none.isEmpty }

  /// True when this row, standing before another, fits whatever that one fits.
  func hides(_ other: TypeRule) -> Bool {
    type == other.type && Set(all).isSubset(of: other.all) && Set(none).isSubset(of: other.none)
  }
}
