import SlipcastBulk
import SlipcastMapping
import SlipcastStores
import SlipcastWire
import Testing

@testable import SlipcastCommand

/// The statements of `schema --sql`; the suite `sql` loads them into engines.
@Suite struct SQLTableTests {
  private static let catalog = Result {
    try TableCatalog(try SchemaCatalog(try RuleSet.builtIn()))
  }

  /// One column of each type.
  private static let sample = TableDescription(
    "a-table", about: "Rows.",
    columns: [
      TableColumn("someText", .text, about: "someText"), TableColumn("some_code", .integer32),
      TableColumn("price", .integer64, about: "thousandths"), TableColumn("share", .decimal),
      TableColumn("isOpen", .boolean), TableColumn("at", .time), TableColumn("since", .milliseconds),
      TableColumn("ids", .list), TableColumn("data", .json, about: "data"),
    ])

  private static func types(_ dialect: SQLDialect, _ form: TypedTable.Form) -> [String] {
    dialect.statements(TypedTable(form, sample)).split(separator: "\n").filter {
      $0.hasPrefix("  \"") || $0.hasPrefix("  `")
    }
    .map { line in
      let type = line.split(separator: " -- ")[0].split(separator: " ").dropFirst().joined(separator: " ")
      return type.replacing(",", with: "")
    }
  }

  /// `timeline --states` and the table of a store have the same rows.
  @Test func theStatesOfAStoreHaveTheColumnsOfTheOption() {
    #expect(StatesTable.columns.map(\.description.name) == StoreStates.columns)
  }

  @Test func eachDialectHasItsTypesForCSV() {
    let types = Dictionary(uniqueKeysWithValues: SQLDialect.allCases.map { ($0, Self.types($0, .csv)) })
    #expect(
      types == [
        .postgres: [
          "text", "integer", "bigint", "double precision", "boolean", "timestamptz", "bigint", "text", "jsonb",
        ],
        .sqlite: ["TEXT", "INTEGER", "INTEGER", "REAL", "INTEGER", "TEXT", "INTEGER", "TEXT", "TEXT"],
        .duckdb: ["VARCHAR", "INTEGER", "BIGINT", "DOUBLE", "BOOLEAN", "TIMESTAMPTZ", "BIGINT", "VARCHAR", "JSON"],
        .bigquery: ["STRING", "INT64", "INT64", "FLOAT64", "BOOL", "TIMESTAMP", "INT64", "STRING", "JSON"],
        .spark: ["STRING", "INT", "BIGINT", "DOUBLE", "BOOLEAN", "TIMESTAMP", "BIGINT", "STRING", "STRING"],
      ])
  }

  @Test func linesHaveTimesAsMillisecondsAndListsAsJSON() {
    #expect(Self.types(.duckdb, .ndjson)[5...7] == ["BIGINT", "BIGINT", "JSON"])
    #expect(Self.types(.postgres, .ndjson)[5...7] == ["bigint", "bigint", "jsonb"])
  }

  @Test func namesAreQuotedByTheRulesOfTheDialect() {
    func first(_ dialect: SQLDialect, _ form: TypedTable.Form) -> [Substring] {
      let lines = dialect.statements(TypedTable(form, Self.sample)).split(separator: "\n").drop { $0.hasPrefix("--") }
      return Array(lines.prefix(2)).map { $0.trimmingPrefix(#/ +/#) }
    }
    #expect(first(.postgres, .csv) == ["CREATE TABLE \"a_table\" (", "\"someText\" text,"])
    #expect(first(.bigquery, .csv) == ["CREATE TABLE `a_table` (", "`someText` STRING,"])
    // As the store's own names are, which are not quoted.
    #expect(first(.postgres, .store) == ["CREATE TABLE \"a_table\" (", "\"sometext\" text,"])
    #expect(first(.duckdb, .store)[1] == "\"someText\" VARCHAR,")
  }

  @Test func aCommentNamesWhatTheNameDoesNotSay() {
    let text = SQLDialect.duckdb.statements(TypedTable(.csv, Self.sample))
    #expect(text.contains("\"price\" BIGINT, -- thousandths\n") && text.contains("\"data\" JSON\n);"))
  }

  @Test func aNameWithoutItsFormMeansCSVFirst() throws {
    let catalog = try Self.catalog.get()
    func names(_ name: String) -> [String] { catalog.named(name).map(\.name) }
    #expect(names("states") == ["states.csv"] && names("states.ndjson") == ["states.ndjson"])
    #expect(names("notification") == ["notification.ndjson"] && names("transactions") == ["store.transactions"])
    #expect(names("parity").isEmpty && names("event").isEmpty)
    #expect(names("store") == catalog.tables.filter { $0.form == .store }.map(\.name))
  }

  /// Most engines ignore case in names.
  @Test func namesDifferInMoreThanCase() throws {
    for table in try Self.catalog.get().tables {
      let names = table.description.columns.map { $0.name.lowercased() }
      #expect(!names.isEmpty && Set(names).count == names.count, "\(table.name)")
      let isPlain = (names + [table.table]).allSatisfy {
        $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      }
      #expect(isPlain, "\(table.name) has a name that needs more than quotes")
    }
  }

  @Test func everyOutputInLinesHasATable() throws {
    let names = try Self.catalog.get().tables.filter { $0.form == .ndjson }.map(\.description.name)
    let documents: Set = ["migration", "diff", "parity", "summary", "health", "sources", "states"]
    let schemas = try SchemaCatalog(try RuleSet.builtIn()).list.map(\.name)
    #expect(names == schemas.filter { !documents.contains($0) } + ["states"])
  }

  @Test func membersOfAlternativesShareAColumnOfBothTypes() throws {
    let text = """
      {"$defs": {"one": {"type": "object", "properties": {"a": {"type": "string", "description": "an a"},
          "b": {"type": "integer"}, "c": {"$ref": "#/$defs/word"}}}, "word": {"enum": ["x", "y"]}},
        "properties": {"d": {"const": true}}, "oneOf": [{"$ref": "#/$defs/one"}, {"properties": {
          "b": {"type": "string"}, "e": {"type": "integer", "minimum": -2147483648}, "f": {"type": "array"}}}]}
      """
    let (buffer, reader) = (JSONBuffer(Array(text.utf8)), JSONReader(names: []))
    defer { withExtendedLifetime((buffer, reader)) {} }
    let columns = LineColumns(JSONElement(tape: try reader.read(buffer))).all
    #expect(columns.map(\.name) == ["d", "a", "b", "c", "e", "f"])
    #expect(columns.map(\.type) == [.boolean, .text, .json, .text, .integer32, .json])
    #expect(columns[1].about == "an a")
  }
}
