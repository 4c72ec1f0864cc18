@_spi(Slipcast) internal import SlipcastWire

extension RuleEntry {
  /// A grouping entry is known by its members: the strength has an order, all others are pairs.
  func addGrouping(to grouping: inout GroupingRules, isOverlay: Bool) -> String {
    let id = text("id")
    if let id, !id.hasPrefix("grouping.") { fault("expected an id \"grouping.<name>\"", at: "id") }
    let name = id ?? substituteID
    if element["milliseconds"] != nil {
      let hint = "a window is a parameter of the decisions; write it into a file of the family \"decisions\""
      fault("\(hint), with an id \"decision.window.<name>\"", at: "milliseconds")
    } else if element["order"] != nil {
      let strength = groupingStrength(name)
      if !isOverlay, grouping.strength != nil { fault("there is an order of strength already") }
      // Without its order every pair would seem to lack a strength.
      if let strength { grouping.strength = strength }
    } else {
      let (pair, known) = (groupingPair(name), grouping.pairs.firstIndex { $0.id == name })
      if let known {
        if isOverlay { grouping.pairs[known] = pair } else { fault("another entry has this id", at: "id") }
      } else {
        // A user's own pair comes before the built-in ones, as in the decision table.
        grouping.pairs.insert(pair, at: isOverlay ? 0 : grouping.pairs.count)
      }
    }
    return name
  }

  private func groupingStrength(_ id: String) -> GroupingStrength? {
    only(["id", "order", "meaning", "confidence", "source"])
    let before = errors.count
    let order = texts("order").map { $0.parts(at: " ") }
    if order.isEmpty, errors.count == before { fault("expected an array of strings \"order\"", at: "order") }
    let isReadable = errors.count == before
    let strength = GroupingStrength(
      id: id, order: order, meaning: text("meaning") ?? "", confidence: confidence(), source: text("source") ?? "")
    return isReadable ? strength : nil
  }

  private func groupingPair(_ id: String) -> GroupingPair {
    only(["id", "lead", "companion", "if", "window", "to", "meaning", "note", "confidence", "source"])
    let lead = text("lead") ?? ""
    var conditions: [GroupingPair.Condition] = []
    for word in texts("if") {
      let condition = GroupingPair.Condition(rawValue: word)
      if condition == nil { fault("\"if\": \"\(word)\" is not one of \(words(GroupingPair.Condition.self))", at: "if") }
      conditions += [condition].compactMap(\.self)
    }
    let companion = element["companion"] == nil ? lead : text("companion") ?? ""
    let usual = DecisionName.action.rawValue
    return GroupingPair(
      id: id, lead: lead.parts(at: " "),
      companion: companion.parts(at: " "), conditions: conditions,
      window: element["window"] == nil ? usual : text("window") ?? usual,
      to: texts("to").map(event), meaning: text("meaning") ?? "", note: optionalText("note"),
      confidence: confidence(), source: text("source") ?? "")
  }
}
