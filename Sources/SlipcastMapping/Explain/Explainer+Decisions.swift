extension Explainer {
  /// A window, limit or order of the decisions.
  func page(_ rule: DecisionRule) -> Page {
    var lines = Lines(rules)
    switch rule.value {
    case .window(let milliseconds, let sandbox):
      lines.add("length", "\(WindowText.words(milliseconds)) (\(milliseconds) ms)")
      lines.add("Sandbox", sandbox.map { "\(WindowText.words($0)) (\($0) ms)" })
    case .limit(let count): lines.add("limit", "\(count)")
    case .order(let words): for (place, word) in words.enumerated() { lines.add("\(place + 1)", word) }
    }
    lines.add("means", rule.meaning)
    lines.add("named by", (rules.windowUsers[rule.id] ?? []).joined(separator: ", "))
    lines.add("change it", "an entry of the family decisions with this id, with --mappings")
    lines.add("confidence", rule.confidence.rawValue)
    lines.add(source: rule.source)
    return Page(title: rule.id, summary: "a parameter of the decisions", lines: lines.lines)
  }
}

extension DecisionRule {
  /// The value in words: `6 hours (Sandbox: 10 minutes)`, `100`, or the words of an order.
  var shownValue: String {
    switch value {
    case .window(let length, let sandbox): WindowText.words((length, sandbox ?? length))
    case .limit(let count): "\(count)"
    case .order(let words): words.joined(separator: ", ")
    }
  }

  /// What the value is.
  var kind: String {
    switch value {
    case .window: "window"
    case .limit: "limit"
    case .order: "order"
    }
  }
}
