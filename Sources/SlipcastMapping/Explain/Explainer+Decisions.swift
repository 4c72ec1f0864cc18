extension Explainer {
  func page(_ rule: DecisionRule) -> Page {
    page(
      rule.id, summary: "a parameter of the decisions", confidence: rule.confidence, source: rule.source
    ) { lines in
      switch rule.value {
      case .window(let milliseconds, let sandbox):
        lines.add("length", "\(WindowText.words(milliseconds)) (\(milliseconds) ms)")
        lines.add("Sandbox", sandbox.map { "\(WindowText.words($0)) (\($0) ms)" })
      case .limit(let count): lines.add("limit", "\(count)")
      case .order(let words): for (place, word) in words.enumerated() { lines.add("\(place + 1)", word) }
      }
      if let tolerance = rule.tolerance {
        let lengths = (milliseconds: tolerance.milliseconds, sandbox: tolerance.sandbox ?? tolerance.milliseconds)
        lines.add("tolerance", "\(WindowText.words(lengths)): \(tolerance.reason)")
      }
      lines.add("means", rule.meaning)
      lines.add("named by", rules.windowUsers[rule.id] ?? [])
      lines.add("change it", "an entry of the family decisions with this id, with --mappings")
    }
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

  var kind: String {
    switch value {
    case .window: "window"
    case .limit: "limit"
    case .order: "order"
    }
  }
}
