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
      case "markdown": try console.print(table.markdown, as: .lines)
      default: try console.print(table.text)
      }
      return .fine
    }
    if arguments.has("format") { throw UsageError("--format needs --list") }
    if arguments.has("names") {
      try console.print(names.all.map { $0 + "\n" }.joined(), as: .lines)
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

  func explain(_ words: [String]) throws {
    var texts: [String] = []
    do {
      for word in words { texts.append(try text(word)) }
    } catch {
      if !texts.isEmpty { try console.print(texts.joined(separator: "\n")) }
      throw error
    }
    try console.print(texts.joined(separator: "\n"))
  }

  private func text(_ name: String) throws -> String {
    if !isVerbose, let summary = names.summary(of: name) { return summary }
    let pages = names.pages(for: name)
    guard pages.isEmpty else { return pages.map(Self.text).joined(separator: "\n") }
    let longer = names.beginning(with: name)
    guard !longer.isEmpty else { throw UsageError("unknown name \"\(name)\"\(names.hint(for: name))") }
    return list(longer, beginning: name)
  }

  /// A line for each name with the summary of its page.
  private func list(_ longer: [String], beginning name: String) -> String {
    let (shown, width) = (longer.prefix(Self.most), longer.prefix(Self.most).map(\.count).max() ?? 0)
    let lines = shown.map { longer in
      let page = names.pages(for: longer).first
      let text = page?.lines.first { $0.label == "means" }?.text ?? page?.summary ?? ""
      let line = "  \(TextLayout.padded(longer, to: width))  \(text)"
      let most = Screen.columns - 2
      return (line.count <= most ? line : line.prefix(most - 1) + "…") + "\n"
    }
    let count = longer.count == 1 ? "One name begins" : "\(longer.count.grouped) names begin"
    let rest = longer.count > shown.count ? "\nAll of them: slipcast explain --names\n" : ""
    let example = longer.count == 1 ? "" : "\nDetails of one: slipcast explain \(longer[0])\n"
    return "\(count) with \"\(name)\":\n\n" + lines.joined() + rest + example
  }

  private static let most = 20

  private static func text(_ page: Explainer.Page) -> String {
    let width = page.lines.map(\.label.count).max() ?? 0
    var text = "\(page.title)\n  \(page.summary)\n\n"
    for line in page.lines {
      let label = "  \(TextLayout.padded(line.label, to: width))  "
      let lines = TextLayout.wrapped(line.text, after: label, width: Screen.columns)
      text += lines.joined(separator: "\n") + "\n"
    }
    return text
  }
}
