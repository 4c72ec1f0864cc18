/// Spells text so that Markdown shows it and does nothing else with it, inside a table or out of it.
enum MarkdownText {
  /// Text as code: nothing in it is a link, a mention or a tag.
  ///
  /// A fence longer than any run of backticks in the text; a bar would end a table's cell even here.
  static func code(_ text: String) -> String {
    let longest = text.utf8.split { $0 != UInt8(ascii: "`") }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    let needsRoom = longest > 0 || text.hasPrefix(" ") || text.hasSuffix(" ") || text.isEmpty
    let room = needsRoom ? " " : ""
    let hasBar = text.utf8.contains(UInt8(ascii: "|"))
    return fence + room + (hasBar ? text.replacing("|", with: "\\|") : text) + room + fence
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

  /// A table; cells are Markdown already.
  ///
  /// - Parameter numbers: The columns whose cells are aligned at the right.
  static func table(_ names: [String], numbers: Set<Int> = [], _ rows: [[String]]) -> [String] {
    let rule = names.indices.map { numbers.contains($0) ? "--:" : "---" }
    return ([names, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
  }
}
