import SlipcastBulk

extension SQLDialect {
  /// What loads a file of the table, or the table of a store, with the engine's own loader; a line for each statement.
  func loading(_ table: TypedTable) -> [String] {
    switch table.form {
    case .csv: [csv(table, "\(table.description.name).csv")]
    case .ndjson: ndjson(table, "\(table.description.name).ndjson")
    case .store: store(table)
    }
  }

  private func csv(_ table: TypedTable, _ file: String) -> String {
    let name = quoted(table.table, in: table)
    return switch self {
    case .postgres: "\\copy \(name) FROM '\(file)' WITH (FORMAT csv, HEADER)"
    case .sqlite: ".import --csv --skip 1 \(file) \(table.table)"
    case .duckdb: "COPY \(name) FROM '\(file)' (FORMAT csv, HEADER, DELIMITER ',', QUOTE '\"', ESCAPE '\"');"
    case .bigquery:
      "bq load --source_format=CSV --skip_leading_rows=1 --allow_quoted_newlines DATASET.\(table.table) \(file)"
    case .spark: spark(table, "csv(\"\(file)\", header=True, escape='\"', multiLine=True)")
    }
  }

  private func ndjson(_ table: TypedTable, _ file: String) -> [String] {
    let name = quoted(table.table, in: table)
    switch self {
    // No line of JSON contains the control characters that stand for quote and separator.
    case .postgres:
      return [
        "CREATE TEMP TABLE lines (line jsonb);",
        "\\copy lines FROM '\(file)' WITH (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')",
        "INSERT INTO \(name) SELECT row.* FROM lines, jsonb_populate_record(NULL::\(name), line) AS row;",
      ]
    case .sqlite:
      let values = table.description.columns.map { "json_extract(line, '$.\"\($0.name)\"')" }
      return [
        "CREATE TEMP TABLE lines (line TEXT);", ".mode ascii", ".separator \"\\001\" \"\\n\"", ".import \(file) lines",
        "INSERT INTO \(name) SELECT \(values.joined(separator: ", ")) FROM lines;",
      ]
    case .duckdb: return ["COPY \(name) FROM '\(file)' (FORMAT json);"]
    case .bigquery:
      return [
        "bq load --source_format=NEWLINE_DELIMITED_JSON --ignore_unknown_values DATASET.\(table.table) \(file)"
      ]
    case .spark: return [spark(table, "json(\"\(file)\")")]
    }
  }

  /// A store is SQLite or PostgreSQL, so these have the table already.
  private func store(_ table: TypedTable) -> [String] {
    let (name, source) = (quoted(table.table, in: table), table.description.name)
    switch self {
    case .sqlite:
      return ["ATTACH 'store.sqlite' AS store;", "INSERT INTO \(name) SELECT * FROM store.\(source);"]
    case .spark:
      let read = "spark.read.jdbc(\"jdbc:postgresql://HOST/DATABASE\", \"\(source)\")"
      return ["\(read).write.insertInto(\"\(table.table)\")"]
    default:
      // Files of the command have some of these names too. The header is a separate row: sqlite3 -header prints none for
      // an empty table, and DuckDB cannot read an empty file.
      let file = "store.\(source).csv"
      let header = table.description.columns.map { "'\($0.name)'" }.joined(separator: ", ")
      let rows = "\"VALUES (\(header))\" 'SELECT * FROM \(source)'"
      return ["sqlite3 -noheader -csv store.sqlite \(rows) > \(file)", csv(table, file)]
    }
  }

  private func spark(_ table: TypedTable, _ read: String) -> String {
    "spark.read.schema(spark.table(\"\(table.table)\").schema).\(read).write.insertInto(\"\(table.table)\")"
  }
}
