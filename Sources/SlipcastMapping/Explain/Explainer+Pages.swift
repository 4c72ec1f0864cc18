extension Explainer {
  func page(_ rule: FieldRule) -> Page {
    var lines = Lines(rules)
    let v1 = rule.from.isEmpty ? "nothing in V1" : rule.from.joined(separator: ", ")
    lines.add("V1", v1)
    lines.add("V2", rule.to.map { Self.place(rule.family, $0) } ?? "no place")
    lines.add("V1 says", rule.meaning.v1 ?? (rule.from.isEmpty ? nil : rule.meaning.v2))
    lines.add("V2 says", rule.to == nil ? nil : rule.meaning.v2 ?? rule.meaning.v1)
    lines.add("relation", rule.relation.explanation)
    if let using = rule.using, let transform = Transform.all[using] {
      lines.add("how", "\(using): \(transform.explanation)")
    }
    lines.add("trap", rule.note)
    lines.add("absent in V1", rule.comparing.absent)
    for value in rule.comparing.untold.keys.sorted() { lines.add("V2 only", value) }
    let reading = rule.comparing.compare.flatMap { rules.comparing($0) }
    lines.add("compared", reading.map { "\($0.meaning) Class \($0.differenceClass.rawValue)." })
    lines.add("confidence", rule.confidence.rawValue)
    lines.add("since", rule.since)
    if let to = rule.to { lines.add(values: [Self.last(to)], vocabulary: "V2") }
    lines.add(values: rule.from.map(Self.last) + rule.from.filter { $0.contains(".") }, vocabulary: "V1")
    for citation in rules.citations(of: rule) { lines.add("source", citation.description) }
    var keys: [String] = []
    for key in rule.from.map(Self.last) where !keys.contains(key) { keys.append(key) }
    let from = keys.isEmpty ? "(none)" : keys.joined(separator: ", ")
    return Page(title: rule.id, summary: "\(from) → \(rule.to.map(Self.last) ?? "(lost)")", lines: lines.lines)
  }

  static func place(_ family: String, _ to: String) -> String {
    switch family {
    case "transaction": "data.transactionInfo.\(to)"
    case "renewal": "data.renewalInfo.\(to)"
    case "receipt": "history: \(to)"
    case "statuses": "statuses: \(to)"
    default: to
    }
  }

  func page(_ rule: TypeRule) -> Page {
    var lines = Lines(rules)
    lines.add("V1", rule.type == "*" ? "any other notification_type" : rule.type)
    for fact in rule.all { lines.add("when", meaning(ofFact: fact)) }
    for fact in rule.none { lines.add("unless", meaning(ofFact: fact)) }
    let to = rule.to.notificationType == "*" ? "V1's own word, unchanged" : rule.to.description
    lines.add("V2", rule.isAbsorbed ? "\(to) (absorbed: V2 sends no separate message for this one)" : to)
    for event in rule.accepts { lines.add("also", "\(event): V2 may send it for the same message") }
    for candidate in rule.candidates {
      lines.add("candidate", "\(candidate.event): needs \(candidate.needs)")
      addConditions(candidate.settledBy, "what would settle it", to: &lines)
    }
    addConditions(rule.settledBy, "what would confirm it", to: &lines)
    for other in rule.otherwise {
      lines.add("otherwise", "\(other.event): needs \(other.needs)")
      addConditions(other.settledBy, "what would settle it", to: &lines)
    }
    addConditions(rule.contradictedBy, "what would contradict it", to: &lines)
    lines.add("V1 says", rule.meaning.v1)
    lines.add("V2 says", rule.meaning.v2)
    lines.add("finding", rule.finding.map { "\($0.code): \($0.message)" })
    lines.add("trap", rule.note)
    lines.add("confidence", rule.confidence.rawValue)
    lines.add(source: rule.source)
    let candidates = rule.candidates.map(\.event.description).joined(separator: " or ")
    return Page(
      title: rule.id, summary: "\(rule.type) → " + (candidates.isEmpty ? to : candidates), lines: lines.lines)
  }

  /// `previousPeriodRunning: that period had not ended before the purchase`.
  private func meaning(ofFact name: String) -> String { rules.meaning(ofFact: name).map { "\(name): \($0)" } ?? name }

  /// Conditions over archive facts, each with what its facts mean.
  private func addConditions(_ conditions: [String], _ title: String, to lines: inout Lines) {
    for condition in conditions {
      let facts = condition.split(separator: "+").map { String($0.filter { $0 != " " }) }
      let words = facts.map { name in
        rules.archiveFacts.first { $0.name == name }.map { "\(name) (\($0.meaning))" } ?? name
      }
      lines.add(title, words.joined(separator: ", and "))
    }
  }

  /// A fact about the other messages of an archive, and the rows that it settles.
  func page(archive fact: FactEntry) -> Page {
    var lines = Lines(rules)
    lines.add("means", fact.meaning)
    func uses(_ conditions: [String]) -> Bool {
      conditions.contains { $0.split(separator: "+").contains { $0.filter { $0 != " " } == fact.name } }
    }
    let rows = rules.types.filter { rule in uses(rule.settledBy) || rule.settleable.contains { uses($0.settledBy) } }
    lines.add("settles", rows.map(\.id).joined(separator: ", "))
    lines.add("contradicts", rules.types.filter { uses($0.contradictedBy) }.map(\.id).joined(separator: ", "))
    lines.add(source: fact.source ?? "")
    return Page(title: fact.name, summary: "an archive fact (convert --settle)", lines: lines.lines)
  }

  /// A fact and the rows that depend on it.
  func page(_ fact: FactEntry) -> Page {
    var lines = Lines(rules)
    lines.add("means", fact.meaning)
    let all = rules.types.filter { $0.all.contains(fact.name) }.map(\.id)
    let none = rules.types.filter { $0.none.contains(fact.name) }.map(\.id)
    lines.add("holds in", all.joined(separator: ", "))
    lines.add("not in", none.joined(separator: ", "))
    return Page(title: fact.name, summary: "a fact of the decision table", lines: lines.lines)
  }

  func page(_ event: ServerEvent) -> Page {
    var lines = Lines(rules)
    lines.add("V1", "never sends it; expect it to be missing there")
    lines.add("V2", event.shownEvent)
    lines.add("trace in V1", event.trace)
    lines.add("timeline", event.test.map { "recognised by the test \($0.rawValue)" })
    lines.add("confidence", event.confidence.rawValue)
    lines.add(source: event.source)
    return Page(title: event.id, summary: "(none) → \(event.shownEvent)", lines: lines.lines)
  }

  func page(_ rule: StoreKitRule) -> Page {
    var lines = Lines(rules)
    lines.add("StoreKit", rule.storekit)
    lines.add("V2", rule.v2)
    lines.add("StoreKit says", rule.meaning.storekit)
    lines.add("V2 says", rule.meaning.v2)
    for value in rule.values { lines.add("value", "\(value.storekit) = \(value.v2)") }
    lines.add(source: rule.source)
    return Page(title: rule.id, summary: "\(rule.storekit) = \(rule.v2)", lines: lines.lines)
  }

  func page(_ differenceClass: DifferenceClass) -> Page {
    var lines = Lines(rules)
    lines.add("means", differenceClass.meaning)
    let relations = Relation.allCases.filter { $0.differenceClass == differenceClass }.map(\.rawValue)
    lines.add("relation", relations.joined(separator: ", "))
    for rule in rules.comparing where rule.differenceClass == differenceClass { lines.add(rule.id, rule.meaning) }
    lines.add("fails", differenceClass == .conflict ? "always, unless ignored" : "only with --strict")
    return Page(title: differenceClass.rawValue, summary: "a class of diff", lines: lines.lines)
  }

  func page(_ rule: ComparingRule) -> Page {
    var lines = Lines(rules)
    lines.add("reading", rule.meaning)
    lines.add("class", rule.differenceClass.rawValue)
    lines.add("within", rule.milliseconds > 0 ? "\(rule.milliseconds) ms" : nil)
    let users = rules.fields.filter { $0.comparing.compare == rule.way }.map(\.id)
    lines.add("used by", users.joined(separator: ", "))
    lines.add("confidence", rule.confidence.rawValue)
    lines.add(source: rule.source)
    return Page(title: rule.id, summary: "how unequal values are read", lines: lines.lines)
  }

  func page(_ rule: ReceiptAttributeRule) -> Page {
    var lines = Lines(rules)
    let keys = rule.paths.joined(separator: ", ")
    lines.add("attribute", "\(rule.type) of \(rule.isInApp ? "a purchase in an app receipt" : "an app receipt")")
    lines.add("is", rule.name)
    lines.add("written as", rule.encoding.rawValue)
    lines.add("V1", keys.isEmpty ? "verifyReceipt does not show it; inspect does" : keys)
    lines.add("V2", rules.targets(of: rule).joined(separator: ", "))
    lines.add("trap", rule.note)
    lines.add("confidence", rule.confidence.rawValue)
    lines.add(source: rule.source)
    return Page(title: rule.id, summary: "\(rule.name) → \(keys.isEmpty ? "(not shown)" : keys)", lines: lines.lines)
  }

  func page(_ era: Era) -> Page {
    var lines = Lines(rules)
    lines.add("from", era.date)
    lines.add("change", era.change)
    lines.add("effect", era.effect)
    lines.add("confidence", era.confidence.rawValue)
    lines.add(source: era.source)
    return Page(title: "era \(era.id)", summary: era.date, lines: lines.lines)
  }

  func page(_ finding: (code: String, message: String, isWarning: Bool)) -> Page {
    var lines = Lines(rules)
    lines.add("means", finding.message)
    lines.add("where", "convert --provenance FILE names record and path")
    return Page(
      title: finding.code, summary: finding.isWarning ? "a finding of convert, a warning" : "a finding of convert",
      lines: lines.lines)
  }

  func page(_ entry: ValueEntry) -> Page {
    var lines = Lines(rules)
    lines.add("meaning", entry.meaning)
    lines.add(source: entry.source)
    return Page(title: "\(entry.of) = \(entry.value)", summary: "a value of \(entry.vocabulary)", lines: lines.lines)
  }
}

