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
    let exact = pages(named: name)
    guard exact.isEmpty, name.contains(".") else { return exact }
    // A path as reports print it: the rule of its object, else whatever speaks of its last name.
    let steps = name.split(separator: ".").map { $0.prefix { $0 != "[" } }.map(String.init)
    let objects = [
      "transactionInfo": "transaction", "transactions": "transaction", "renewalInfo": "renewal",
      "latest_receipt_info": "transaction", "in_app": "transaction", "pending_renewal_info": "renewal",
    ]
    let last = steps.last ?? ""
    let family = steps.dropLast().last.flatMap { objects[$0] }
    let own =
      family.map { family in rules.fields.filter { $0.family == family && matches($0, last.lowercased()) } } ?? []
    return own.isEmpty ? pages(named: last) : own.map(page)
  }

  private func pages(named name: String) -> [Page] {
    let wanted = name.lowercased()
    var pages: [Page] = []
    pages += rules.fields.filter { matches($0, wanted) }.map(page)
    let types = rules.types.filter { matches($0, wanted) }
    let isOwn = { (rule: TypeRule) in rule.id.lowercased() == wanted || rule.type.lowercased() == wanted }
    pages += (types.filter(isOwn) + types.filter { !isOwn($0) }).map(page)
    pages += rules.serverEvents.filter { matches($0.id, $0.event, wanted) }.map(page)
    pages += groupingPages(for: wanted)
    pages += rules.decisions.filter { $0.id.lowercased() == wanted || wanted == "decisions" }.map(page)
    pages += rules.storekit.filter { matches($0, wanted) }.map(page)
    pages += DifferenceClass.allCases.filter { $0.rawValue.lowercased() == wanted }.map(page)
    pages += rules.comparing.filter { [$0.id, $0.way.rawValue].contains(wanted) }.map(page)
    pages += rules.receiptAttributes.filter { [$0.id, "\($0.type)"].contains(wanted) }.map(page)
    pages += rules.eras.filter { [$0.id, "before:\($0.id)", "from:\($0.id)"].contains(wanted) }.map(page)
    pages += rules.findings.filter { $0.code.lowercased() == wanted }.map { page($0) }
    pages += wordPages(for: name)
    // Pages of fields list their values already.
    let values = rules.values.filter { matches($0, wanted) }
    if pages.isEmpty || wanted.contains("=") { pages += values.map(page) }
    if !pages.isEmpty { return pages }
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
    for event in rules.serverEvents {
      names.formUnion([event.id, event.event.description, event.event.notificationType])
      names.formUnion([event.event.subtype].compactMap(\.self))
    }
    names.formUnion(groupingNames)
    names.formUnion(["decisions"] + rules.decisions.map(\.id))
    names.formUnion(rules.storekit.flatMap { [$0.id, $0.storekit] + $0.values.map(\.storekit) })
    names.formUnion(rules.comparing.map(\.id))
    names.formUnion(rules.receiptAttributes.map(\.id))
    names.formUnion(rules.eras.map(\.id))
    names.formUnion(rules.facts.map(\.name) + rules.archiveFacts.map(\.name))
    names.formUnion(rules.findings.map(\.code))
    names.formUnion(rules.words.flatMap { [$0.of] + $0.words.map(\.name) })
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
    let names = [rule.id, rule.to ?? "", Self.last(rule.to ?? "")] + rule.from + rule.from.map(Self.last)
    return names.contains { $0.lowercased() == wanted }
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
    let isNumber = entry.value.allSatisfy { $0.isNumber }
    return entry.of.lowercased() == wanted || "\(entry.of)=\(entry.value)".lowercased() == wanted
      || Self.last(entry.of).lowercased() == wanted
      || (entry.value.lowercased() == wanted && (!isNumber || entry.value.count >= 5))
  }
}
