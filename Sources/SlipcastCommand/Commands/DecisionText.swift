import SlipcastMapping
internal import SlipcastV2

/// Prints the decision table of one V1 type on one screen: which facts become which V2 event.
struct DecisionText {
  /// How much is said about each row; the first form that fits on the screen is printed.
  private enum Detail: CaseIterable {
    /// The conditions, the row's own words, and what each candidate needs.
    case full
    case conditions
    /// The row's words for the summary; rows that share them share a line.
    case brief
  }

  let tree: DecisionTree
  let rules: RuleSet

  var text: String {
    var page = Screen.Page()
    // A note about money matters more than every word of a condition.
    for (detail, hasNotes) in [
      (Detail.full, true), (.conditions, true), (.brief, true), (.conditions, false), (.brief, false),
    ] {
      page = Screen.Page(
        opening: opening(detail),
        body: detail == .brief ? briefLines : lines(tree.nodes, indent: 2, detail),
        closing: closing(hasNotes: hasNotes))
      if page.isFitting { break }
    }
    return page.text(omitting: "more rules: add --verbose")
  }

  // MARK: around the rows

  private func opening(_ detail: Detail) -> [String] {
    let count = tree.rows.count == 1 ? "1 rule" : "\(tree.rows.count) rules"
    let shortens = tree.rows.contains { events($0).contains { $0.notificationType == tree.type && $0.subtype != nil } }
    return ["\(tree.type) (V1 notification type, \(count))"]
      + Screen.wrapped(
        "The first line that applies decides the V2 event." + (shortens ? " “…/” stands for \(tree.type)/." : "")
          + (detail == .brief ? " “;” separates cases; “or”: V1 leaves it open." : ""), 2)
  }

  /// What follows the rows; the notes of grouping rules in full, or only where to read them.
  private func closing(hasNotes: Bool) -> [String] {
    var (lines, words) = ([String](), [String]())
    let notes = rules.groupingNotes(about: tree.type)
    if hasNotes {
      for (id, note) in notes { lines += Screen.wrapped("Note (\(id)): \(note)", 0, 2) }
    } else if !notes.isEmpty {
      words.append("Notes on related messages: slipcast explain \(notes.map(\.id).joined(separator: " ")).")
    }
    let others = rules.otherTypes(becoming: tree.type)
    if !others.isEmpty {
      words.append("V2 has an event of this name too, which \(UsageError.list(others)) may become.")
    }
    // The shortest id, so that the line is not broken.
    let example =
      tree.rows.min { $0.id.count < $1.id.count }.map { "; one row: slipcast explain \($0.id)" } ?? ""
    words.append("[…] is a row's confidence; a record that does not prove the facts gets a lower one.")
    words.append("Details and sources: add --verbose\(example)")
    return lines
      + (hasNotes ? words.flatMap { Screen.wrapped($0, 0, 2) } : Screen.wrapped(words.joined(separator: " ")))
  }

  // MARK: rows

  private func lines(_ nodes: [DecisionTree.Node], indent: Int, _ detail: Detail) -> [String] {
    nodes.flatMap { node in
      switch node {
      case .branch(let conditions, let below):
        Screen.wrapped(words(conditions) + ":", indent, 3) + lines(below, indent: indent + 2, detail)
      case .row(let conditions, let rule):
        detail == .full ? full(conditions, rule, indent) : row(words(conditions), outcome(rule), indent)
      }
    }
  }

  private func full(_ conditions: [DecisionTree.Condition], _ rule: TypeRule, _ indent: Int) -> [String] {
    var lines = row(words(conditions), outcome(rule), indent)
    if let meaning = rule.meaning.v1 { lines += Screen.wrapped("V1: \(meaning)", indent + 4, 2) }
    for candidate in rule.candidates {
      lines += Screen.wrapped("\(name(candidate.event)), if \(candidate.needs)", indent + 4, 2)
    }
    for event in rule.accepts { lines += Screen.wrapped("V2 may send \(name(event)) instead", indent + 4, 2) }
    return lines
  }

  /// A row on one line where it fits, else with its outcome on the next one.
  private func row(_ conditions: String, _ outcome: String, _ indent: Int) -> [String] {
    let line = "\(conditions) → \(outcome)"
    if indent + line.count <= Screen.columns { return [String(repeating: " ", count: indent) + line] }
    let broken = Screen.wrapped(conditions, indent, 3) + Screen.wrapped("→ \(outcome)", indent + 3, 2)
    let flowing = Screen.wrapped(line, indent, 3)
    return flowing.count < broken.count ? flowing : broken
  }

  /// One line for all rows that follow each other with the same words.
  private var briefLines: [String] {
    var folds: [(words: String, rows: [TypeRule])] = []
    for rule in tree.rows {
      // Lengths for Sandbox are in the full form.
      let words = (rule.brief ?? Screen.clause(rule.meaning.v1 ?? rule.id)).replacing(/\ \(Sandbox: [^)]*\)/, with: "")
      if let last = folds.last, last.words == words {
        folds[folds.count - 1].rows.append(rule)
      } else {
        folds.append((words, [rule]))
      }
    }
    return folds.flatMap { row($0.words, outcome($0.rows), 2) }
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

  private func outcome(_ rule: TypeRule) -> String { outcome([rule]) }

  /// The events of some rows, each once, and the confidences that they have.
  private func outcome(_ rows: [TypeRule]) -> String {
    func unique(_ words: [String]) -> [String] {
      words.reduce(into: []) { known, word in if !known.contains(word) { known.append(word) } }
    }
    let merged = rows.allSatisfy(\.isAbsorbed) ? "merged into " : ""
    let events = rows.map { rule in
      guard rule.candidates.isEmpty else { return rule.candidates.map { name($0.event) }.joined(separator: " or ") }
      let event = rule.to.notificationType == "*" ? "V1's type, unchanged" : name(rule.to)
      return (rule.isAbsorbed && merged.isEmpty ? "merged into " : "") + event
    }
    let confidences = unique(rows.sorted { $0.confidence < $1.confidence }.map(\.confidence.rawValue))
    return merged + unique(events).joined(separator: "; ") + " [\(confidences.joined(separator: ", "))]"
  }

  private func events(_ rule: TypeRule) -> [EventName] {
    (rule.candidates.isEmpty ? [rule.to] : rule.candidates.map(\.event)) + rule.accepts
  }

  /// The event; its type is left out where it is the V1 type's own name.
  private func name(_ event: EventName) -> String {
    guard event.notificationType == tree.type, let subtype = event.subtype else { return event.description }
    return "…/\(subtype)"
  }
}
