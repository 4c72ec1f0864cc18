extension Explainer {
  /// Pages about grouping: by id, or all that speak of a V1 type or of `grouping`.
  func groupingPages(for wanted: String) -> [Page] {
    let grouping = rules.grouping
    let pairs = grouping.pairs.filter { $0.id.lowercased() == wanted || wanted == "grouping" }
    var pages = grouping.windows.filter { $0.id.lowercased() == wanted || wanted == "grouping" }.map(page)
    if let strength = grouping.strength, [strength.id.lowercased(), "grouping"].contains(wanted) {
      pages.append(page(strength))
    }
    return pages + pairs.map(page)
  }

  /// The names that `groupingPages` knows.
  var groupingNames: [String] {
    let grouping = rules.grouping
    return ["grouping"] + grouping.windows.map(\.id) + grouping.pairs.map(\.id)
      + [grouping.strength?.id].compactMap(\.self)
  }

  private func page(_ window: GroupingWindow) -> Page {
    var lines = Lines(rules)
    lines.add("within", "\(window.milliseconds) ms")
    lines.add("why", window.meaning)
    let users = rules.grouping.pairs.filter { $0.window == window.id }.map(\.id)
    let parity = "parity, for messages whose time no transaction states"
    let duplicates = "duplicates of messages that state no time, where received times are known"
    let others =
      switch window.id {
      case GroupingWindow.server: [parity]
      case GroupingWindow.redelivery: [duplicates]
      default: [String]()
      }
    lines.add("used by", (others + users).joined(separator: ", "))
    lines.add("confidence", window.confidence.rawValue)
    lines.add(source: window.source)
    return Page(title: window.id, summary: "how far messages of one action may lie apart", lines: lines.lines)
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

  private func shownWindow(of pair: GroupingPair) -> String {
    let window = rules.window(of: pair)
    let usual = "\(window.milliseconds) ms"
    return window.sandbox == window.milliseconds ? usual : "\(usual), in the Sandbox \(window.sandbox) ms"
  }

  private func page(_ pair: GroupingPair) -> Page {
    var lines = Lines(rules)
    lines.add("leads", pair.lead.joined(separator: ", "))
    lines.add("absorbs", pair.companion.joined(separator: ", "))
    lines.add("within", "\(shownWindow(of: pair)) (\(pair.window))")
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
  /// What the pair tells, in words.
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
