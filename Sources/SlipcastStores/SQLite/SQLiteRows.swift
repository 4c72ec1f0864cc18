package import SlipcastBulk
internal import SlipcastWire

/// Rows of an SQLite table or query with legacy records, read in one pass of one snapshot.
///
/// With a key, rows come in key order and `position` is the last key. A key that is NULL or occurs twice is an error,
/// because a resumed run could lose rows. Without a key, rows come in SQLite's order.
package final class SQLiteRows: RowFeed {
  package let name: String
  package let holdsConverted = false
  package private(set) var position: String?

  private let database: SQLiteDatabase
  private let selection: StoreLocation.Selection
  private var statement: SQLiteStatement?
  private var isAtEnd = false

  init(path: String, name: String, _ selection: StoreLocation.Selection) throws(StoreError) {
    (self.name, self.selection) = (name, selection)
    database = try SQLiteDatabase(path: path, name: name, .readOnly)
    try database.execute("BEGIN")
    // A wrong name is reported at once, not after the run has started.
    statement = try database.prepare(sql(isResumed: false), for: "read")
  }

  package func resume(at position: String) throws {
    guard selection.key != nil, let key = SQLiteKey(position: position) else {
      throw StoreError(.cannotResume, name, "resume", "the rows have no key to resume after", advice: "add key=COLUMN")
    }
    let statement = try database.prepare(sql(isResumed: true), for: "read")
    switch key {
    case .integer(let value): try statement.bind(value, at: 1)
    case .real(let value): try statement.bind(value, at: 1)
    case .text(let value): try statement.bind(value, at: 1)
    case .blob(let value): try statement.bind(blob: value, at: 1)
    }
    (self.statement, self.position) = (statement, position)
  }

  package func rewind() throws {
    statement = try database.prepare(sql(isResumed: false), for: "read")
    (position, isAtEnd) = (nil, false)
  }

  package func read(into page: RowPage) throws -> Bool {
    guard let statement, !isAtEnd else { return false }
    let before = page.rows.count
    while !PageLimit.isReached(page) {
      guard try statement.step() else {
        isAtEnd = true
        break
      }
      try append(statement, to: page)
    }
    return page.rows.count > before
  }

  private func append(_ statement: SQLiteStatement, to page: RowPage) throws(StoreError) {
    var id: String?
    var column = 1
    if selection.key != nil {
      guard let key = SQLiteKey(statement, column) else { throw StoreError.nullKey(name) }
      guard key.position != position else { throw StoreError.keyTwice(name) }
      (position, id) = (key.position, key.text)
      column += 1
    }
    let time = selection.receivedAt.flatMap { _ in statement.text(column) }.flatMap(ReceivedTime.milliseconds)
    page.append(statement.bytes(0).span, id: id, receivedAt: time)
    page.rows[page.rows.count - 1].isNull = statement.isNull(0)
    page.rows[page.rows.count - 1].isTimeUnreadable = selection.receivedAt != nil && time == nil
  }

  /// Columns are qualified: SQLite reads an unqualified quoted name as a text if no column has it.
  private func sql(isResumed: Bool) -> String {
    var columns = [selection.body]
    if let key = selection.key { columns.append(key) }
    if let time = selection.receivedAt { columns.append(time) }
    var sql = "SELECT " + columns.map { "rows." + Self.quote($0) }.joined(separator: ", ") + " FROM "
    switch selection.origin {
    case .table(let table): sql += Self.quote(table: table)
    case .query(let query): sql += "(\(SQLText.query(query))\n)"
    }
    sql += " AS rows"
    if let key = selection.key {
      // Two keys that differ only for a person must not be one here.
      let key = "rows." + Self.quote(key) + " COLLATE BINARY"
      sql += (isResumed ? " WHERE \(key) > ?1" : "") + " ORDER BY \(key)"
    }
    return sql
  }

  static func quote(_ name: String) -> String { "\"" + SQLText.doubled(name, "\"") + "\"" }

  static func quote(table: String) -> String {
    table.split(separator: ".").map { quote(String($0)) }.joined(separator: ".")
  }
}

/// The key of a row, kept with its type so that it comes back exactly.
enum SQLiteKey: Equatable {
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  init?(_ statement: SQLiteStatement, _ column: Int) {
    switch statement.kind(column) {
    case .null: return nil
    case .integer: self = .integer(statement.integer(column))
    case .real: self = .real(statement.real(column))
    case .text: self = .text(statement.text(column) ?? "")
    case .blob: self = .blob(Array(statement.bytes(column)))
    }
  }

  init?(position: String) {
    guard let colon = position.firstIndex(of: ":") else { return nil }
    let value = String(position[position.index(after: colon)...])
    switch position[..<colon] {
    case "integer":
      guard let number = Int64(value) else { return nil }
      self = .integer(number)
    case "real":
      guard let bits = UInt64(value, radix: 16) else { return nil }
      self = .real(Double(bitPattern: bits))
    case "text": self = .text(value)
    case "blob":
      guard let bytes = Hexadecimal.decode(value) else { return nil }
      self = .blob(bytes)
    default: return nil
    }
  }

  /// The text form that `init(position:)` reads.
  var position: String {
    switch self {
    case .integer(let value): "integer:\(value)"
    case .real(let value): "real:" + String(value.bitPattern, radix: 16)
    case .text(let value): "text:" + value
    case .blob(let value): "blob:" + Hexadecimal.encode(value)
    }
  }

  /// The key as rejects name the row.
  var text: String {
    switch self {
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let value): value
    case .blob(let value): Hexadecimal.encode(value)
    }
  }
}
