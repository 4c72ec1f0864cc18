import SlipcastMapping
import SlipcastWire

/// `slipcast schema`: JSON Schemas of what the program writes, and typed SQL tables for it.
enum SchemaCommand: Command {
  static let description = CommandDescription("schema", .rules, operands: .schemas)

  private static var names: [String] { RuleCatalog.schemas.map(\.name).filter { $0 != "shared" } }

  /// What NAME can be: JSON Schemas, and the tables of `--sql`.
  static var choices: [Choice] {
    guard let rules = try? RuleSet.builtIn(), let schemas = try? SchemaCatalog(rules),
      let tables = try? TableCatalog(schemas)
    else { return [] }
    return (schemas.list + tables.list).map { Choice($0.name, $0.about) }
  }

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    guard arguments.operands.count < 2 else { throw UsageError("expected one name") }
    let catalog = try SchemaCatalog(try RuleSet.builtIn())
    if let dialect: SQLDialect = arguments.value("sql") {
      return try printTables(arguments.operands.first, for: dialect, of: try TableCatalog(catalog), console)
    }
    guard let name = arguments.operands.first else {
      try printList(catalog.list, console)
      return .fine
    }
    if !names.contains(name), !(try TableCatalog(catalog).named(name)).isEmpty {
      let dialects = UsageError.list(SQLDialect.allCases.map(\.rawValue))
      throw UsageError("\(name) is a table, not a JSON Schema: add --sql \(dialects)")
    }
    try Choice.check(name, of: "a schema", among: names.map { Choice($0) })
    guard let text = catalog.schema(name) else { return .failed }
    try console.print(text, as: .json)
    return .fine
  }

  private static func printTables(
    _ name: String?, for dialect: SQLDialect, of catalog: TableCatalog, _ console: Console
  ) throws -> ExitCode {
    guard let name else {
      try printList(catalog.list, console)
      return .fine
    }
    let tables = catalog.named(name)
    if tables.isEmpty { try Choice.check(name, of: "a table", among: catalog.list.map { Choice($0.name) }) }
    try console.print(tables.map(dialect.statements).joined(separator: "\n"), as: .lines)
    return .fine
  }

  private static func printList(_ list: [(name: String, about: String)], _ console: Console) throws {
    let width = list.map(\.name.count).max() ?? 0
    let lines = list.flatMap { name, about in
      TextLayout.wrapped(about, after: TextLayout.padded(name, to: width) + "  ", width: Screen.columns)
    }
    try console.print(lines.map { $0 + "\n" }.joined())
  }
}
