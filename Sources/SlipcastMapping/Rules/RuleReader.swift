@_spi(Slipcast) internal import SlipcastWire

/// Reads one rule file; collects every error instead of stopping at the first.
struct RuleReader {
  let file: String
  let isOverlay: Bool
  /// Also finds what does not stop a rule from being read: unknown members, and ids that come twice.
  private let isChecked: Bool

  init(file: String, isOverlay: Bool, isChecked: Bool = true) {
    (self.file, self.isOverlay, self.isChecked) = (file, isOverlay, isChecked)
  }

  func read(_ bytes: [UInt8], into rules: inout ReadRules, _ errors: inout [MappingError]) {
    let buffer = JSONBuffer(bytes)
    let text = RuleText(file: file, bytes: buffer.bytes)
    let reader = JSONReader(names: [])
    do throws(JSONError) {
      let root = JSONElement(tape: try reader.read(buffer))
      read(root, text, into: &rules, &errors)
    } catch {
      errors.append(text.error(error.message, at: error.offset))
      rules.unread.append(text)
    }
  }

  private func read(_ root: JSONElement, _ text: RuleText, into rules: inout ReadRules, _ errors: inout [MappingError])
  {
    guard let items = items(of: root, text, &errors) else { return rules.unread.append(text) }
    let family = root["family"]?.string ?? ""
    if let event = root["event"], family == Self.typesFamily, !isOverlay { add(event, text, to: &rules, &errors) }
    var newTypes: [TypeRule] = []
    defer { insert(newTypes, into: &rules) }
    for item in items {
      guard item.kind == .object else {
        errors.append(text.error("expected an object, found \(item.kind.description)", at: item.offset))
        continue
      }
      let entry = RuleEntry(item, in: text, family: family, isChecked: isChecked)
      let ids = add(entry, to: &rules, &newTypes)
      if isChecked { note(item, ids, of: entry, in: &rules) }
      guard !entry.errors.isEmpty else { continue }
      errors += entry.errors
      rules.unread.append(item.json, family: family)
      rules.faulty.formUnion(ids)
    }
  }

  /// Notes what checks need to know of an entry.
  private func note(_ item: JSONElement, _ ids: [String], of entry: RuleEntry, in rules: inout ReadRules) {
    let location = RuleLocation(text: entry.file, rule: entry.rule, offset: entry.offset)
    for id in ids { rules.locations[id] = location }
    if let source = item["source"]?.string { rules.cited.append((source, location)) }
  }

  private static let typesFamily = "notification-types"

  /// Adds the V1 type that a file is about.
  private func add(_ event: JSONElement, _ text: RuleText, to rules: inout ReadRules, _ errors: inout [MappingError]) {
    let entry = RuleEntry(event, in: text, family: Self.typesFamily, isChecked: isChecked)
    if let type = LegacyTypeEntry(entry) { put(type, into: &rules.legacyTypes) { $0.name == $1.name } }
    errors += entry.errors
  }

  /// A user's own rows come before the built-in ones: those of a type before all, those of any other type before theirs.
  private func insert(_ new: [TypeRule], into rules: inout ReadRules) {
    guard isOverlay else { return rules.types.append(contentsOf: new) }
    let anyOther = LegacyTypeEntry.anyOther
    let others = rules.types.firstIndex { $0.type == anyOther } ?? rules.types.count
    rules.types.insert(contentsOf: new.filter { $0.type == anyOther }, at: others)
    rules.types.insert(contentsOf: new.filter { $0.type != anyOther }, at: 0)
  }

  /// The entries of a file; `nil`, with an error, when it is not a rule file.
  private func items(of root: JSONElement, _ text: RuleText, _ errors: inout [MappingError]) -> [JSONElement]? {
    guard let family = root["family"]?.string else {
      errors.append(text.error("expected an object with a string \"family\"", at: (root["family"] ?? root).offset))
      return nil
    }
    guard RuleSet.families.contains(family) else {
      let names = RuleSet.families.joined(separator: ", ")
      let hint = RuleCheck.suggestion(family, RuleSet.families)
      errors.append(text.error("\"family\" is not one of \(names)\(hint)", at: (root["family"] ?? root).offset))
      return nil
    }
    let lists = [
      "eras": "eras", "sources": "sources", "server-events": "events", "values": "values", "facts": "facts",
      "archive-facts": "facts",
      "words": "words",
    ]
    let list = lists[family] ?? "rules"
    var members = ["family", list, "from", "to"]
    if family == Self.typesFamily, !isOverlay { members.append("event") }
    for child in root.children where !members.contains(child.name) {
      let hint = RuleCheck.suggestion(child.name, members)
      errors.append(text.error("unknown key \"\(child.name)\"\(hint)", at: child.offset))
    }
    guard let items = root[list], items.kind == .array else {
      errors.append(text.error("expected an array \"\(list)\"", at: (root[list] ?? root).offset))
      return nil
    }
    return items.children
  }

