internal import SlipcastV2

extension Explainer {
  /// Pages about grouping: by id, or all that speak of a V1 type or of `grouping`.
  func groupingPages(for wanted: String) -> [Page] {
    let grouping = rules.grouping
    let pairs = grouping.pairs.filter { $0.id.lowercased() == wanted || wanted == "grouping" }
    let strength = [grouping.strength].compactMap(\.self).filter { [$0.id.lowercased(), "grouping"].contains(wanted) }
    return strength.map(page) + pairs.map(page)
  }

  var groupingNames: [String] {
    ["grouping"] + rules.grouping.pairs.map(\.id) + [rules.grouping.strength?.id].compactMap(\.self)
  }

  private func page(_ strength: GroupingStrength) -> Page {
    page(
      strength.id, summary: "which message of a group leads", confidence: strength.confidence, source: strength.source
    ) { lines in
      for (place, types) in strength.order.enumerated() { lines.add("\(place + 1)", types) }
      lines.add("last", "any of them about an upgraded period")
      lines.add("alone", "all others: they neither absorb nor are absorbed")
      lines.add("means", strength.meaning)
    }
  }

  private func page(_ pair: GroupingPair) -> Page {
    let summary = "\(pair.types(separator: " or ")) → one event"
    return page(pair.id, summary: summary, confidence: pair.confidence, source: pair.source) { lines in
      lines.add("leads", pair.lead)
      lines.add("absorbs", pair.companion)
      lines.add("within", "\(WindowText.words(rules.window(of: pair))) (\(pair.window))")
      for condition in pair.conditions { lines.add("when", condition.meaning) }
      lines.add("V2", pair.events ?? "what the lead says by itself")
      lines.add("means", pair.meaning)
      lines.add("note", pair.note)
    }
  }
}

extension GroupingPair {
  /// What the pair reports; `nil` where the lead keeps its reading.
  fileprivate var events: String? { to.isEmpty ? nil : to.map(\.description).joined(separator: " or ") }

  /// The types that lead, and those that are absorbed.
  func types(separator: String) -> String {
    "\(lead.joined(separator: separator)) + \(companion.joined(separator: separator))"
  }
}

extension GroupingRules {
  /// The pairs as lines of the whole table.
  var rows: [MappingTable.Row] {
    pairs.map { pair in
      MappingTable.Row(
        id: pair.id,
        v1: ([pair.types(separator: "|")] + pair.conditions.map(\.rawValue)).joined(separator: ", "),
        v2: pair.events ?? "(the lead’s)", relation: "grouped", confidence: pair.confidence.rawValue,
        v1Meaning: pair.meaning, note: pair.note ?? "", source: pair.source)
    }
  }
}
