internal import CSlipcastSQLite

/// One open SQLite database; owns the handle and closes it.
final class SQLiteDatabase {
  enum Access {
    case readOnly
    /// Writes nothing except SQLite's own rollback of an interrupted run, which a read-only connection cannot do.
    case readOwn
    case readWrite
  }

  /// The name in errors.
  let name: String
  let handle: OpaquePointer
  /// The remedy when the disk is full.
  var adviceWhenFull = "make room, or name another folder for temporary files in TMPDIR"

  /// Opens a file that exists.
  init(path: String, name: String, _ access: Access) throws(StoreError) {
    self.name = name
    // SQLite treats names that start with a colon specially.
    let file = path.hasPrefix(":") ? "./" + path : path
    handle = try Self.open(file, name, access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
    // A reader waits for a short write of another program; a run is not short, so a second run is rejected soon.
    sqlite3_busy_timeout(handle, access == .readWrite ? 1000 : 5000)
    if access != .readWrite { try execute("PRAGMA query_only = 1; PRAGMA cache_size = -16384") }
  }

  /// Opens a private database in the folder for temporary files (`TMPDIR`); it disappears when it is closed.
  init(temporary: Void) throws(StoreError) {
    name = "temporary files"
    handle = try Self.open("", name, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    adviceWhenFull = "name a folder with more room in TMPDIR"
  }

  private static func open(_ file: String, _ name: String, _ flags: Int32) throws(StoreError) -> OpaquePointer {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(file, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, nil)
    guard code == SQLITE_OK, let opened else {
      defer { sqlite3_close_v2(opened) }
      throw error(code, of: name, "open the database", opened)
    }
    sqlite3_extended_result_codes(opened, 1)
    return opened
  }

  deinit { sqlite3_close_v2(handle) }

  func prepare(_ sql: String, for action: String = "read") throws(StoreError) -> SQLiteStatement {
    var made: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
    guard code == SQLITE_OK else { throw error(code, action) }
    guard let made else { throw StoreError(.queryFailed, name, action, "the query contains no statement") }
    return SQLiteStatement(made, database: self, action: action)
  }

  /// The file that is open is not the one under its name any more.
  var hasMoved: Bool {
    var moved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
  }

  /// Rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// The error that a code means.
  func error(_ code: Int32, _ action: String) -> StoreError {
    var error = Self.error(code, of: name, action, handle)
    if error.kind == .full { error.advice = adviceWhenFull }
    return error
  }

  private static func error(_ code: Int32, of name: String, _ action: String, _ handle: OpaquePointer?) -> StoreError {
    let words = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED:
      return StoreError(
        .locked, name, action, words, advice: "another run, or another program, uses it; try again when that has ended")
    case SQLITE_READONLY where code == SQLITE_READONLY | (3 << 8):
      return StoreError(
        .readOnly, name, action, "a program that wrote there was interrupted",
        advice: "have that program, or sqlite3, open the file once")
    case SQLITE_READONLY where code == SQLITE_READONLY | (4 << 8): return .replaced(name, action)
    case SQLITE_READONLY, SQLITE_PERM: return StoreError(.readOnly, name, action, words)
    case SQLITE_FULL: return StoreError(.full, name, action, words, advice: "make room")
    case SQLITE_CANTOPEN: return StoreError(.cannotOpen, name, action, words)
    case SQLITE_NOTADB: return StoreError(.notAStore, name, action, words, advice: "the file is not a SQLite database")
    case SQLITE_CORRUPT: return StoreError(.damaged, name, action, words)
    default: return StoreError(.queryFailed, name, action, words)
    }
  }
}

extension SQLiteDatabase: StoreDatabase {
  /// `Slip` in ASCII: SQLite keeps this number in the file's header, so programs can identify the file.
  static let applicationID: Int64 = 0x536C_6970

  var dialect: SQLDialect { .sqlite }

  func rows(_ sql: String, _ parameters: [String?], for action: String) throws(StoreError) -> any StoreRows {
    let statement = try prepare(sql, for: action)
    for (index, value) in parameters.enumerated() {
      if let value { try statement.bind(value, at: index + 1) }
    }
    return statement
  }

  func rows(_ sql: String, afterKey position: String) throws(StoreError) -> (any StoreRows)? {
    let statement = try prepare(sql)
    return try statement.bind(key: position) ? statement : nil
  }

  func check(_ sql: String) throws(StoreError) { _ = try prepare(sql) }

  func beginReading(isSorted: Bool) throws(StoreError) { try execute("BEGIN") }

  func execute(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, "write") }
  }

  func schemaVersion() throws(StoreError) -> Int {
    let version = Int(try number("PRAGMA user_version"))
    if try number("PRAGMA application_id") == Self.applicationID { return version }
    guard try number("SELECT count(*) FROM sqlite_master") == 0 else { throw StoreError.notAStore(name) }
    return 0
  }

  func setSchemaVersion(_ version: Int) throws(StoreError) {
    try execute("PRAGMA application_id = \(Self.applicationID); PRAGMA user_version = \(version)")
  }
}
