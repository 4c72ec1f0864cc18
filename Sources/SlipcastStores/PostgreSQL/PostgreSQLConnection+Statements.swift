internal import CSlipcastPostgreSQL
internal import SlipcastWire

/// The rows of a statement, which the server sends one by one.
private final class PostgreSQLRows: StoreRows {
  private let connection: PostgreSQLConnection
  private let action: String
  private var row: PostgreSQLResult?

  init(_ connection: PostgreSQLConnection, _ action: String) { (self.connection, self.action) = (connection, action) }

  func step() throws(StoreError) -> Bool {
    row = try connection.nextRow(for: action)
    return row != nil
  }

  func isNull(_ column: Int) -> Bool { row?.isNull(column) ?? true }
  func text(_ column: Int) -> String? { isNull(column) ? nil : String(decoding: bytes(column), as: UTF8.self) }
  func number(_ column: Int) -> Int64? { text(column).flatMap { Int64($0) } }
  func key(_ column: Int) -> (position: String, text: String)? { text(column).map { ($0, $0) } }

  func content(_ column: Int) -> [UInt8] {
    guard row?.type(column) == Self.bytea else { return bytes(column) }
    return Hexadecimal.decode((text(column) ?? "").dropFirst(2)) ?? []
  }

  private func bytes(_ column: Int) -> [UInt8] { row?.bytes(column) ?? [] }

  private static let bytea: UInt32 = 17
}

extension PostgreSQLConnection: StoreDatabase {
  var dialect: SQLDialect { .postgreSQL }

  func execute(_ sql: String) throws(StoreError) { _ = try result(PQexec(handle, sql), "write") }

  func rows(_ sql: String, _ parameters: [String?], for action: String) throws(StoreError) -> any StoreRows {
    if isSending { endRows() }
    let sent = Self.withPointers(parameters) { values in
      PQsendQueryParams(handle, sql, Int32(parameters.count), nil, values, nil, nil, 0)
    }
    guard sent == 1, PQsetSingleRowMode(handle) == 1 else { throw lost(action) }
    isSending = true
    return PostgreSQLRows(self, action)
  }

  /// The server treats the parameter as of the key's type, so it compares keys, not their spellings.
  func rows(_ sql: String, afterKey position: String) throws(StoreError) -> (any StoreRows)? {
    try rows(sql, [position], for: "read")
  }

  func check(_ sql: String) throws(StoreError) { _ = try result(PQprepare(handle, "", sql, 0, nil), "read") }

  func beginReading(isSorted: Bool) throws(StoreError) {
    try execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    // Without ORDER BY, these settings keep the order the same when the rows are read a second time.
    if !isSorted {
      try execute("SET LOCAL synchronize_seqscans = off; SET LOCAL max_parallel_workers_per_gather = 0")
    }
  }

  func schemaVersion() throws(StoreError) -> Int {
    guard try value("SELECT current_schema()") != nil else {
      throw StoreError(.cannotOpen, name, "open the store", "the search path names no schema that is there")
    }
    let named = """
      SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = current_schema() AND relname
      """
    if try value("\(named) = 'slipcast_schema'") != nil {
      return Int(try number("SELECT max(version) FROM slipcast_schema"))
    }
    let own = SchemaVersion.namesInPostgreSQL.map { "'\($0)'" }.joined(separator: ", ")
    if let taken = try value("\(named) IN (\(own)) ORDER BY relname") {
      throw StoreError.notAStore(name, "it has a table or view named \(taken), which slipcast did not make")
    }
    let encoding = try value("SHOW server_encoding") ?? ""
    // SQL_ASCII keeps bytes as they come.
    guard ["UTF8", "SQL_ASCII"].contains(encoding) else {
      throw StoreError(
        .cannotOpen, name, "open the store", "the database has the encoding \(encoding), which lacks most characters",
        advice: "name a database with the encoding UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0")
    }
    return 0
  }

  func setSchemaVersion(_ version: Int) throws(StoreError) {
    try execute(
      "CREATE TABLE IF NOT EXISTS slipcast_schema (version integer PRIMARY KEY, since timestamptz DEFAULT now())")
    try execute("INSERT INTO slipcast_schema (version) VALUES (\(version))")
  }

  /// The next row of the statement that was started; `nil` at its end.
  fileprivate func nextRow(for action: String) throws(StoreError) -> PostgreSQLResult? {
    while let raw = PQgetResult(handle) {
      let row = PostgreSQLResult(raw)
      switch PQresultStatus(raw) {
      case PGRES_SINGLE_TUPLE: return row
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK: continue
      default:
        let error = self.error(row, action)
        endRows()
        throw error
      }
    }
    isSending = false
    return nil
  }

  private func endRows() {
    while let rest = PQgetResult(handle) { PQclear(rest) }
    isSending = false
  }

  // MARK: copying in

  /// Starts to copy rows in PostgreSQL's binary format into a table.
  func beginCopy(_ table: String, _ columns: String) throws(StoreError) {
    guard let raw = PQexec(handle, "COPY \(table) (\(columns)) FROM STDIN (FORMAT binary)") else { throw lost("write") }
    let result = PostgreSQLResult(raw)
    guard PQresultStatus(raw) == PGRES_COPY_IN else { throw error(result, "write") }
  }

  func copy(_ bytes: Span<UInt8>) throws(StoreError) {
    guard bytes.isEmpty || put(bytes) else { throw lost("write") }
  }

  /// Ends the copy; the server reports errors in the rows now.
  func endCopy() throws(StoreError) {
    guard PQputCopyEnd(handle, nil) == 1 else { throw lost("write") }
    var failure: StoreError?
    while let raw = PQgetResult(handle) {
      let result = PostgreSQLResult(raw)
      if PQresultStatus(raw) != PGRES_COMMAND_OK { failure = failure ?? error(result, "write") }
    }
    if let failure { throw failure }
  }
}
