/// One step of the schema: the statements that lead from the previous version to this one.
///
/// New steps are only appended; a released step never changes.
struct SchemaVersion: Sendable {
  /// The version that the statements lead to, from 1.
  var number: Int
  /// Statements that are valid in SQLite and PostgreSQL.
  var sql: String
  /// Further statements for SQLite only.
  var sqlite = ""
  /// Further statements for PostgreSQL only.
  var postgreSQL = ""

  /// All steps, the first one first.
  static let all = [
    SchemaVersion(
      number: 1, sql: text(PackageResources.schema_1_sql), postgreSQL: text(PackageResources.postgresql_1_sql)),
    SchemaVersion(number: 2, sql: text(PackageResources.schema_2_sql)),
    SchemaVersion(
      number: 3, sql: "", sqlite: views(PackageResources.schema_3_sql, dateInSQLite),
      postgreSQL: views(PackageResources.schema_3_sql, dateInPostgreSQL)),
    SchemaVersion(number: 4, sql: text(PackageResources.schema_4_sql)),
    SchemaVersion(
      number: 5, sql: text(PackageResources.schema_5_sql),
      sqlite: "DROP VIEW events_view;\n" + views(PackageResources.views_5_sql, dateInSQLite),
      // Views of others may depend on it.
      postgreSQL: views(PackageResources.views_5_sql, dateInPostgreSQL)
        .replacing("CREATE VIEW", with: "CREATE OR REPLACE VIEW")),
    SchemaVersion(number: 6, sql: text(PackageResources.schema_6_sql)),
    SchemaVersion(number: 7, sql: text(PackageResources.schema_7_sql)),
  ]

  /// The step from which on records state their side.
  static let ofOrigins = 5

  /// The step from which on runs may keep what lists show.
  static let ofListedPeriods = 6

  /// The indexes of a finished store; the statements may run any number of times.
  static let indexes = text(PackageResources.indexes_sql)

  /// The tables, views and indexes that a new store makes at once, as PostgreSQL folds their names.
  static let namesInPostgreSQL = all.flatMap { version in
    (version.sql + version.postgreSQL).matches(of: /CREATE (?:OR REPLACE )?(?:TABLE|VIEW|INDEX) "?(\w+)/)
      .map { $0.output.1.lowercased() }
  }

  /// The columns of a table after all steps: how the steps are written is part of what tests check.
  static func columns(of table: String) -> [(name: String, isText: Bool, isIndexed: Bool)] {
    let indexes = indexStatements.filter { $0.contains(" ON \(table)\n") || $0.contains(" ON \(table) ") }
    let indexed = Set(indexes.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") } }.map(String.init))
    return lines(of: table).compactMap { line in
      guard let words = wordsOfColumn(line) else { return nil }
      return (words[0], words[1] == "text", words.contains("PRIMARY") || indexed.contains(words[0]))
    }
  }

  /// The lines between the parentheses of a table, and a line for each column that a later step adds.
  static func lines(of table: String) -> [Substring] { linesOfTables[table] ?? [] }

  // By their first words: with regular expressions it took 127 million instructions, as many as to convert 1,200 records.
  private static let linesOfTables = {
    var lines: [String: [Substring]] = [:]
    for version in all {
      var table: String?
      for line in version.sql.split(separator: "\n") {
        let words = line.split(separator: " ", maxSplits: 5)
        if words.count == 4, words.starts(with: ["CREATE", "TABLE"]), line.hasSuffix(" (") {
          table = String(words[2])
        } else if line == ");" {
          table = nil
        } else if let table {
          lines[table, default: []].append(line)
        } else if words.count == 6, words.starts(with: ["ALTER", "TABLE"]), words[3...].starts(with: ["ADD", "COLUMN"])
        {
          lines[String(words[2]), default: []].append(words[5].dropLast())
        }
      }
    }
    return lines
  }()

  /// The name, the type and what follows of a line that describes a column.
  static func wordsOfColumn(_ line: Substring) -> [String]? {
    let words = line.split { " ,(".contains($0) }.map(String.init)
    return words.count > 1 && !["--", "PRIMARY"].contains(words[0]) ? words : nil
  }

  /// The indexes, one by one.
  static let indexStatements = {
    let lines = indexes.split(separator: "\n").filter { !$0.hasPrefix("--") }
    return lines.joined(separator: "\n").split(separator: ";").map(String.init)
  }()

  private static func dateInSQLite(_ date: String) -> String {
    "strftime('%Y-%m-%dT%H:%M:%S', \(date) / 1000, 'unixepoch') || printf('.%03dZ', \(date) % 1000)"
  }

  private static func dateInPostgreSQL(_ date: String) -> String {
    "to_char(to_timestamp(\(date) / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS')"
      + " || '.' || lpad((\(date) % 1000)::text, 3, '0') || 'Z'"
  }

  /// Views: `iso(COLUMN)` is a date as text, which each database writes in its own way.
  ///
  /// A date before 1970 or after the year 9999 is NULL, because databases fail at some of them.
  private static func views(_ sql: [UInt8], _ iso: (String) -> String) -> String {
    text(sql).replacing(/iso\((\w+\.\w+)\)/) { match in
      let column = String(match.output.1)
      return "CASE WHEN \(column) BETWEEN 0 AND 253402300799999 THEN \(iso(column)) END"
    }
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
