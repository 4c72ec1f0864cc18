internal import SlipcastWire

/// Answers what a name means, from the rules: a V1 key, a V2 field, a type, a rule, an era, a finding or a value.
public struct Explainer: Sendable {
  let rules: RuleSet

  /// Explains from these rules.
  public init(rules: RuleSet) { self.rules = rules }

  /// One answer: a heading and lines of label and text.
  public struct Page: Hashable, Sendable {
    /// The rule's id, the era's or the value's name.
    public var title: String
    /// One line that says what it is: `price_consent_status → priceIncreaseStatus`.
    public var summary: String
    /// Labels and texts in order; a text is never empty.
    public var lines: [Line]

    package init(title: String, summary: String, lines: [Line]) {
      (self.title, self.summary, self.lines) = (title, summary, lines)
    }

    /// A labelled text.
    public struct Line: Hashable, Sendable {
      /// What the text is: `V1 says`, `relation`, `source`.
      public var label: String
      /// The text.
      public var text: String

      package init(label: String, text: String) { (self.label, self.text) = (label, text) }
    }
  }

  /// All pages that speak of a name, most specific first; empty when none does.
  ///
  /// - Parameter name: a key, field, type, `TYPE/SUBTYPE`, rule id, era id, value, `field=value`, or the code of a
  ///   finding.
  public func pages(for name: String) -> [Page] {
    if name.isEmpty { return [] }
    let exact = pages(named: name)
    guard exact.isEmpty, name.contains(".") || name.contains("[") else { return exact }
    // A path as reports print it: the rule of the field or of the object around it, else whatever speaks of its last name.
    let steps = name.split(separator: ".").map { $0.prefix { $0 != "[" } }.map(String.init)
    let objects = [
      "transactionInfo": "transaction", "transactions": "transaction", "renewalInfo": "renewal",
      "latest_receipt_info": "transaction", "in_app": "transaction", "pending_renewal_info": "renewal",
    ]
    let object = steps.dropLast().lastIndex { objects[$0] != nil }
    let own = fields(at: Array(steps[(object.map { $0 + 1 } ?? 0)...]), of: object.flatMap { objects[steps[$0]] })
    return own.isEmpty ? pages(named: steps.last ?? "") : own.map(page)
  }

  /// The rules about a field inside an object of a family, or else about the object that it is in, however deep.
  private func fields(at steps: [String], of family: String?) -> [FieldRule] {
    for length in stride(from: steps.count, to: 0, by: -1) {
      let path = steps.prefix(length).joined(separator: ".").lowercased()
      let found = rules.fields.filter { rule in
        if length == steps.count { return rule.family == family && matches(rule, path) }
        return (family ?? rule.family) == rule.family && rule.to?.lowercased() == path && coversMembers(rule)
      }
      if !found.isEmpty { return found }
    }
    return []
  }

  /// The rule is about an object whose members have no rules of their own.
  private func coversMembers(_ rule: FieldRule) -> Bool {
    guard let to = rule.to, RuleSet.kind(family: rule.family, to: to)?.isContainer == true else { return false }
    return !rules.fields.contains { $0.family == rule.family && $0.to?.hasPrefix(to + ".") == true }
  }

  private func pages(named name: String) -> [Page] {
    let wanted = name.lowercased()
    var pages: [Page] = []
    pages += rules.fields.filter { matches($0, wanted) }.map(page)
    let types = rules.types.filter { matches($0, wanted) }
    let isOwn = { (rule: TypeRule) in rule.id.lowercased() == wanted || rule.type.lowercased() == wanted }
    pages += (types.filter(isOwn) + types.filter { !isOwn($0) }).map(page)
    pages += rules.tracedEvents.filter { matches($0.id, $0.event, wanted) }.map(page)
    pages += groupingPages(for: wanted)
    pages += rules.decisions.filter { $0.id.lowercased() == wanted || wanted == "decisions" }.map(page)
    pages += rules.storekit.filter { matches($0, wanted) }.map(page)
    pages += DifferenceClass.allCases.filter { $0.rawValue.lowercased() == wanted }.map(page)
    pages += rules.comparing.filter { [$0.id, $0.way.rawValue].contains(wanted) }.map(page)
    pages += rules.receiptAttributes.filter { [$0.id, "\($0.type)"].contains(wanted) }.map(page)
    pages += inversePages(for: wanted)
    pages += rules.eras.filter { era in ["", "before:", "from:"].contains { ($0 + era.id).lowercased() == wanted } }
      .map(page)
    pages += rules.findings.filter { $0.code.lowercased() == wanted }.map { page($0) }
    // Pages of fields list their values already; one of Slipcast's own words may be spelled as a value.
    let values = rules.values.filter { matches($0, wanted) }
    let isOnlyWord = pages.isEmpty
    pages += wordPages(for: name)
    if isOnlyWord || wanted.contains("=") { pages += values.map(page) }
    if !pages.isEmpty { return pages }
    let members = memberPages(for: wanted)
    if !members.isEmpty { return members }
    return rules.facts.filter { $0.name.lowercased() == wanted }.map { page($0 as FactEntry) }
      + rules.archiveFacts.filter { $0.name.lowercased() == wanted }.map { page(archive: $0) } as [Page]
  }

