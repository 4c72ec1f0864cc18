internal import SlipcastV2

extension Explainer {
  func page(_ rule: FieldRule) -> Page {
    var keys: [String] = []
    for key in rule.from.map(Self.last) where !keys.contains(key) { keys.append(key) }
    let from = keys.isEmpty ? "(none)" : keys.joined(separator: ", ")
    return page(rule.id, summary: "\(from) → \(rule.to.map(Self.last) ?? "(lost)")") { lines in
      lines.add("V1", rule.from.isEmpty ? ["nothing in V1"] : rule.from)
      lines.add("V2", rule.to.map { Self.place(rule.family, $0) } ?? rule.meaning.v2 ?? "no place")
      lines.add("V1 says", rule.meaning.v1 ?? (rule.from.isEmpty ? nil : rule.meaning.v2))
      lines.add("V2 says", rule.to == nil ? nil : rule.meaning.v2 ?? rule.meaning.v1)
      lines.add("relation", rule.relation.explanation)
      lines.add("how", rule.how.map { "\(rule.using ?? ""): \($0)" })
      lines.add("trap", rule.note)
      addInverse(of: rule, to: &lines)
      lines.add("absent in V1", rule.comparing.absent)
      for value in rule.comparing.untold.keys.sorted() { lines.add("V2 only", value) }
      let reading = rule.comparing.compare.flatMap { rules.comparing($0) }
      lines.add("compared", reading.map { "\($0.meaning) Class \($0.differenceClass.rawValue)." })
      lines.add("confidence", rule.confidence.rawValue)
      lines.add("since", rule.since)
      if let to = rule.to { lines.add(values: [Self.last(to)], vocabulary: "V2") }
      lines.add(values: rule.from.map(Self.last) + rule.from.filter { $0.contains(".") }, vocabulary: "V1")
      for citation in rules.citations(of: rule) { lines.add("source", citation.description) }
    }
  }

  static func place(_ family: String, _ to: String) -> String {
    switch family {
    case "transaction": "data.transactionInfo.\(to)"
    case "renewal": "data.renewalInfo.\(to)"
    case "receipt": "history: \(to)"
    case "statuses": "statuses: \(to)"
    case "app-transaction": "app transaction: \(to)"
    default: to
    }
  }

  func page(_ rule: TypeRule) -> Page {
    let to = rule.to.notificationType == "*" ? "V1's own word, unchanged" : rule.to.description
    let candidates = rule.candidates.map(\.event.description).joined(separator: " or ")
    let summary = "\(rule.type) → " + (candidates.isEmpty ? to : candidates)
    return page(rule.id, summary: summary, confidence: rule.confidence, source: rule.source) { lines in
      lines.add("V1", rule.type == "*" ? "any other notification_type" : rule.type)
      for fact in rule.all { lines.add("when", meaning(ofFact: fact)) }
      for fact in rule.none { lines.add("unless", meaning(ofFact: fact)) }
      lines.add("V2", rule.isAbsorbed ? "\(to) (absorbed: V2 sends no separate message for this one)" : to)
      for event in rule.accepts { lines.add("also", "\(event): V2 may send it for the same message") }
      add(rule.candidates, "candidate", to: &lines)
      addConditions(rule.settledBy, "what would confirm it", to: &lines)
      add(rule.otherwise, "otherwise", to: &lines)
      addConditions(rule.contradictedBy, "what would contradict it", to: &lines)
      addConditions(rule.doubtedBy, "what would doubt it", to: &lines)
      lines.add("then read as", rule.doubtedAs)
      lines.add("V1 says", rule.meaning.v1)
      lines.add("V2 says", rule.meaning.v2)
      lines.add("finding", rule.finding.map { "\($0.code): \($0.message)" })
      lines.add("trap", rule.note)
    }
  }

  private func add(_ readings: [Candidate], _ title: String, to lines: inout Lines) {
    for reading in readings {
      lines.add(title, "\(reading.event): needs \(reading.needs)")
      addConditions(reading.settledBy, "what would settle it", to: &lines)
      addConditions(reading.disprovedBy, "what would rule it out", to: &lines)
    }
  }

  /// `previousPeriodRunning: that period had not ended before the purchase`.
  private func meaning(ofFact name: String) -> String { rules.meaning(ofFact: name).map { "\(name): \($0)" } ?? name }

  /// Conditions over archive facts or facts of the record, each with what its facts mean.
  private func addConditions(_ conditions: [String], _ title: String, to lines: inout Lines) {
    for condition in conditions {
      let words = ArchiveFact.names(in: condition).map { name in
        let meaning = rules.archiveFacts.first { $0.name == name }?.meaning ?? rules.meaning(ofFact: name)
        return meaning.map { "\(name) (\($0))" } ?? name
      }
      lines.add(title, words.joined(separator: ", and "))
    }
  }

  /// A fact about the other messages of an archive, and the rows that it settles.
  func page(archive fact: FactEntry) -> Page {
    func uses(_ conditions: [String]) -> Bool {
      conditions.contains { ArchiveFact.names(in: $0).contains(fact.name) }
    }
    let rows = rules.types.filter { rule in uses(rule.settledBy) || rule.settleable.contains { uses($0.settledBy) } }
    let contradicted = rules.types.filter { uses($0.contradictedBy) }
    let doubted = rules.types.filter { uses($0.doubtedBy) }
    let disproved = rules.types.filter { $0.candidates.contains { uses($0.disprovedBy) } }
    return page(fact.name, summary: "an archive fact (convert --settle)", source: fact.source ?? "") { lines in
      lines.add("means", fact.meaning)
      for (place, row) in fact.rows.enumerated() {
        for (label, text) in row.described { lines.add(place == 0 ? label : "or \(label)", text) }
      }
      lines.add("settles", rows.map(\.id))
      lines.add("contradicts", contradicted.map(\.id))
      lines.add("doubts", doubted.map(\.id))
      lines.add("rules out in", disproved.map(\.id))
    }
  }