  /// Adds what an entry describes, as far as it can be read, and returns the names that `RuleCheck` has for it.
  private func add(_ entry: RuleEntry, to rules: inout ReadRules, _ newTypes: inout [TypeRule]) -> [String] {
    switch entry.family {
    case "sources": put(entry.source(), into: &rules.sources) { $0.key == $1.key }
    case "facts": if let fact = entry.fact() { put(fact, into: &rules.facts) { $0.name == $1.name } }
    case "archive-facts":
      guard let fact = entry.archiveFact() else { break }
      put(fact, into: &rules.archiveFacts) { $0.name == $1.name }
      return ["\(entry.family).\(fact.name)"]
    case "values": for value in entry.values() { put(value, into: &rules.values) { $0.isOf($1) } }
    case "words": put(entry.wordFamily(), into: &rules.words) { $0.of == $1.of }
    case "eras": return [add(entry.era(), to: \.eras, by: \.id, entry, &rules)]
    case "storekit": return [add(entry.storeKitRule(), to: \.storekit, by: \.id, entry, &rules)]
    case "server-events": return entry.serverEvents().map { add($0, to: \.tracedEvents, by: \.id, entry, &rules) }
    case "grouping":
      let id = entry.addGrouping(to: &rules.grouping, isOverlay: isOverlay)
      noteOverlaid(id, entry, &rules)
      return [id]
    case "receipt-attributes":
      return [entry.receiptAttributeRule()].compactMap(\.self)
        .map { add($0, to: \.receiptAttributes, by: \.id, entry, &rules) }
    case "verify-receipt":
      return [entry.inverseRule()].compactMap(\.self).map { add($0, to: \.inverse, by: \.id, entry, &rules) }
    case "decisions": return [add(entry.decisionRule(), to: \.decisions, by: \.id, entry, &rules)]
    case "comparing":
      return [entry.comparingRule()].compactMap(\.self).map { add($0, to: \.comparing, by: \.id, entry, &rules) }
    case "notification-types": return [add(entry.typeRule(), entry, to: &rules, new: &newTypes)]
    default: return [add(entry.fieldRule(), to: \.fields, by: \.id, entry, &rules)]
    }
    return []
  }

  /// Of two entries of users with one id only one could apply, and nothing would say which.
  private func noteOverlaid(_ id: String, _ entry: RuleEntry, _ rules: inout ReadRules) {
    if isOverlay, !rules.overlaid.insert(id).inserted { entry.fault(Self.isKnown, at: "id") }
  }

  private static let isKnown = "another entry has this id"

  /// Adds an entry that is known by its id; an overlay's takes the place of the one that has it.
  private func add<Rule>(
    _ rule: Rule, to list: WritableKeyPath<ReadRules, [Rule]>, by key: KeyPath<Rule, String>,
    _ entry: RuleEntry, _ rules: inout ReadRules
  ) -> String {
    let id = rule[keyPath: key]
    if isChecked, let known = rules[keyPath: list].firstIndex(where: { $0[keyPath: key] == id }) {
      guard isOverlay else {
        entry.fault(Self.isKnown, at: "id")
        return id
      }
      if let before = rules[keyPath: list][known] as? FieldRule { rules.replaced.append(before) }
      rules[keyPath: list][known] = rule
    } else {
      rules[keyPath: list].append(rule)
    }
    noteOverlaid(id, entry, &rules)
    return id
  }

  /// Adds an entry that is not a rule; an overlay's takes the place of the one about the same.
  private func put<Entry>(_ entry: Entry, into list: inout [Entry], where isSame: (Entry, Entry) -> Bool) {
    let known = isOverlay ? list.firstIndex { isSame($0, entry) } : nil
    if let known { list[known] = entry } else { list.append(entry) }
  }

  private func add(
    _ rule: TypeRule, _ entry: RuleEntry, to rules: inout ReadRules, new: inout [TypeRule]
  ) -> String {
    let known = isChecked ? rules.types.firstIndex { $0.id == rule.id } : nil
    if let known, isOverlay {
      rules.types[known] = rule
    } else if known != nil || isChecked && !isOverlay && new.contains(where: { $0.id == rule.id }) {
      entry.fault(Self.isKnown, at: "id")
    } else {
      new.append(rule)
    }
    noteOverlaid(rule.id, entry, &rules)
    return rule.id
  }
}

extension RuleFile {
  /// Reads a built-in file.
  func read(into rules: inout ReadRules, _ errors: inout [MappingError], isChecked: Bool = false) {
    RuleReader(file: name + ".json", isOverlay: false, isChecked: isChecked).read(bytes, into: &rules, &errors)
  }

  /// Reads a built-in file that is known to be without errors: a test reads them all.
  func read(into rules: inout ReadRules) {
    var errors: [MappingError] = []
    read(into: &rules, &errors)
    assert(errors.isEmpty)
  }
}

extension RuleSet {
  /// What is wrong with a user's file by itself, whatever rules it is laid over: tests of many files ask first.
  package static func errors(in bytes: [UInt8], of file: String) -> [MappingError] {
    var (read, errors) = (ReadRules(), [MappingError]())
    RuleReader(file: file, isOverlay: true).read(bytes, into: &read, &errors)
    return errors
  }

  /// The families of rule files.
  public static let families = [
    "sources", "eras", "facts", "archive-facts", "transaction", "renewal", "notification", "receipt", "statuses",
    "app-transaction",
    "notification-types", "decisions", "server-events", "grouping", "comparing", "storekit", "receipt-attributes",
    "verify-receipt",
    "values", "words",
  ]
}
