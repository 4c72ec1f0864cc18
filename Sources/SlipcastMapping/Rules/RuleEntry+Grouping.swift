@_spi(Slipcast) internal import SlipcastWire

extension RuleEntry {
  /// A grouping entry is known by its members: a window has a length, the strength an order, all others are pairs.
  func addGrouping(to grouping: inout GroupingRules, isOverlay: Bool) throws(MappingError) -> String {
    let id = try text("id")
    guard id.hasPrefix("grouping.") else { throw fault("expected an id \"grouping.<name>\"") }
    if element["milliseconds"] != nil {
      try put(try groupingWindow(id), \.id, into: &grouping.windows, isOverlay)
    } else if element["order"] != nil {
      guard isOverlay || grouping.strength == nil else { throw fault("there is an order of strength already") }
      grouping.strength = try groupingStrength(id)
    } else {
      try put(try groupingPair(id), \.id, into: &grouping.pairs, isOverlay)
    }
    return id
  }

  private func put<Rule>(
    _ rule: Rule, _ id: (Rule) -> String, into rules: inout [Rule], _ isOverlay: Bool
  ) throws(MappingError) {
    if let known = rules.firstIndex(where: { id($0) == id(rule) }) {
      guard isOverlay else { throw fault("this id is taken by another rule") }
      rules[known] = rule
    } else {
      // A user's own rule comes before the built-in ones, as in the decision table.
      rules.insert(rule, at: isOverlay ? 0 : rules.count)
    }
  }

  private func groupingWindow(_ id: String) throws(MappingError) -> GroupingWindow {
    try only(["id", "milliseconds", "meaning", "confidence", "source"])
    // A year: longer windows would hold whole subscriptions in memory.
    guard let milliseconds = element["milliseconds"]?.integer, (0...31_536_000_000).contains(milliseconds) else {
      throw fault("\"milliseconds\" is a number from 0 to 31536000000")
    }
    return GroupingWindow(
      id: id, milliseconds: milliseconds, meaning: try text("meaning"), confidence: try confidence(),
      source: try text("source"))
  }

  private func groupingStrength(_ id: String) throws(MappingError) -> GroupingStrength {
    try only(["id", "order", "meaning", "confidence", "source"])
    let order = try texts("order").map { $0.split(separator: " ").map(String.init) }
    guard !order.isEmpty else { throw fault("expected an array of strings \"order\"") }
    return GroupingStrength(
      id: id, order: order, meaning: try text("meaning"), confidence: try confidence(), source: try text("source"))
  }

  private func groupingPair(_ id: String) throws(MappingError) -> GroupingPair {
    try only(["id", "lead", "companion", "if", "window", "to", "meaning", "confidence", "source"])
    let lead = try text("lead")
    var conditions: [GroupingPair.Condition] = []
    for word in try texts("if") {
      guard let condition = GroupingPair.Condition(rawValue: word) else {
        throw fault("\"if\": \"\(word)\" is none of \(words(GroupingPair.Condition.self))")
      }
      conditions.append(condition)
    }
    let companion = element["companion"] == nil ? lead : try text("companion")
    return GroupingPair(
      id: id, lead: lead.split(separator: " ").map(String.init),
      companion: companion.split(separator: " ").map(String.init), conditions: conditions,
      window: element["window"] == nil ? GroupingWindow.usual : try text("window"), to: try texts("to").map(event),
      meaning: try text("meaning"), confidence: try confidence(), source: try text("source"))
  }
}