  /// A fact and the rows that depend on it.
  func page(_ fact: FactEntry) -> Page {
    let disproved = rules.types.filter { rule in
      rule.candidates.contains { $0.disprovedBy.contains { ArchiveFact.names(in: $0).contains(fact.name) } }
    }
    return page(fact.name, summary: "a fact of the decision table") { lines in
      lines.add("means", fact.meaning)
      lines.add("holds in", rules.types.filter { $0.all.contains(fact.name) }.map(\.id))
      lines.add("not in", rules.types.filter { $0.none.contains(fact.name) }.map(\.id))
      lines.add("rules out in", disproved.map(\.id))
    }
  }

  func page(_ event: ServerEvent) -> Page {
    page(
      event.id, summary: "(none) → \(event.shownEvent)", confidence: event.confidence, source: event.source
    ) { lines in
      lines.add(
        "V1",
        event.isSent ? "has messages for it; an archive may lack them" : "never sends it; expect it to be missing there"
      )
      lines.add("V2", event.shownEvent)
      lines.add("or", event.candidates.map(\.description))
      lines.add("trace in V1", event.trace)
      lines.add("timeline", event.test.map { "recognised by the test \($0.rawValue)" })
    }
  }

  func page(_ rule: StoreKitRule) -> Page {
    page(rule.id, summary: "\(rule.storekit) = \(rule.v2)", source: rule.source) { lines in
      lines.add("StoreKit", rule.storekit)
      lines.add("V2", rule.v2)
      lines.add("StoreKit says", rule.meaning.storekit)
      lines.add("V2 says", rule.meaning.v2)
      for value in rule.values { lines.add("value", "\(value.storekit) = \(value.v2)") }
    }
  }

  func page(_ differenceClass: DifferenceClass) -> Page {
    page(differenceClass.rawValue, summary: "a class of diff") { lines in
      lines.add("means", differenceClass.meaning)
      lines.add("relation", Relation.allCases.filter { $0.differenceClass == differenceClass }.map(\.rawValue))
      for rule in rules.comparing where rule.differenceClass == differenceClass { lines.add(rule.id, rule.meaning) }
      lines.add("fails", differenceClass == .conflict ? "always, unless ignored" : "only with --strict")
    }
  }

  func page(_ rule: ComparingRule) -> Page {
    page(
      rule.id, summary: "how unequal values are read", confidence: rule.confidence, source: rule.source
    ) { lines in
      lines.add("reading", rule.meaning)
      lines.add("class", rule.differenceClass.rawValue)
      lines.add("within", rule.milliseconds > 0 ? "\(rule.milliseconds) ms" : nil)
      lines.add("used by", rules.fields.filter { $0.comparing.compare == rule.way }.map(\.id))
    }
  }

  func page(_ rule: ReceiptAttributeRule) -> Page {
    let keys = rule.paths.joined(separator: ", ")
    let summary = "\(rule.name) → \(keys.isEmpty ? "(not shown)" : keys)"
    return page(rule.id, summary: summary, confidence: rule.confidence, source: rule.source) { lines in
      lines.add("attribute", "\(rule.type) of \(rule.isInApp ? "a purchase in an app receipt" : "an app receipt")")
      lines.add("is", rule.name)
      lines.add("written as", rule.encoding.rawValue)
      lines.add("V1", keys.isEmpty ? "verifyReceipt does not show it; inspect does" : keys)
      lines.add("V2", rules.targets(of: rule))
      lines.add("trap", rule.note)
    }
  }

  func page(_ era: Era) -> Page {
    page("era \(era.id)", summary: era.date, confidence: era.confidence, source: era.source) { lines in
      lines.add("from", era.date)
      lines.add("change", era.change)
      lines.add("effect", era.effect)
    }
  }

  func page(_ finding: (code: String, message: String, isWarning: Bool)) -> Page {
    page(finding.code, summary: "a finding of convert" + (finding.isWarning ? ", a warning" : "")) { lines in
      lines.add("means", finding.message)
      let isInStore = [RepeatFinding.repeatDiffers, .repeatUndecided].contains { $0.rawValue == finding.code }
      let places = isInStore ? "; for a store, its table findings" : ""
      lines.add("where", "convert --provenance FILE names record and path" + places)
    }
  }

  func page(_ entry: ValueEntry) -> Page {
    page("\(entry.of) = \(entry.value)", summary: "a value of \(entry.vocabulary)", source: entry.source) { lines in
      lines.add("meaning", entry.meaning)
    }
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

extension Explainer {
  /// A page with some lines; after them it says how well its subject is known, and which documents it cites.
  func page(
    _ title: String, summary: String, confidence: Confidence? = nil, source: String = "",
    _ addLines: (inout Lines) -> Void
  ) -> Page {
    var lines = Lines(rules)
    addLines(&lines)
    lines.add("confidence", confidence?.rawValue)
    for citation in rules.citations(source) { lines.add("source", citation.description) }
    return Page(title: title, summary: summary, lines: lines.lines)
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

  mutating func add(_ label: String, _ words: [String]) { add(label, words.joined(separator: ", ")) }

  /// What the values of these names mean.
  mutating func add(values names: [String], vocabulary: String) {
    var seen: Set<String> = []
    for name in names where seen.insert(name).inserted {
      for entry in rules.values where entry.of == name && entry.vocabulary == vocabulary {
        add("value", "\(name) \(entry.value): \(entry.meaning)")
      }
    }
  }
}
