/// Writes words as Markdown that shows them as they are.
enum Markdown {
  /// Prose, in which words that are code are marked so.
  static func prose(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word($0) }.joined(separator: " ")
  }

  /// Code in a line; a run of backquotes longer than any in it protects those inside.
  static func code(_ text: String) -> String {
    var (longest, run) = (0, 0)
    for sign in text {
      run = sign == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let blank = longest > 0 ? " " : ""
    return fence + blank + text + blank + fence
  }

  static func block(_ text: String, _ language: String = "") -> String { "```\(language)\n\(text)\n```\n" }

  /// A word of prose: its punctuation stays outside of the code.
  private static func word(_ word: Substring) -> String {
    let opening = word.prefix { "(".contains($0) }
    let rest = word.dropFirst(opening.count)
    let closing = rest.reversed().prefix { ".,;:)".contains($0) }.count
    let core = rest.dropLast(closing)
    guard isCode(core) else { return escape(word) }
    return escape(opening) + code(String(core)) + escape(rest.suffix(closing))
  }

  /// Options, patterns, names with signs that Markdown would take for its own.
  private static func isCode(_ word: Substring) -> Bool {
    word.hasPrefix("--") || word.hasPrefix("/") || word.contains { "_*=<>|\\#`~".contains($0) } || word.contains("://")
  }

  private static func escape(_ text: Substring) -> String {
    text.map { "\\`*_[]<>#|~&".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
