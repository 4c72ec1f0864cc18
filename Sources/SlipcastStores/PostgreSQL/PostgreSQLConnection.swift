internal import CSlipcastPostgreSQL

/// One connection to PostgreSQL; owns the handle and closes it.
final class PostgreSQLConnection {
  /// The name in errors: without a password.
  let name: String
  let handle: OpaquePointer

  /// Connects.
  ///
  /// libpq's other settings (PGPASSWORD, the password file, the service file) apply as always.
  init(_ connection: ConnectionText, name: String) throws(StoreError) {
    self.name = name
    // Values after `dbname` take precedence over it, and it takes precedence over those before it.
    let parameters: [(String, String)] = [
      ("connect_timeout", "15"), ("fallback_application_name", "slipcast"), ("dbname", connection.uri),
      ("client_encoding", "UTF8"),
    ]
    guard let made = Self.connect(parameters) else { throw StoreError(.cannotOpen, name, "connect", "no memory") }
    handle = made
    // Notices go nowhere: libpq would print them to standard error.
    PQsetNoticeProcessor(made, { _, _ in }, nil)
    guard PQstatus(made) == CONNECTION_OK else {
      throw StoreError(
        .cannotOpen, name, "connect", Self.line(PQerrorMessage(made)),
        advice: "look whether the server runs and lets this user in")
    }
    try execute(
      "SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET IntervalStyle = 'iso_8601'; SET bytea_output = 'hex'; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0"
    )
  }

  deinit { PQfinish(handle) }

  private static func connect(_ parameters: [(String, String)]) -> OpaquePointer? {
    withPointers(parameters.map(\.0)) { names in withPointers(parameters.map(\.1)) { PQconnectdbParams(names, $0, 1) } }
  }

  /// Texts as an array of C strings that ends with NULL.
  static func withPointers<Result>(
    _ texts: [String], _ use: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = texts.map { text in
      let bytes = Array(text.utf8CString)
      let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
      copy.initialize(from: bytes, count: bytes.count)
      return copy
    }
    defer { copies.forEach { $0.deallocate() } }
    let pointers = copies.map { Optional(UnsafePointer($0)) } + [nil]
    return pointers.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("an array that is not empty has an address") }
      return use(base)
    }
  }

  // MARK: names and errors

  /// A quoted identifier, safe for any name.
  func quote(_ name: String) throws(StoreError) -> String {
    guard let quoted = PQescapeIdentifier(handle, name, name.utf8.count) else {
      throw StoreError(.queryFailed, self.name, "read", "a name is not text")
    }
    defer { PQfreemem(quoted) }
    return String(cString: quoted)
  }

  func result(_ raw: OpaquePointer?, _ action: String) throws(StoreError) -> PostgreSQLResult {
    guard let raw else { throw lost(action) }
    let result = PostgreSQLResult(raw)
    switch PQresultStatus(raw) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE: return result
    default: throw error(result, action)
    }
  }

  func lost(_ action: String) -> StoreError {
    StoreError(
      .connectionLost, name, action, Self.line(PQerrorMessage(handle)),
      advice: "run the command again when it is back; add --resume to a convert with a checkpoint")
  }

  func error(_ result: PostgreSQLResult, _ action: String) -> StoreError {
    let state = result.sqlState ?? ""
    // An error without a state is libpq's own, not the server's, even where the connection still counts as valid.
    let isLost = state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P") || PQstatus(handle) != CONNECTION_OK
    if isLost { return lost(action) }
    let reason = PostgreSQLMessage.withoutValues(result.primaryMessage ?? Self.line(PQerrorMessage(handle)), state)
    let kind: StoreError.Kind
    switch state {
    case "25006", "42501": kind = .readOnly
    case "53100", "53200": kind = .full
    case "55P03", "40P01", "40001": kind = .locked
    default: kind = .queryFailed
    }
    return StoreError(kind, name, action, reason, sqlState: state)
  }

  /// The first line of libpq's message; further lines may quote values.
  private static func line(_ words: UnsafePointer<CChar>?) -> String {
    let text = words.map { String(cString: $0) } ?? ""
    return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "the server gives no reason"
  }
}

extension PostgreSQLConnection: VersionedDatabase {
  func statements(of version: SchemaVersion) -> String { version.postgreSQL }

  func execute(_ sql: String) throws(StoreError) { _ = try result(PQexec(handle, sql), "write") }

  func schemaVersion() throws(StoreError) -> Int {
    let schema = try query("SELECT current_schema()").text(0, 0)
    guard schema != nil else {
      throw StoreError(.cannotOpen, name, "open the store", "the search path names no schema that is there")
    }
    let marked = try query(
      "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'slipcast_schema'")
    if marked.rows > 0 { return Int(try query("SELECT max(version) FROM slipcast_schema").text(0, 0) ?? "") ?? 0 }
    let foreign = try query(
      "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename IN ('runs', 'notifications', 'answers')"
    )
    guard foreign.rows == 0 else {
      throw StoreError.notAStore(name, "there are tables of a store's names, but slipcast did not make them")
    }
    return 0
  }

  func setSchemaVersion(_ version: Int) throws(StoreError) {
    try execute(
      "CREATE TABLE IF NOT EXISTS slipcast_schema (version integer PRIMARY KEY, since timestamptz DEFAULT now())")
    _ = try query("INSERT INTO slipcast_schema (version) VALUES ($1::integer)", [String(version)], for: "write")
  }
}
