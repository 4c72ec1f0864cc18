import SlipcastMapping

/// Prints the decision table of one V1 type on one screen: which facts become which V2 event.
struct DecisionText {
  /// How much is said about each row; the first form that fits on the screen is printed.
  private enum Detail: CaseIterable {
    /// The conditions, the row's own words, and what each candidate needs.
    case full
    /// The conditions.
    case conditions
    /// The conditions where they are short, else the row's own words.
    case brief
  }

  /// What a screen holds, and how much longer a page may be before larger branches lose their conditions.
  static let screen = (lines: 40, columns: 100, tolerance: 6)

  let tree: DecisionTree
  let rules: RuleSet

  /// The whole page, in the first form that fits on the screen.
  var text: String {
    let forms: [(detail: Detail, hasNotes: Bool)] = [
      (.full, true), (.conditions, true), (.conditions, false), (.brief, false),
    ]
    var (body, closing) = ([String](), [String]())
    for form in forms {
      closing = self.closing(hasNotes: form.hasNotes)
      let room = Self.screen.lines - opening.count - closing.count - 2
      body = form.detail == .brief ? shortened(to: room) : lines(tree.nodes, indent: 2, form.detail)
      if body.count <= room { break }
    }
    return (opening + [""] + body + [""] + closing).map { $0 + "\n" }.joined()
  }

  // MARK: around the rows

  private var opening: [String] {
    let count = tree.rows.count == 1 ? "1 rule" : "\(tree.rows.count) rules"
    let shortens = tree.rows.contains { events($0).contains { $0.notificationType == tree.type && $0.subtype != nil } }
    return ["\(tree.type) (V1 notification type, \(count))"]
      + wrapped(
        "The V2 event that it becomes. Read from the top: the first line that applies decides."
          + (shortens ? " “…/” stands for \(tree.type)/." : ""), 2)
  }

  /// What follows the rows; the notes of grouping rules in full, or only where to read them.
  private func closing(hasNotes: Bool) -> [String] {
    var lines: [String] = []
    let notes = rules.groupingNotes(about: tree.type)
    if hasNotes {
      for (id, note) in notes { lines += wrapped("Note (\(id)): \(note)", 0, 2) }
    } else if !notes.isEmpty {
      lines += wrapped("Notes on related messages: slipcast explain \(notes.map(\.id).joined(separator: " "))", 0, 2)
    }
    let others = rules.otherTypes(becoming: tree.type)
    if !others.isEmpty {
      lines += wrapped("V2 has an event of this name too, which \(UsageError.list(others)) may become.", 0, 2)
    }
    let row = tree.rows.first { !$0.candidates.isEmpty } ?? tree.rows.first
    let example = row.map { "; one row: slipcast explain \($0.id)" } ?? ""
    return lines
      + wrapped("[…] is a row's confidence; a record that does not prove the facts gets a lower one.", 0, 2)
      + wrapped("Details: add --verbose\(example)", 0, 2)
  }

  // MARK: rows

  private func lines(_ nodes: [DecisionTree.Node], indent: Int, _ detail: Detail) -> [String] {
    nodes.flatMap { node in
      switch node {
      case .branch(let conditions, let below):
        wrapped(words(conditions) + ":", indent, 3) + lines(below, indent: indent + 2, detail)
      case .row(let conditions, let rule):
        detail == .full ? full(conditions, rule, indent) : row(words(conditions), rule, indent)
      }
    }
  }

  /// All that is known of a row except its sources.
  private func full(_ conditions: [DecisionTree.Condition], _ rule: TypeRule, _ indent: Int) -> [String] {
    var lines = row(words(conditions), rule, indent)
    if let meaning = rule.meaning.v1 { lines += wrapped("V1: \(meaning)", indent + 4, 2) }
    for candidate in rule.candidates {
      lines += wrapped("\(name(candidate.event)), if \(candidate.needs)", indent + 4, 2)
    }
    for event in rule.accepts { lines += wrapped("V2 may send \(name(event)) instead", indent + 4, 2) }
    return lines
  }

  /// A row on one line where it fits, else with its outcome on the next one.
  private func row(_ conditions: String, _ rule: TypeRule, _ indent: Int) -> [String] {
    let line = "\(conditions) → \(outcome(rule))"
    if indent + line.count <= Self.screen.columns { return [String(repeating: " ", count: indent) + line] }
    let broken = wrapped(conditions, indent, 3) + wrapped("→ \(outcome(rule))", indent + 3, 2)
    let flowing = wrapped(line, indent, 3)
    return flowing.count < broken.count ? flowing : broken
  }

