internal import CSlipcastSQLite
internal import SlipcastWire

/// One SQLite statement; owns its handle and finalizes it.
final class SQLiteStatement: StoreRows {
  // Keeps the database open as long as it has statements.
  private let database: SQLiteDatabase
  private let handle: OpaquePointer
  private let action: String

  init(_ handle: OpaquePointer, database: SQLiteDatabase, action: String) {
    (self.handle, self.database, self.action) = (handle, database, action)
  }

  deinit { sqlite3_finalize(handle) }

  /// Goes to the next row; false after the last one.
  func step() throws(StoreError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else {
      let error = database.error(code, action)
      sqlite3_reset(handle)
      throw error
    }
    return false
  }

  /// Runs a statement that returns no rows, and prepares it for the next run.
  func run() throws(StoreError) {
    _ = try step()
    reset()
  }

  /// Prepares it for the next run; parameters become NULL.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  // MARK: parameters, counted from 1

  func bind(_ value: Int64, at index: Int) throws(StoreError) {
    try check(sqlite3_bind_int64(handle, Int32(index), value))
  }

  /// Binds numbers to the first parameters.
  func bind(_ values: Int64...) throws(StoreError) {
    for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
  }

  /// Binds a copy of a text.
  func bind(_ value: String, at index: Int) throws(StoreError) {
    var value = value
    let code = value.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(handle, Int32(index), $0.baseAddress, Int32($0.count), Self.transient)
      }
    }
    try check(code)
  }

  func bind(blob value: [UInt8], at index: Int) throws(StoreError) {
    try check(sqlite3_bind_blob(handle, Int32(index), value, Int32(value.count), Self.transient))
  }

  /// Binds a key that `key` returned; false for any other text.
  func bind(key position: String) throws(StoreError) -> Bool {
    guard let colon = position.firstIndex(of: ":") else { return false }
    let value = String(position[colon...].dropFirst())
    switch position[..<colon] {
    case "integer":
      guard let number = Int64(value) else { return false }
      try bind(number, at: 1)
    case "real":
      guard let bits = UInt64(value, radix: 16) else { return false }
      try check(sqlite3_bind_double(handle, 1, Double(bitPattern: bits)))
    case "text": try bind(value, at: 1)
    case "blob":
      guard let bytes = Hexadecimal.decode(value) else { return false }
      try bind(blob: bytes, at: 1)
    default: return false
    }
    return true
  }

  /// Runs the statement with bytes as a parameter, without a copy of them.
  func run(_ value: Span<UInt8>, at index: Int) throws(StoreError) {
    try value.withUnsafeBytes { (value) throws(StoreError) in
      try check(sqlite3_bind_blob64(handle, Int32(index), value.baseAddress, UInt64(value.count), nil))
      try run()
    }
  }

  /// Runs the statement with cells as the parameters from 1 on, without copies of their texts; NULLs are skipped.
  func run(_ cells: Span<StoreCell>, texts: Span<UInt8>) throws(StoreError) {
    try texts.withUnsafeBytes { (texts) throws(StoreError) in
      for index in cells.indices {
        let cell = cells[index]
        let parameter = Int32(truncatingIfNeeded: index + 1)
        switch cell.kind {
        case .null: continue
        case .integer, .boolean: try check(sqlite3_bind_int64(handle, parameter, cell.value))
        case .text:
          let range = Int(cell.value)..<Int(cell.value) + Int(cell.length)
          let text = UnsafeRawBufferPointer(rebasing: texts[range]).bindMemory(to: CChar.self)
          try check(sqlite3_bind_text(handle, parameter, text.baseAddress, cell.length, nil))
        }
      }
      try run()
    }
  }

  private func check(_ code: Int32) throws(StoreError) {
    guard code == SQLITE_OK else { throw database.error(code, action) }
  }

  // MARK: columns, counted from 0

  func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }
  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }
  func number(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }
  func text(_ column: Int) -> String? { isNull(column) ? nil : String(decoding: bytes(column), as: UTF8.self) }
  func content(_ column: Int) -> [UInt8] { Array(bytes(column)) }

  /// The bytes of a text or blob, valid until the next step.
  func bytes(_ column: Int) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_blob(handle, Int32(column))
    return UnsafeBufferPointer(
      start: start?.assumingMemoryBound(to: UInt8.self), count: Int(sqlite3_column_bytes(handle, Int32(column))))
  }

  func key(_ column: Int) -> (position: String, text: String)? {
    switch sqlite3_column_type(handle, Int32(column)) {
    case SQLITE_INTEGER: return ("integer:\(integer(column))", "\(integer(column))")
    case SQLITE_FLOAT:
      let value = sqlite3_column_double(handle, Int32(column))
      return ("real:" + String(value.bitPattern, radix: 16), String(value))
    case SQLITE_BLOB:
      let digits = Hexadecimal.encode(bytes(column))
      return ("blob:" + digits, digits)
    default: return text(column).map { ("text:" + $0, $0) }
    }
  }

  /// Makes SQLite copy bound values; Swift does not import the macro SQLITE_TRANSIENT, which is a cast.
  private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