  /// Every name of the rules that `pages(for:)` knows, without repetition, sorted; numbers and values of several words
  /// left out.
  public var names: [String] {
    var names: Set<String> = []
    for rule in rules.fields {
      names.insert(rule.id)
      if let to = rule.to { names.insert(Self.last(to)) }
      for key in rule.from { names.insert(Self.last(key)) }
    }
    for rule in rules.types {
      names.formUnion([rule.id, rule.type, rule.to.notificationType])
      names.formUnion(rule.events.map(\.description) + rule.events.compactMap(\.subtype))
    }
    for event in rules.tracedEvents {
      names.formUnion([event.id, event.event.description, event.event.notificationType])
      names.formUnion([event.event.subtype].compactMap(\.self))
    }
    names.formUnion(groupingNames)
    names.formUnion(["decisions"] + rules.decisions.map(\.id))
    names.formUnion(rules.storekit.flatMap { [$0.id, $0.storekit] + $0.values.map(\.storekit) })
    names.formUnion(rules.comparing.map(\.id))
    names.formUnion(rules.receiptAttributes.map(\.id))
    names.formUnion(inverseNames)
    names.formUnion(rules.eras.map(\.id))
    names.formUnion(rules.facts.map(\.name) + rules.archiveFacts.map(\.name))
    names.formUnion(rules.findings.map(\.code))
    names.formUnion(rules.words.flatMap { [$0.of] + $0.words.map(\.name) })
    names.formUnion(memberNames)
    names.formUnion(rules.values.map(\.of))
    let words = rules.values.map(\.value).filter { $0.contains(where: \.isLetter) && !$0.contains(" ") }
    names.formUnion(words.filter { !pages(named: $0).isEmpty })
    names.remove("*")
    return names.sorted()
  }

  /// The values of a field that something is known of, each once.
  package func values(of field: String) -> [String] {
    let wanted = field.lowercased()
    var values: [String] = []
    for entry in rules.values
    where [entry.of.lowercased(), Self.last(entry.of).lowercased()].contains(wanted) && !values.contains(entry.value) {
      values.append(entry.value)
    }
    return values
  }

  static func last(_ path: String) -> String { path.parts(at: ".").last ?? path }

  // MARK: matching

  private func matches(_ rule: FieldRule, _ wanted: String) -> Bool {
    let paths = [rule.to].compactMap(\.self) + rule.from
    return rule.id.lowercased() == wanted
      || paths.contains { [$0, Self.last($0)].map { $0.lowercased() }.contains(wanted) }
  }

  private func matches(_ rule: TypeRule, _ wanted: String) -> Bool {
    rule.id.lowercased() == wanted || rule.type.lowercased() == wanted
      || rule.events.contains { matches("", $0, wanted) }
  }

  private func matches(_ id: String, _ event: EventName, _ wanted: String) -> Bool {
    id.lowercased() == wanted || event.description.lowercased() == wanted
      || event.notificationType.lowercased() == wanted
      || event.subtype?.lowercased() == wanted
  }

  private func matches(_ rule: StoreKitRule, _ wanted: String) -> Bool {
    ([rule.id, rule.storekit, rule.v2] + rule.values.map(\.storekit)).contains { $0.lowercased() == wanted }
  }

  private func matches(_ entry: ValueEntry, _ wanted: String) -> Bool {
    let parts = wanted.parts(at: "=", maxSplits: 1)
    if parts.count == 2, entry.value.lowercased() == parts[1] {
      // A V1 key has the values of the V2 field that its rule fills.
      let filled = rules.fields.filter { matches($0, parts[0]) }.compactMap { $0.to.map(Self.last) }
      let names = [parts[0]] + filled.map { $0.lowercased() }
      if names.contains(Self.last(entry.of).lowercased()) || names.contains(entry.of.lowercased()) { return true }
    }
    let isNumber = entry.value.allSatisfy { $0.isNumber }
    return entry.of.lowercased() == wanted || Self.last(entry.of).lowercased() == wanted
      || (entry.value.lowercased() == wanted && (!isNumber || entry.value.count >= 5))
  }
}