extension ServerEvent {
  /// The event with what limits it: `any event, inAppOwnershipType ASSIGNED`.
  var shownEvent: String {
    let isAny = event.notificationType == Self.anyType
    let name = isAny ? event.subtype.map { "any type/\($0)" } ?? "any event" : event.description
    let limits = [
      inAppOwnershipType.map { "inAppOwnershipType \($0)" }, environment.map { "environment \($0)" },
      revocationType.map { "revocationType \($0)" }, present.map { "with \($0)" },
    ]
    return ([name] + limits.compactMap(\.self)).joined(separator: ", ")
  }
}

extension RuleSet {
  /// When a condition of the decision table holds, in words; `nil` for a name that is neither a fact nor an era.
  package func meaning(ofFact name: String) -> String? {
    if let fact = facts.first(where: { $0.name == name }) { return fact.meaning }
    let parts = name.split(separator: ":").map(String.init)
    guard parts.count == 2, let era = eras.first(where: { $0.id == parts[1] }) else { return nil }
    return "the event is \(parts[0] == "before" ? "before" : "not before") \(era.date)"
  }

  /// The V2 fields that are made of the keys of an attribute.
  func targets(of rule: ReceiptAttributeRule) -> [String] {
    let places = rule.keys.map { CompiledRules.KeyPlace(scope: rule.scope, key: $0) }
    var targets: [String] = []
    for field in fields where field.using != nil && field.places.contains(where: places.contains) {
      guard let target = field.to.map({ Explainer.place(field.family, $0) }) else { continue }
      if !targets.contains(target) { targets.append(target) }
    }
    return targets
  }
}

