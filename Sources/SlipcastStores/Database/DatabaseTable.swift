/// A table or view of another program's database.
package struct DatabaseTable: Sendable {
  package var name: String
  package var columns: [String]
  /// The only column of its primary key; `nil` where it has none, or one of several columns.
  package var key: String?

  private static let mostTables = 200
  private static let mostColumns = 200

  /// The tables of a database; `nil` for a Slipcast store, whose tables are not for others.
  ///
  /// - Throws: `StoreError` for a database that cannot be read.
  package static func all(of location: StoreLocation) throws -> [DatabaseTable]? {
    let database = try Store.connect(location)
    // A database of another program has no version.
    if let version = try? database.schemaVersion(), version > 0 { return nil }
    var tables: [DatabaseTable] = []
    for name in try texts(StoreQueries.tables(database.dialect), [], of: database, most: mostTables) {
      let columns = try texts(StoreQueries.columns(database.dialect), [name], of: database, most: mostColumns)
      let keys = try texts(StoreQueries.primaryKey(database.dialect), [name], of: database, most: 2)
      tables.append(DatabaseTable(name: name, columns: columns, key: keys.count == 1 ? keys[0] : nil))
    }
    return tables
  }

  /// The first column of the first rows.
  private static func texts(
    _ sql: String, _ parameters: [String?], of database: any StoreDatabase, most: Int
  ) throws -> [String] {
    let rows = try database.rows(sql, parameters, for: "read")
    var texts: [String] = []
    while texts.count < most, try rows.step() { texts.append(rows.text(0) ?? "") }
    return texts
  }
}
