/// A connection to a database, as everything but the writing of records uses it: SQLite and PostgreSQL alike.
///
/// Parameters of statements are `$1`, `$2`…, in the order in which a statement first names them. They are texts; the
/// database converts them to the types that it compares or stores.
protocol StoreDatabase: AnyObject {
  /// The name in errors: without a password.
  var name: String { get }
  var dialect: SQLDialect { get }
  /// Runs statements that return no rows.
  func execute(_ sql: String) throws(StoreError)
  /// Starts one statement, whose rows come one by one, in constant memory; the next statement may end it.
  func rows(_ sql: String, _ parameters: [String?], for action: String) throws(StoreError) -> any StoreRows
  /// Starts a statement with the key of a row, as `StoreRows.key` returned it; `nil` for any other text.
  func rows(_ sql: String, afterKey position: String) throws(StoreError) -> (any StoreRows)?
  /// Reports what is wrong with a statement that is not run yet.
  func check(_ sql: String) throws(StoreError)
  /// Begins to read one snapshot.
  ///
  /// - Parameter isSorted: all rows are sorted; others must come in the same order when they are read again.
  func beginReading(isSorted: Bool) throws(StoreError)
  /// The version of the schema; 0 for an empty database.
  func schemaVersion() throws(StoreError) -> Int
  /// Stores the version, as part of the open transaction.
  func setSchemaVersion(_ version: Int) throws(StoreError)
}

/// The rows of a statement; columns count from 0.
protocol StoreRows: AnyObject {
  /// Goes to the next row; false after the last one.
  func step() throws(StoreError) -> Bool
  func isNull(_ column: Int) -> Bool
  /// The value as text; `nil` for NULL.
  func text(_ column: Int) -> String?
  func number(_ column: Int) -> Int64?
  /// The bytes of a text or of binary data.
  func content(_ column: Int) -> [UInt8]
  /// The value with its type, so that it comes back exactly, and as rejects name it; `nil` for NULL.
  func key(_ column: Int) -> (position: String, text: String)?
}

/// How a database spells what the other one spells differently.
enum SQLDialect {
  case sqlite, postgreSQL

  /// A name with its quotes doubled; by scalars, because a quote with a combining mark is another character to Swift, not
  /// to a database.
  static func quote(_ name: String) -> String {
    var quoted = "\"".unicodeScalars
    for scalar in name.unicodeScalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    return String(quoted) + "\""
  }
}

extension StoreDatabase {
  func rows(_ sql: String, for action: String = "read") throws(StoreError) -> any StoreRows {
    try rows(sql, [], for: action)
  }

  func run(_ sql: String, _ parameters: [String?], for action: String = "write") throws(StoreError) {
    let rows = try rows(sql, parameters, for: action)
    while try rows.step() {}
  }

  /// The first column of the first row; `nil` without a row.
  func value(_ sql: String, _ parameters: [String?] = []) throws(StoreError) -> String? {
    let rows = try rows(sql, parameters, for: "read")
    var found: String?
    while try rows.step() { found = found ?? rows.text(0) }
    return found
  }

  /// The same as a number; 0 without one.
  func number(_ sql: String) throws(StoreError) -> Int64 { try value(sql).flatMap { Int64($0) } ?? 0 }

  /// Inserts rows with one statement.
  ///
  /// - Parameter values: those of all rows, row by row.
  func insert(into table: String, _ columns: [String], _ values: [String?]) throws(StoreError) {
    // SQLite looks for a name among all names before it, and not for a number.
    let mark = dialect == .sqlite ? "?" : "$"
    let rows = stride(from: 0, to: values.count, by: columns.count).map { start in
      "(" + columns.indices.map { "\(mark)\(start + $0 + 1)" }.joined(separator: ", ") + ")"
    }
    try run(
      "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES \(rows.joined(separator: ", "))", values)
  }

  /// Updates the database to the newest version, each step in a separate transaction.
  func migrate(_ versions: [SchemaVersion] = SchemaVersion.all) throws(StoreError) {
    let newest = versions.last?.number ?? 0
    let found = try schemaVersion()
    guard found <= newest else { throw StoreError.tooNew(name, found: found, known: newest) }
    for version in versions where version.number > found {
      try execute("BEGIN")
      do {
        let own = dialect == .sqlite ? version.sqlite : version.postgreSQL
        for sql in [version.sql, own] where !sql.isEmpty { try execute(sql) }
        try setSchemaVersion(version.number)
        try execute("COMMIT")
      } catch {
        try? execute("ROLLBACK")
        throw error
      }
    }
  }
}