extension Relation {
  /// The relation in words.
  public var explanation: String {
    switch self {
    case .identical: "identical: the same name, type and meaning"
    case .renamed: "renamed: another name or spelling, the same meaning"
    case .retyped: "retyped: another JSON type, the same meaning"
    case .widened: "widened: V2 says more than V1"
    case .narrowed: "narrowed: one side covers fewer cases than the other"
    case .derived: "derived: worked out from other values"
    case .legacyOnly: "legacyOnly: V2 has no field for it"
    case .serverOnly: "serverOnly: V1 has no key for it; it stays absent"
    }
  }
}

/// Collects the lines of a page; absent texts leave no line.
struct Lines {
  private let rules: RuleSet
  var lines: [Explainer.Page.Line] = []

  init(_ rules: RuleSet) { self.rules = rules }

  mutating func add(_ label: String, _ text: String?) {
    if let text, !text.isEmpty { lines.append(Explainer.Page.Line(label: label, text: text)) }
  }

  /// What the values of these names mean.
  mutating func add(values names: [String], vocabulary: String) {
    var seen: Set<String> = []
    for name in names where seen.insert(name).inserted {
      for entry in rules.values where entry.of == name && entry.vocabulary == vocabulary {
        add("value", "\(name) \(entry.value): \(entry.meaning)")
      }
    }
  }

  /// One line per cited document, its title and address spelled out.
  mutating func add(source: String) {
    for citation in rules.citations(source) { add("source", citation.description) }
  }
}
