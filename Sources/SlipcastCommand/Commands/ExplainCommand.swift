import SlipcastMapping
import SlipcastSignatures
import SlipcastWire

/// `slipcast explain`: any name of V1 or V2, explained from the rules.
enum ExplainCommand: Command {
  static let description = CommandDescription(
    name: "explain", topic: .rules,
    summary: "explains a field, type, value or rule, and its conversion",
    usage: "explain NAME… | explain WORD… | explain --list [--format FORMAT] | explain --names",
    operands: .names,
    discussion: [
      "NAME is a V1 key (price_consent_status), a V2 field (priceIncreaseStatus), a path as reports print it "
        + "(data.renewalInfo.priceIncreaseStatus), a notification type of either version (DID_CHANGE_RENEWAL_STATUS, "
        + "EXPIRED/VOLUNTARY), a value (status=4, FREE_TRIAL, 21007), a rule's id (renewal.priceIncreaseStatus), an "
        + "attribute of app receipts (1712), an era, a StoreKit name, a class of diff (semantic) or one of its "
        + "readings (compare.skew), merged messages (grouping.upgrade), a window, limit or order of the decisions "
        + "(decision.window.refund), a finding of convert (dateMismatch), a fact of the decision table (autoRenewOff), "
        + "a reason of verify (untrustedRoot), or a word of an output: a code of rejects (unclosedString), a gate of "
        + "parity (missing), an answer about access (\"locked out\"). Case does not matter. The answer comes from the "
        + "same rules that convert applies.",
      "A V1 notification type prints a summary on one screen: the conditions in the order in which they are tried, and "
        + "the V2 event that each leads to. A V2 notification type prints the V1 messages that become it. --verbose "
        + "prints every row with its sources; type.TYPE.ROW prints one row.",
      "Other words are searched for in names, meanings, conditions, notes and values: explain \"refund after upgrade\". "
        + "The best entries are listed, and the page of one that is clearly the best is printed.",
    ],
    options: [
      Option(name: "list", help: "Lists every rule instead."),
      Option(
        name: "format", value: "FORMAT", choices: ["text", "json", "markdown"], byDefault: "text",
        help: "The format of --list."),
      Option(
        name: "verbose",
        help: "Prints every row of a notification type instead of the summary, and the pages of all entries that a "
          + "search lists."),
      Option(name: "names", help: "Lists every name that can be explained instead, one a line."),
      RuleOptions.mappings,
    ],
    exitStatuses: [(.fine, "explained"), (.failed, "unknown name or words")],
    examples: [
      (command: "slipcast explain price_consent_status", says: "A field:"),
      (command: "slipcast explain DID_CHANGE_RENEWAL_STATUS", says: "A V1 type and the events that it may become:"),
      (command: "slipcast explain \"auto-renew off after expiry\"", says: "A search:"),
      (command: "slipcast explain --names | grep -i grace", says: "Names that contain a word:"),
      (command: "slipcast explain --list --format markdown > mapping.md", says: "The whole mapping:"),
    ])

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let rules = try RuleOptions.rules(arguments.last("mappings"))
    let names = ExplainedNames(rules)
    for option in ["list", "names"] where arguments.has(option) && !arguments.operands.isEmpty {
      throw UsageError("use --\(option) or a name, not both", description)
    }
    for option in ["list", "names"] where arguments.has(option) && arguments.has("verbose") {
      throw UsageError("--verbose needs a name", description)
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
    if arguments.has("format") { throw UsageError("--format needs --list", description) }
    if arguments.has("names") {
      try console.print(names.all.map { $0 + "\n" }.joined())
      return .fine
    }
    guard !arguments.operands.isEmpty else {
      throw UsageError("expected a name to explain, --list or --names", description)
    }
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
  ///
  /// - Throws: `UsageError` for a name that is unknown and words that nothing has.
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
      throw UsageError("unknown name \"\(phrase)\"\(advice)", ExplainCommand.description)
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
