package import SlipcastBulk
internal import SlipcastWire

/// Rows of a PostgreSQL table or query with legacy records, read in one pass of one snapshot.
///
/// With a key, rows come in key order and `position` is the last key, as text. A key that is NULL or occurs twice is an
/// error, because a resumed run could lose rows. Without a key, rows come in the server's order.
package final class PostgreSQLRows: RowFeed {
  package let name: String
  package let holdsConverted = false
  package private(set) var position: String?

  private let connection: PostgreSQLConnection
  private let selection: StoreLocation.Selection
  private let types: [UInt32]
  private var isStarted = false
  private var isAtEnd = false

  init(_ text: ConnectionText, name: String, _ selection: StoreLocation.Selection) throws(StoreError) {
    (self.name, self.selection) = (name, selection)
    connection = try PostgreSQLConnection(text, name: name)
    try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    if selection.key == nil {
      // Without ORDER BY, these settings keep the order the same when the rows are read a second time.
      try connection.execute("SET LOCAL synchronize_seqscans = off; SET LOCAL max_parallel_workers_per_gather = 0")
    }
    // A wrong name is reported at once, not after the run has started.
    do {
      types = try connection.columnTypes(Self.sql(selection, connection, isResumed: false))
    } catch {
      throw Self.advise(error)
    }
  }

  /// The most common mistake: names are case-sensitive here, and PostgreSQL has folded those of most tables to lower
  /// case.
  private static func advise(_ error: StoreError) -> StoreError {
    guard let state = error.sqlState, ["42703", "42P01"].contains(state) else { return error }
    var error = error
    error.advice = "PostgreSQL folds names that were not quoted to lower case; spell them as the database does"
    return error
  }

  package func resume(at position: String) throws {
    guard selection.key != nil else {
      throw StoreError(.cannotResume, name, "resume", "the rows have no key to resume after", advice: "add key=COLUMN")
    }
    self.position = position
  }

  package func rewind() { (position, isStarted, isAtEnd) = (nil, false, false) }

  package func read(into page: RowPage) throws -> Bool {
    if !isStarted { try start() }
    let before = page.rows.count
    while !isAtEnd, !PageLimit.isReached(page) {
      guard let row = try connection.nextRow() else {
        isAtEnd = true
        break
      }
      try append(row, to: page)
    }
    return page.rows.count > before
  }

  private func start() throws(StoreError) {
    isStarted = true
    let sql = try Self.sql(selection, connection, isResumed: position != nil)
    // The parameter has the key's own type, so the server compares keys, not their spellings.
    if let position { try connection.stream(sql, [position], types: [types[1]]) } else { try connection.stream(sql) }
  }

  private func append(_ row: PostgreSQLResult, to page: RowPage) throws(StoreError) {
    var id: String?
    var column = 1
    if selection.key != nil {
      guard let key = row.text(0, column) else { throw StoreError.nullKey(name) }
      guard key != position else { throw StoreError.keyTwice(name) }
      (position, id) = (key, key)
      column += 1
    }
    let time = selection.receivedAt.flatMap { _ in row.text(0, column) }.flatMap(ReceivedTime.milliseconds)
    if types.first == Self.bytea, let bytes = Hexadecimal.decode((row.text(0, 0) ?? "").dropFirst(2)) {
      page.append(bytes.span, id: id, receivedAt: time)
    } else {
      page.append(row.bytes(0, 0).span, id: id, receivedAt: time)
    }
    page.rows[page.rows.count - 1].isNull = row.isNull(0, 0)
    page.rows[page.rows.count - 1].isTimeUnreadable = selection.receivedAt != nil && time == nil
  }

  private static let bytea: UInt32 = 17

  private static func sql(
    _ selection: StoreLocation.Selection, _ connection: PostgreSQLConnection, isResumed: Bool
  ) throws(StoreError) -> String {
    var columns = [try connection.quote(selection.body)]
    if let key = selection.key { columns.append(try connection.quote(key)) }
    if let time = selection.receivedAt { columns.append(try connection.quote(time)) }
    var sql = "SELECT " + columns.map { "rows." + $0 }.joined(separator: ", ") + " FROM "
    switch selection.origin {
    case .table(let table):
      var parts: [String] = []
      for part in table.split(separator: ".") { parts.append(try connection.quote(String(part))) }
      sql += parts.joined(separator: ".")
    case .query(let query): sql += "(\(SQLText.query(query))\n)"
    }
    sql += " AS rows"
    if selection.key != nil {
      sql += (isResumed ? " WHERE rows.\(columns[1]) > $1" : "") + " ORDER BY rows.\(columns[1])"
    }
    return sql
  }
}
