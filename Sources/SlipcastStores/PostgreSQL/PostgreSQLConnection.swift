internal import CSlipcastLater
internal import CSlipcastPostgreSQL

/// One connection to PostgreSQL; owns the handle and closes it.
final class PostgreSQLConnection {
  /// The name in errors: without a password.
  let name: String
  let handle: OpaquePointer
  /// A statement may have rows that were not read.
  var isSending = false

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
    withPointers(parameters.map { $0.0 }) { names in
      withPointers(parameters.map { $0.1 }) { PQconnectdbParams(names, $0, 1) }
    }
  }

  /// Texts as an array of C strings that ends with NULL; `nil` is NULL too.
  static func withPointers<Result>(
    _ texts: [String?], _ use: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = texts.map { text in
      text.map { text in
        let bytes = Array(text.utf8CString)
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        copy.initialize(from: bytes, count: bytes.count)
        return copy
      }
    }
    defer { copies.forEach { $0?.deallocate() } }
    let pointers: [UnsafePointer<CChar>?] = copies.map { UnsafePointer($0) } + [nil]
    return pointers.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("an array that is not empty has an address") }
      return use(base)
    }
  }

  /// Sends a part of a copy; false where the connection is gone.
  func put(_ bytes: Span<UInt8>) -> Bool {
    bytes.withUnsafeBytes {
      PQputCopyData(handle, $0.bindMemory(to: CChar.self).baseAddress, Int32(truncatingIfNeeded: $0.count)) == 1
    }
  }

  // MARK: results and errors

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
    let reason = Self.withoutValues(result.primaryMessage ?? Self.line(PQerrorMessage(handle)), state)
    let kind: StoreError.Kind
    switch state {
    case "25006", "42501": kind = .readOnly
    case "53100", "53200": kind = .full
    case "55P03", "40P01", "40001": kind = .locked
    default: kind = .queryFailed
    }
    return StoreError(kind, name, action, reason, sqlState: state)
  }

  /// The part of the server's message that may be shown.
  ///
  /// Messages about values (SQLSTATE class 22) quote them after a colon; that part is dropped.
  static func withoutValues(_ message: String, _ state: String) -> String {
    guard state.hasPrefix("22") || state.hasPrefix("23") else { return message }
    guard let colon = message.firstIndex(of: ":"), message[colon...].contains("\"") else { return message }
    return String(message[..<colon])
  }

  /// The first line of libpq's message; further lines may quote values.
  private static func line(_ words: UnsafePointer<CChar>?) -> String {
    let text = words.map { String(cString: $0) } ?? ""
    return text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "the server gives no reason"
  }
}

/// A response of PostgreSQL with at most one row; owns the handle and frees it.
final class PostgreSQLResult {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  func type(_ column: Int) -> UInt32 { PQftype(handle, Int32(column)) }
  func isNull(_ column: Int) -> Bool { PQgetisnull(handle, 0, Int32(column)) == 1 }

  /// The bytes of a value.
  func bytes(_ column: Int) -> [UInt8] {
    let start = UnsafeRawPointer(PQgetvalue(handle, 0, Int32(column)))
    return Array(UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(handle, 0, Int32(column)))))
  }

  var sqlState: String? { field("C") }
  var primaryMessage: String? { field("M") }

  private func field(_ code: UnicodeScalar) -> String? {
    PQresultErrorField(handle, Int32(code.value)).map { String(cString: $0) }
  }
}
