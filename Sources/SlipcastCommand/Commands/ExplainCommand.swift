import SlipcastMapping
import SlipcastSignatures

/// `slipcast explain`: any name of V1 or V2, explained from the rules.
enum ExplainCommand: Command {
  static let description = CommandDescription(
    name: "explain", topic: .rules,
    summary: "what a field, type, value or rule means, and what becomes of it",
    usage: "explain NAME… | explain --list [--format FORMAT] | explain --names",
    operands: .names,
    discussion: [
      "NAME is a V1 key (price_consent_status), a V2 field (priceIncreaseStatus), a path as reports print it "
        + "(data.renewalInfo.priceIncreaseStatus), a notification type of either version (DID_CHANGE_RENEWAL_STATUS, "
        + "EXPIRED/VOLUNTARY), a value (status=4, FREE_TRIAL, 21007), a rule's id (renewal.priceIncreaseStatus), an "
        + "attribute of app receipts (1712), an era, a StoreKit name, a class of diff (semantic) or one of its readings "
        + "(compare.skew), what is folded together (grouping.upgrade), a finding of convert (dateMismatch) or a reason "
        + "of verify (untrustedRoot). Capitals do not matter. The answer is printed from the same rules that convert applies."
    ],
    options: [
      Option(name: "list", help: "Lists every rule instead."),
      Option(
        name: "format", value: "FORMAT", choices: ["text", "json", "markdown"], byDefault: "text",
        help: "How --list is written."),
      Option(name: "names", help: "Lists every name that can be explained instead, one a line."),
      RuleOptions.mappings,
    ],
    exitStatuses: [(.fine, "explained"), (.failed, "there is no such name")],
    examples: [
      (command: "slipcast explain price_consent_status", says: "A field:"),
      (command: "slipcast explain DID_CHANGE_RENEWAL_STATUS", says: "A type and all that it may become:"),
      (command: "slipcast explain --names | grep -i grace", says: "Names that hold a word:"),
      (command: "slipcast explain --list --format markdown > mapping.md", says: "The whole mapping:"),
    ])

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let rules = try RuleOptions.rules(arguments.last("mappings"))
    let names = ExplainedNames(rules)
    for option in ["list", "names"] where arguments.has(option) && !arguments.operands.isEmpty {
      throw UsageError("--\(option) and a name exclude each other", description)
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
    if arguments.has("format") { throw UsageError("--format goes with --list", description) }
    if arguments.has("names") {
      try console.print(names.all.map { $0 + "\n" }.joined())
      return .fine
    }
    guard !arguments.operands.isEmpty else {
      throw UsageError("expected a name to explain, --list or --names", description)
    }
    for name in arguments.operands { try explain(name, names, console) }
    return .fine
  }

  private static func explain(_ name: String, _ names: ExplainedNames, _ console: Console) throws {
    let pages = names.pages(for: name)
    guard !pages.isEmpty else {
      throw UsageError("nothing is known of \"\(name)\"\(names.hint(for: name))", description)
    }
    try console.print(pages.map(text).joined(separator: "\n"))
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
