extension Explainer {
  /// Pages about grouping: by id, or all that speak of a V1 type or of `grouping`.
  func groupingPages(for wanted: String) -> [Page] {
    let grouping = rules.grouping
    let pairs = grouping.pairs.filter { $0.id.lowercased() == wanted || wanted == "grouping" }
    var pages: [Page] = []
    if let strength = grouping.strength, [strength.id.lowercased(), "grouping"].contains(wanted) {
      pages.append(page(strength))
    }
    return pages + pairs.map(page)
  }

  /// The names that `groupingPages` knows.
  var groupingNames: [String] {
    let grouping = rules.grouping
    return ["grouping"] + grouping.pairs.map(\.id)
      + [grouping.strength?.id].compactMap(\.self)
  }

  private func page(_ strength: GroupingStrength) -> Page {
    var lines = Lines(rules)
    for (place, types) in strength.order.enumerated() { lines.add("\(place + 1)", types.joined(separator: ", ")) }
    lines.add("last", "any of them about an upgraded period")
    lines.add("alone", "all others: they neither absorb nor are absorbed")
    lines.add("means", strength.meaning)
    lines.add("confidence", strength.confidence.rawValue)
    lines.add(source: strength.source)
    return Page(title: strength.id, summary: "which message of a group leads", lines: lines.lines)
  }

  private func page(_ pair: GroupingPair) -> Page {
    var lines = Lines(rules)
    lines.add("leads", pair.lead.joined(separator: ", "))
    lines.add("absorbs", pair.companion.joined(separator: ", "))
    lines.add("within", "\(WindowText.words(rules.window(of: pair))) (\(pair.window))")
    for condition in pair.conditions { lines.add("when", condition.meaning) }
    lines.add("V2", pair.shownEvents)
    lines.add("means", pair.meaning)
    lines.add("note", pair.note)
    lines.add("confidence", pair.confidence.rawValue)
    lines.add(source: pair.source)
    let types = [pair.lead, pair.companion].map { $0.joined(separator: " or ") }.joined(separator: " + ")
    return Page(title: pair.id, summary: "\(types) → one event", lines: lines.lines)
  }
}

extension GroupingPair {
  /// What the pair reports, in words.
  fileprivate var shownEvents: String {
    to.isEmpty ? "what the lead says by itself" : to.map(\.description).joined(separator: " or ")
  }
}

extension GroupingRules {
  /// The pairs as lines of the whole table.
  var rows: [MappingTable.Row] {
    pairs.map { pair in
      let conditions = pair.conditions.map(\.rawValue)
      let types = [pair.lead, pair.companion].map { $0.joined(separator: "|") }.joined(separator: " + ")
      return MappingTable.Row(
        id: pair.id, v1: ([types] + conditions).joined(separator: ", "),
        v2: pair.to.isEmpty ? "(the lead’s)" : pair.to.map(\.description).joined(separator: " or "),
        relation: "grouped", confidence: pair.confidence.rawValue, v1Meaning: pair.meaning, v2Meaning: "",
        note: pair.note ?? "", source: pair.source)
    }
  }
}
