import SlipcastMapping
import SlipcastSignatures

/// `slipcast explain`: any name of V1 or V2, explained from the rules.
enum ExplainCommand: Command {
  static let description = CommandDescription(
    name: "explain",
    summary: "what a field, type, value or rule means, and what becomes of it",
    usage: "explain NAME… | explain --list [--format text|json|markdown]",
    discussion: [
      "NAME is a V1 key (price_consent_status), a V2 field (priceIncreaseStatus), a notification type of either version "
        + "(DID_CHANGE_RENEWAL_STATUS, EXPIRED/VOLUNTARY), a value (status=4, FREE_TRIAL, 21007), a rule's id, an attribute of app receipts (1712), an era, a "
        + "StoreKit name, a reading of diff (compare.skew), what is folded together (grouping.upgrade) or a reason of verify "
        + "(untrustedRoot). The answer is printed from the same rules that convert applies.",
      "Exit status: 0 explained, 2 no such name.",
    ],
    options: [
      Option(name: "list", help: "Lists every rule instead."),
      Option(
        name: "format", value: "FORMAT", choices: ["text", "json", "markdown"],
        help: "How --list is written; text by default."),
      RuleOptions.mappings,
    ],
    examples: [
      (command: "slipcast explain price_consent_status", says: "A field:"),
      (command: "slipcast explain DID_CHANGE_RENEWAL_STATUS", says: "A type and all that it may become:"),
      (command: "slipcast explain --list --format markdown > mapping.md", says: "The whole mapping:"),
    ])

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let rules = try RuleOptions.rules(arguments.last("mappings"))
    if arguments.has("list") {
      guard arguments.operands.isEmpty else { throw UsageError("--list and a name exclude each other", description) }
      let table = MappingTable(rules: rules)
      switch arguments.last("format") ?? "text" {
      case "json": try console.print(table.json, as: .json)
      case "markdown": try console.print(table.markdown)
      default: try console.print(table.text)
      }
      return .fine
    }
    if arguments.has("format") { throw UsageError("--format goes with --list", description) }
    guard !arguments.operands.isEmpty else { throw UsageError("expected a name to explain, or --list", description) }
    let explainer = Explainer(rules: rules)
    for name in arguments.operands {
      let pages = explainer.pages(for: name)
      if pages.isEmpty, let reason = Refusal.Reason(rawValue: name) {
        try console.print("\(name)\n  a reason of verify\n\n  means  \(reason.message)\n")
        continue
      }
      guard !pages.isEmpty else {
        let hint = explainer.suggestion(for: name).map { "; did you mean \($0)?" } ?? "; --list shows every rule"
        throw UsageError("nothing is known of \"\(name)\"\(hint)", description)
      }
      try console.print(pages.map(text).joined(separator: "\n"))
    }
    return .fine
  }

  private static func text(_ page: Explainer.Page) -> String {
    let width = page.lines.map(\.label.count).max() ?? 0
    var text = "\(page.title)\n  \(page.summary)\n\n"
    for line in page.lines {
      let wrapped = Help.wrap(line.text, indent: width + 4)
      text += "  \(Help.pad(line.label, width))  " + wrapped.dropFirst(width + 4)
    }
    return text
  }
}
