import SlipcastMapping
import SlipcastWire

/// `slipcast schema`: JSON Schemas of what the program writes.
enum SchemaCommand: Command {
  static let description = CommandDescription("schema", .rules, operands: .words(names.map { Choice($0) }))

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
    guard arguments.operands.count == 1 else { throw UsageError("expected one name") }
    try Choice.check(name, of: "a schema", among: names.map { Choice($0) })
    guard let text = catalog.schema(name) else { return .failed }
    try console.print(text, as: .json)
    return .fine
  }
}
