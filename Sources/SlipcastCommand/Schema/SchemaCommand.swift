import SlipcastMapping
import SlipcastWire

/// `slipcast schema`: JSON Schemas of what the program writes.
enum SchemaCommand: Command {
  static let description = CommandDescription(
    name: "schema", topic: .rules,
    summary: "prints the JSON Schemas of slipcast's JSON output",
    usage: "schema [NAME]",
    operands: .words(names.map { Choice($0) }),
    discussion: [
      "Prints the JSON Schema (2020-12) of a document or line. Without NAME, it lists the schemas. A validator rejects "
        + "members that this version does not write, except in Apple's objects, to which Apple may add members."
    ],
    options: [],
    exitStatuses: [(.fine, "printed"), (.failed, "unknown name")],
    examples: [
      (command: "slipcast schema", says: "The list:"),
      (command: "slipcast schema parity > parity.schema.json", says: "The schema of the report of parity:"),
    ])

  /// The names of all schemas, in their order.
  private static var names: [String] { RuleCatalog.schemas.map(\.name).filter { $0 != "shared" } }

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let catalog = try SchemaCatalog(try RuleSet.builtIn())
    guard let name = arguments.operands.first else {
      let width = names.map(\.count).max() ?? 0
      for (name, about) in catalog.list {
        let lines = TextLayout.wrapped(about, after: TextLayout.padded(name, to: width) + "  ")
        try console.print(lines.joined(separator: "\n") + "\n")
      }
      return .fine
    }
    guard arguments.operands.count == 1 else { throw UsageError("expected one name", description) }
    try Choice.check(name, of: "a schema", among: names.map { Choice($0) }, description)
    guard let text = catalog.schema(name) else { return .failed }
    try console.print(text, as: .json)
    return .fine
  }
}
