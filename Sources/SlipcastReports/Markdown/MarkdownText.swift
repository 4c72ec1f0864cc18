import SlipcastComparison

/// Spells text so that Markdown shows it and does nothing else with it, inside a table or out of it.
enum MarkdownText {
  /// Text as code: nothing in it is a link, a mention or a tag.
  ///
  /// A fence longer than any run of backticks in the text; a bar would end a table's cell even here.
  static func code(_ text: String) -> String {
    let longest = text.split(separator: #/[^`]+/#).map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    let needsRoom = longest > 0 || text.hasPrefix(" ") || text.hasSuffix(" ") || text.isEmpty
    let room = needsRoom ? " " : ""
    return fence + room + text.replacing("|", with: "\\|") + room + fence
  }

  /// A value: code where it is JSON, plain words otherwise.
  ///
  /// A receipt would fill the whole comment, so long values are cut.
  static func value(_ value: ReportValue, of row: ReportRow) -> String {
    switch value {
    case .json: code(value.cut(to: 200, showing: row.sharedPrefix))
    case .words(let text): text
    }
  }

  /// Prose: no formatting, no tag, no mention and no link to an issue.
  static func prose(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "$", "!": escaped += "\\\(character)"
      // A backslash does not stop a mention or a link; the invisible word joiner (U+2060) does.
      case "@", "#": escaped += "\(character)\u{2060}"
      default: escaped.append(character)
      }
    }
    // Addresses become links without being asked.
    return escaped.replacing("://", with: ":\u{2060}//").replacing("www.", with: "www\u{2060}.")
  }
}

extension MarkdownText {
  /// A table; cells are Markdown already.
  ///
  /// - Parameter numbersFrom: The first column whose cells stand at the right.
  static func table(_ names: [String], numbersFrom: Int = .max, _ rows: [[String]]) -> [String] {
    let rule = names.indices.map { $0 < numbersFrom ? "---" : "--:" }
    return ([names, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
  }

  /// Lines under a heading that unfolds; the heading is shown as it is.
  static func folded(_ heading: String, _ lines: [String]) -> [String] {
    ["<details>", "<summary>\(heading)</summary>", ""] + lines + ["", "</details>"]
  }

  /// A note as a line of a list.
  static func note(_ note: Comparison.Note) -> String {
    "- \(note.isWarning ? "**warning**" : "note"): \(prose(note.shownMessage))"
  }
}

extension MarkdownText {
  /// Inputs, options and rules, under a heading that unfolds.
  static func origin(_ words: OriginWords) -> [String] {
    let rows = words.rows.map { [$0[0], code($0[1])] + $0[2...4] + [$0[5] == "–" ? $0[5] : code($0[5])] }
    let rest = ["", "- options: \(code(words.options))", "- rules: \(code(words.rules))"]
    return folded("Inputs, options and rules", table(OriginWords.columns, rows) + rest)
  }
}