  /// The brief form: first single rows get their own words, then the smallest branches, until the rest fits.
  private func shortened(to limit: Int) -> [String] {
    // So many rows do not fit in any form.
    guard tree.rows.count <= 100 else { return lines(tree.nodes, indent: 2, .conditions) }
    var short: Set<String> = []
    for most in 1...max(1, tree.rows.count) {
      while true {
        let (lines, best) = brief(tree.nodes, 2, Shortening(keys: short, most: most))
        if lines.count <= (most <= 3 ? limit : limit + Self.screen.tolerance) { return lines }
        guard let best else { break }
        short.insert(best.key)
      }
    }
    return brief(tree.nodes, 2, Shortening(keys: short, most: 0)).lines
  }

  /// Which rows and branches are printed in the rows' own words, and how many rows the next one may have.
  private struct Shortening {
    var keys: Set<String>
    var most: Int
  }

  /// The lines with some rows in their own words, and the row or branch that would save most next.
  private func brief(
    _ nodes: [DecisionTree.Node], _ indent: Int, _ short: Shortening
  ) -> (lines: [String], best: (key: String, saved: Int)?) {
    var (lines, best) = ([String](), (key: String, saved: Int)?.none)
    for node in nodes {
      let rows = node.rows
      let key = "\(rows.count) \(rows.first?.id ?? "")"
      let own = rows.flatMap { rule in row(Self.clause(rule.meaning.v1 ?? rule.id), rule, indent) }
      if short.keys.contains(key) {
        lines += own
        continue
      }
      let long: [String]
      switch node {
      case .row(let conditions, let rule): long = row(words(conditions), rule, indent)
      case .branch(let conditions, let below):
        let inner = brief(below, indent + 2, short)
        long = wrapped(words(conditions) + ":", indent, 3) + inner.lines
        if let found = inner.best, found.saved > best?.saved ?? 0 { best = found }
      }
      lines += long
      let saved = long.count - own.count
      // Rows with the same words differ only in their conditions.
      let isClear = Set(rows.map(\.meaning.v1)).count == rows.count
      if rows.count <= short.most, isClear, saved > best?.saved ?? 0 { best = (key, saved) }
    }
    return (lines, best)
  }

  // MARK: words

  /// `if auto-renew is stated off and the newest period had expired, unless the retry flag is on`.
  private func words(_ conditions: [DecisionTree.Condition]) -> String {
    func meanings(_ isNegated: Bool) -> [String] {
      conditions.filter { $0.isNegated == isNegated }.map { rules.meaning(ofFact: $0.fact) ?? $0.fact }
    }
    let (all, none) = (meanings(false), meanings(true))
    if all.isEmpty, none.isEmpty { return tree.rows.count == 1 ? "always" : "otherwise" }
    let positive = all.isEmpty ? "" : "if " + all.joined(separator: "; and ")
    let negative = none.isEmpty ? "" : "unless " + none.joined(separator: " or ")
    return [positive, negative].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private static func clause(_ meaning: String) -> String {
    meaning.hasSuffix(".") ? String(meaning.dropLast()) : meaning
  }

  private func outcome(_ rule: TypeRule) -> String {
    if !rule.candidates.isEmpty {
      return rule.candidates.map { name($0.event) }.joined(separator: " or ") + " [ambiguous]"
    }
    let event = rule.to.notificationType == "*" ? "V1's type, unchanged" : name(rule.to)
    return (rule.isAbsorbed ? "merged into \(event)" : event) + " [\(rule.confidence.rawValue)]"
  }

  private func events(_ rule: TypeRule) -> [EventName] {
    (rule.candidates.isEmpty ? [rule.to] : rule.candidates.map(\.event)) + rule.accepts
  }

  /// The event; its type is left out where it is the V1 type's own name.
  private func name(_ event: EventName) -> String {
    guard event.notificationType == tree.type, let subtype = event.subtype else { return event.description }
    return "…/\(subtype)"
  }

  private func wrapped(_ text: String, _ indent: Int, _ hanging: Int = 0) -> [String] {
    Help.wrap(text, indent: indent, hanging: hanging, width: Self.screen.columns)
      .split(separator: "\n").map(String.init)
  }
}
