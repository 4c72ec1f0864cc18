/// One step of the schema: the statements that lead from the version before to this one.
///
/// Steps are only ever added; a step that stands in a release is not changed any more.
struct SchemaVersion: Sendable {
  /// The version that the statements lead to, from 1.
  var number: Int
  /// Statements that are valid in SQLite and PostgreSQL.
  var sql: String
  /// Statements behind them for PostgreSQL alone.
  var postgreSQL = ""

  /// All steps, the first one first.
  static let all = [
    SchemaVersion(
      number: 1, sql: text(PackageResources.schema_1_sql), postgreSQL: text(PackageResources.postgresql_1_sql)),
    SchemaVersion(number: 2, sql: text(PackageResources.schema_2_sql)),
  ]

  /// What a finished store has beside its tables; it may be run any number of times.
  static let indexes = text(PackageResources.indexes_sql)

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// A database that keeps the number of its schema's version.
protocol VersionedDatabase {
  /// Runs statements that give no rows.
  func execute(_ sql: String) throws(StoreError)
  /// The version that stands in the database; 0 for an empty one.
  func schemaVersion() throws(StoreError) -> Int
  /// Keeps the version, as part of the open transaction.
  func setSchemaVersion(_ version: Int) throws(StoreError)
  /// What errors call the database.
  var name: String { get }
  /// The part of a step that is for this kind of database alone.
  func statements(of version: SchemaVersion) -> String
}

extension VersionedDatabase {
  /// Brings the database to the newest version, each step in a transaction of its own.
  func migrate(_ versions: [SchemaVersion] = SchemaVersion.all) throws(StoreError) {
    let newest = versions.last?.number ?? 0
    let found = try schemaVersion()
    guard found <= newest else { throw StoreError.tooNew(name, found: found, known: newest) }
    for version in versions where version.number > found {
      try execute("BEGIN")
      do {
        try execute(version.sql)
        let own = statements(of: version)
        if !own.isEmpty { try execute(own) }
        try setSchemaVersion(version.number)
        try execute("COMMIT")
      } catch {
        try? execute("ROLLBACK")
        throw error
      }
    }
  }
}
