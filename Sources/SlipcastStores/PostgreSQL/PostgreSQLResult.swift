internal import CSlipcastPostgreSQL

/// A response of PostgreSQL; owns the handle and frees it.
final class PostgreSQLResult {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { PQclear(handle) }

  var rows: Int { Int(PQntuples(handle)) }
  var columns: Int { Int(PQnfields(handle)) }
  /// The number of each column's type.
  var types: [UInt32] { (0..<columns).map { PQftype(handle, Int32($0)) } }

  func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(handle, Int32(row), Int32(column)) == 1 }

  /// The bytes of a value, valid as long as the result.
  func bytes(_ row: Int, _ column: Int) -> UnsafeBufferPointer<UInt8> {
    let start = UnsafeRawPointer(PQgetvalue(handle, Int32(row), Int32(column)))
    return UnsafeBufferPointer(
      start: start?.assumingMemoryBound(to: UInt8.self), count: Int(PQgetlength(handle, Int32(row), Int32(column))))
  }

  /// The value as text; `nil` for NULL, or without such a row.
  func text(_ row: Int, _ column: Int) -> String? {
    guard row < rows, column < columns, !isNull(row, column) else { return nil }
    return String(decoding: bytes(row, column), as: UTF8.self)
  }

  func integer(_ row: Int, _ column: Int) -> Int64? { text(row, column).flatMap { Int64($0) } }

  var sqlState: String? { field("C") }
  var primaryMessage: String? { field("M") }

  private func field(_ code: UnicodeScalar) -> String? {
    PQresultErrorField(handle, Int32(code.value)).map { String(cString: $0) }
  }
}

/// The part of the server's message that may be shown.
enum PostgreSQLMessage {
  /// Messages about values (SQLSTATE class 22) quote them after a colon; that part is dropped.
  static func withoutValues(_ message: String, _ state: String) -> String {
    guard state.hasPrefix("22") || state.hasPrefix("23") else { return message }
    guard let colon = message.firstIndex(of: ":"), message[colon...].contains("\"") else { return message }
    return String(message[..<colon])
  }
}
