import SlipcastMapping
import SlipcastSignatures
import SlipcastWire

/// `slipcast explain`: any name of V1 or V2, explained from the rules.
enum ExplainCommand: Command {
  static let description = CommandDescription("explain", .rules, operands: .names)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let rules = try RuleOptions.rules(arguments)
    let names = ExplainedNames(rules)
    for option in ["list", "names"] where arguments.has(option) && !arguments.operands.isEmpty {
      throw UsageError("use --\(option) or a name, not both")
    }
    for option in ["list", "names"] where arguments.has(option) && arguments.has("verbose") {
      throw UsageError("--verbose needs a name")
    }
    if arguments.has("list") {
      let table = MappingTable(rules: rules)
      switch arguments.last("format") ?? "text" {
      case "json": try console.print(table.json, as: .json)
      case "markdown": try console.print(table.markdown)
      default: try console.print(table.text)
      }
      return .fine
    }
    if arguments.has("format") { throw UsageError("--format needs --list") }
    if arguments.has("names") {
      try console.print(names.all.map { $0 + "\n" }.joined())
      return .fine
    }
    guard !arguments.operands.isEmpty else { throw UsageError("expected a name to explain, --list or --names") }
    let printer = ExplainPrinter(names: names, isVerbose: arguments.has("verbose"), console: console)
    try printer.explain(arguments.operands)
    return .fine
  }
}

/// Prints the answers about the names of a command line.
struct ExplainPrinter {
  let names: ExplainedNames
  let isVerbose: Bool
  let console: Console

  /// Explains each name, or, where they are plain words and not all of them names, the phrase that they make.
  func explain(_ words: [String]) throws {
    let phrase = words.joined(separator: " ")
    let unknown = words.filter { names.pages(for: $0).isEmpty }
    if words.count > 1, !unknown.isEmpty, unknown.allSatisfy(Self.isPlain) { return try search(phrase) }
    for (place, word) in words.enumerated() {
      if place > 0 { try console.print("\n") }
      try explain(word)
    }
  }

  private func explain(_ name: String) throws {
    if !isVerbose, let summary = names.summary(of: name) { return try console.print(summary) }
    let pages = names.pages(for: name)
    guard pages.isEmpty else { return try show(pages) }
    try search(name)
  }

  /// A misspelled name gets its suggestion; words of a person are searched for.
  private func search(_ phrase: String) throws {
    // A single misspelled word is more likely a name.
    let isPhrase = phrase.contains(" ")
    let found = SearchText(query: phrase, hits: names.index.hits(for: phrase, corrects: isPhrase))
    let isFound = found.hits.first?.hasAllWords ?? false
    guard isPhrase ? !found.hits.isEmpty : isFound && Self.isPlain(phrase) else {
      let advice = isPhrase ? "; try fewer or other words, or --names, which shows every name" : names.hint(for: phrase)
      throw UsageError("unknown name \"\(phrase)\"\(advice)")
    }
    try console.print(found.text)
    let pages = isVerbose ? Array(found.shown) : [found.clear].compactMap(\.self)
    for hit in pages {
      try console.print("\n")
      try show(names.pages(for: hit.entry.name))
    }
  }

  /// A word that a person says: letters in small or with one capital, and hyphens.
  private static func isPlain(_ word: String) -> Bool {
    word.split(whereSeparator: { $0 == " " || $0 == "-" }).allSatisfy { part in
      part.allSatisfy { $0.isLetter || $0.isNumber || "'’,.?!".contains($0) }
        && !part.dropFirst().contains(where: \.isUppercase)
    }
  }

  private func show(_ pages: [Explainer.Page]) throws {
    try console.print(pages.map(Self.text).joined(separator: "\n"))
  }

  private static func text(_ page: Explainer.Page) -> String {
    let width = page.lines.map(\.label.count).max() ?? 0
    var text = "\(page.title)\n  \(page.summary)\n\n"
    for line in page.lines {
      let lines = TextLayout.wrapped(line.text, after: "  \(TextLayout.padded(line.label, to: width))  ")
      text += lines.joined(separator: "\n") + "\n"
    }
    return text
  }
}
