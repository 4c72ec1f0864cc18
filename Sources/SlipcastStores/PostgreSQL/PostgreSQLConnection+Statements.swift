internal import CSlipcastPostgreSQL

extension PostgreSQLConnection {
  // MARK: statements

  /// Runs one statement with parameters as texts; their types are numbers, or chosen by the server for 0.
  func query(
    _ sql: String, _ parameters: [String?] = [], types: [UInt32] = [], for action: String = "read"
  ) throws(StoreError) -> PostgreSQLResult {
    let raw = Self.withParameters(parameters) { values in
      PQexecParams(handle, sql, Int32(parameters.count), types.isEmpty ? nil : types, values, nil, nil, 0)
    }
    return try result(raw, action)
  }

  /// Starts a statement whose rows arrive one by one, in constant memory; `nextRow` returns them.
  func stream(
    _ sql: String, _ parameters: [String?] = [], types: [UInt32] = [], for action: String = "read"
  ) throws(StoreError) {
    let sent = Self.withParameters(parameters) { values in
      PQsendQueryParams(handle, sql, Int32(parameters.count), types.isEmpty ? nil : types, values, nil, nil, 0)
    }
    guard sent == 1, PQsetSingleRowMode(handle) == 1 else { throw lost(action) }
  }

  /// The next row of a stream; `nil` at its end.
  func nextRow(for action: String = "read") throws(StoreError) -> PostgreSQLResult? {
    while let raw = PQgetResult(handle) {
      let row = PostgreSQLResult(raw)
      switch PQresultStatus(raw) {
      case PGRES_SINGLE_TUPLE: return row
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK: continue
      default:
        let error = self.error(row, action)
        while let rest = PQgetResult(handle) { PQclear(rest) }
        throw error
      }
    }
    return nil
  }

  /// The types of the columns of a statement that is not run.
  func columnTypes(_ sql: String) throws(StoreError) -> [UInt32] {
    _ = try result(PQprepare(handle, "", sql, 0, nil), "read")
    let described = try result(PQdescribePrepared(handle, ""), "read")
    return described.types
  }

  fileprivate static func withParameters<Result>(
    _ parameters: [String?], _ use: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    withPointers(parameters.map { $0 ?? "" }) { values in
      let pointers = parameters.indices.map { parameters[$0] == nil ? nil : values[$0] } + [nil]
      return pointers.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("an array that is not empty has an address") }
        return use(base)
      }
    }
  }

  // MARK: copying in

  /// Starts to copy rows in PostgreSQL's binary format into a table.
  func beginCopy(_ table: String, _ columns: String) throws(StoreError) {
    guard let raw = PQexec(handle, "COPY \(table) (\(columns)) FROM STDIN (FORMAT binary)") else { throw lost("write") }
    let result = PostgreSQLResult(raw)
    guard PQresultStatus(raw) == PGRES_COPY_IN else { throw error(result, "write") }
  }

  /// Sends bytes of the copy.
  func copy(_ bytes: Span<UInt8>) throws(StoreError) {
    guard !bytes.isEmpty else { return }
    let sent = bytes.withUnsafeBytes {
      PQputCopyData(handle, $0.bindMemory(to: CChar.self).baseAddress, Int32(truncatingIfNeeded: $0.count))
    }
    guard sent == 1 else { throw lost("write") }
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
