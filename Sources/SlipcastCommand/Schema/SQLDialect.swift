import SlipcastBulk

/// A database or data engine for which `schema --sql` writes tables.
enum SQLDialect: String, CaseIterable {
  case postgres, sqlite, duckdb, bigquery, spark

  /// The statements that create a table, with a comment for each column and for the command that loads it.
  func statements(_ table: TypedTable) -> String {
    let columns = table.description.columns
    var lines = ["-- \(table.name): \(table.description.about)"]
    lines += ["-- Load:"] + loading(table).map { "--   \($0)" }
    lines.append("CREATE TABLE \(quoted(table.table, in: table)) (")
    for (number, column) in columns.enumerated() {
      let comma = number == columns.count - 1 ? "" : ","
      let about = column.about == column.name || column.about.isEmpty ? "" : " -- \(column.about)"
      lines.append("  \(quoted(column.name, in: table)) \(type(column, in: table))\(comma)\(about)")
    }
    lines.append(self == .spark ? ") USING parquet;" : ");")
    if self == .sqlite, table.form == .csv { lines += trigger(table) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A name of a table or column.
  ///
  /// A store does not quote its names, so PostgreSQL has them in lower case.
  func quoted(_ name: String, in table: TypedTable) -> String {
    switch self {
    case .postgres: "\"\(table.form == .store ? name.lowercased() : name)\""
    case .sqlite, .duckdb: "\"\(name)\""
    case .bigquery, .spark: "`\(name)`"
    }
  }

  private func type(_ column: TableColumn, in table: TypedTable) -> String {
    let type = table.type(column)
    return switch self {
    // A store keeps the bytes of its bodies, which jsonb does not.
    case .postgres: type == .json && table.form == .store ? "json" : Self.postgresType(type)
    case .sqlite: Self.sqliteType(type)
    case .duckdb: Self.duckdbType(type)
    case .bigquery: Self.bigqueryType(type)
    case .spark: Self.sparkType(type)
    }
  }

  private static func postgresType(_ type: ColumnType) -> String {
    switch type {
    case .text, .list: "text"
    case .integer32: "integer"
    case .integer64, .milliseconds: "bigint"
    case .decimal: "double precision"
    case .boolean: "boolean"
    case .time: "timestamptz"
    case .json: "jsonb"
    }
  }

  /// SQLite has no types for times, booleans (1 or 0) and JSON.
  private static func sqliteType(_ type: ColumnType) -> String {
    switch type {
    case .text, .list, .time, .json: "TEXT"
    case .integer32, .integer64, .milliseconds, .boolean: "INTEGER"
    case .decimal: "REAL"
    }
  }

  private static func duckdbType(_ type: ColumnType) -> String {
    switch type {
    case .text, .list: "VARCHAR"
    case .integer32: "INTEGER"
    case .integer64, .milliseconds: "BIGINT"
    case .decimal: "DOUBLE"
    case .boolean: "BOOLEAN"
    case .time: "TIMESTAMPTZ"
    case .json: "JSON"
    }
  }

  private static func bigqueryType(_ type: ColumnType) -> String {
    switch type {
    case .text, .list: "STRING"
    case .integer32, .integer64, .milliseconds: "INT64"
    case .decimal: "FLOAT64"
    case .boolean: "BOOL"
    case .time: "TIMESTAMP"
    case .json: "JSON"
    }
  }

  private static func sparkType(_ type: ColumnType) -> String {
    switch type {
    case .text, .list, .json: "STRING"
    case .integer32: "INT"
    case .integer64, .milliseconds: "BIGINT"
    case .decimal: "DOUBLE"
    case .boolean: "BOOLEAN"
    case .time: "TIMESTAMP"
    }
  }

  /// SQLite imports each cell of CSV as text: an empty one becomes NULL, and true and false become 1 and 0.
  private func trigger(_ table: TypedTable) -> [String] {
    let name = quoted(table.table, in: table)
    let columns = table.description.columns
    let values = columns.enumerated().map { number, column in
      let cell = quoted(column.name, in: table)
      let value =
        table.type(column) == .boolean
        ? "CASE \(cell) WHEN 'true' THEN 1 WHEN 'false' THEN 0 ELSE nullif(\(cell), '') END" : "nullif(\(cell), '')"
      return "    \(cell) = \(value)" + (number == columns.count - 1 ? "" : ",")
    }
    return ["CREATE TRIGGER \"\(table.table)_values\" AFTER INSERT ON \(name) BEGIN", "  UPDATE \(name) SET"] + values
      + ["  WHERE rowid = new.rowid;", "END;"]
  }
}
