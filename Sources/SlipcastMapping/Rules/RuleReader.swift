@_spi(Slipcast) internal import SlipcastWire

/// Reads one rule file into a rule set; collects every fault instead of stopping at the first.
struct RuleReader {
  let file: String
  let isOverlay: Bool

  func read(_ bytes: [UInt8], into rules: inout RuleSet, _ errors: inout [MappingError]) {
    let text = JSONBuffer(bytes)
    let reader = JSONReader(names: [])
    do throws(JSONError) {
      read(JSONElement(tape: try reader.read(text.base, count: text.count)), into: &rules, &errors)
    } catch {
      errors.append(fault(bytes.prefix(error.offset), nil, "\(error)"))
    }
  }

  private func fault(_ before: some Collection<UInt8>, _ rule: String?, _ message: String) -> MappingError {
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let column = before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
    return MappingError(file: file, line: line, column: column, rule: rule, message: message)
  }

  func fault(_ element: JSONElement, _ rule: String?, _ message: String) -> MappingError {
    let start = element.tape.range(element.index).lowerBound
    return fault(UnsafeBufferPointer(start: element.tape.bytes, count: start), rule, message)
  }

  private func read(_ root: JSONElement, into rules: inout RuleSet, _ errors: inout [MappingError]) {
    guard let family = root["family"]?.string else {
      return errors.append(fault(root, nil, "expected an object with a string \"family\""))
    }
    let lists = ["eras": "eras", "sources": "sources", "server-events": "events", "values": "values", "facts": "facts"]
    guard RuleSet.families.contains(family) else {
      let names = RuleSet.families.joined(separator: ", ")
      let hint = RuleCheck.suggestion(family, RuleSet.families)
      return errors.append(fault(root, nil, "\"family\" is none of \(names)\(hint)"))
    }
    let list = lists[family] ?? "rules"
    guard let items = root[list], items.kind == .array else {
      return errors.append(fault(root, nil, "expected an array \"\(list)\""))
    }
    var newTypes: [TypeRule] = []
    for item in items.children {
      do throws(MappingError) {
        let entry = RuleEntry(reader: self, element: item, family: family)
        switch family {
        case "sources": rules.sources.append(try entry.source())
        case "eras": rules.eras.append(try entry.era())
        case "server-events":
          for event in try entry.serverEvents() { try add(event, to: \.serverEvents, by: \.id, item, &rules) }
        case "grouping": try addGrouping(entry, item, &rules)
        case "decisions": try add(try entry.decisionRule(), to: \.decisions, by: \.id, item, &rules)
        case "facts": rules.facts.append(try entry.fact())
        case "values": rules.values.append(contentsOf: try entry.values())
        case "receipt-attributes":
          try add(try entry.receiptAttributeRule(), to: \.receiptAttributes, by: \.id, item, &rules)
        case "comparing": add(try entry.comparingRule(), &rules)
        case "storekit": rules.storekit.append(try entry.storeKitRule())
        case "notification-types": try add(try entry.typeRule(), item, &rules, &newTypes)
        default: try add(try entry.fieldRule(), to: \.fields, by: \.id, item, &rules)
        }
      } catch {
        errors.append(error)
      }
    }
    rules.types.insert(contentsOf: newTypes, at: isOverlay ? 0 : rules.types.count)
  }

  /// Adds a rule that is known by its id; an overlay's takes the place of the one that has it.
  private func add<Rule>(
    _ rule: Rule, to list: WritableKeyPath<RuleSet, [Rule]>, by key: KeyPath<Rule, String>,
    _ item: JSONElement, _ rules: inout RuleSet
  ) throws(MappingError) {
    let id = rule[keyPath: key]
    if let known = rules[keyPath: list].firstIndex(where: { $0[keyPath: key] == id }) {
      guard isOverlay else { throw fault(item, id, "this id is taken by another rule") }
      if let before = rules[keyPath: list][known] as? FieldRule { rules.replaced.append(before) }
      rules[keyPath: list][known] = rule
    } else {
      rules[keyPath: list].append(rule)
    }
    rules.places[id] = fault(item, id, "")
    if isOverlay { rules.overlaid.insert(id) }
  }

  private func addGrouping(
    _ entry: RuleEntry, _ item: JSONElement, _ rules: inout RuleSet
  ) throws(MappingError) {
    let id = try entry.addGrouping(to: &rules.grouping, isOverlay: isOverlay)
    rules.places[id] = fault(item, id, "")
    if isOverlay { rules.overlaid.insert(id) }
  }

  private func add(_ rule: ComparingRule, _ rules: inout RuleSet) {
    if let known = rules.comparing.firstIndex(where: { $0.way == rule.way }) {
      rules.comparing[known] = rule
    } else {
      rules.comparing.append(rule)
    }
    if isOverlay { rules.overlaid.insert(rule.id) }
  }

  private func add(
    _ rule: TypeRule, _ item: JSONElement, _ rules: inout RuleSet, _ new: inout [TypeRule]
  ) throws(MappingError) {
    if let known = rules.types.firstIndex(where: { $0.id == rule.id }) {
      guard isOverlay else { throw fault(item, rule.id, "this id is taken by another rule") }
      rules.types[known] = rule
    } else if new.contains(where: { $0.id == rule.id }) {
      throw fault(item, rule.id, "this id is taken by another rule")
    } else {
      new.append(rule)
    }
    rules.places[rule.id] = fault(item, rule.id, "")
    if isOverlay { rules.overlaid.insert(rule.id) }
  }
}

extension RuleSet {
  /// The families of rule files.
  public static let families = [
    "sources", "eras", "facts", "transaction", "renewal", "notification", "receipt", "statuses", "notification-types",
    "decisions", "server-events", "grouping", "comparing", "storekit", "receipt-attributes", "values",
  ]
}
