@_spi(Slipcast) internal import SlipcastWire

/// Tells a header row from a row with data, which a table without a header row begins with.
///
/// Its record would be lost, and its values, the shared secret among them, would be the names of columns.
enum TableHeader {
  /// What is wrong with such a table, without a value of it.
  static let isData =
    "expected a header row with the names of the columns, found a row with data; write the names of the columns as the "
    + "first line, such as id,payload"

  /// One of the names is a record, a part of one, or too long for a name.
  static func isData(_ names: [String]) -> Bool { names.contains(where: isValue) }

  /// No database and no warehouse has longer names.
  private static let longest = 300
  /// Names of fewer characters may begin like base64: `MINIMUM_OS_VERSION`.
  private static let shortestText = 64

  private static func isValue(_ name: String) -> Bool {
    guard name.utf8.count <= longest else { return true }
    let text = Array(name.utf8)
    let start = text.firstIndex { !$0.isBlank } ?? text.count
    return isJSON(text[start...]) || text[start...].starts(with: "receipt-data=".utf8)
      || text.count >= shortestText && TextRecord.form(of: text.span, isWrapped: true) != nil
      || text.count >= TextRecord.shortest && LayeredBody.open(text.span, limit: 1 << 20) != nil
  }

  /// An object, a list of objects, or the beginning of one: a brace and a quote, which may be escaped or doubled.
  private static func isJSON(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, "{[\"".utf8.contains(first) else { return false }
    let behind = text.dropFirst().first { !$0.isBlank && $0 != UInt8(ascii: "\\") }
    if first == UInt8(ascii: "{") { return behind.map { "\"}".utf8.contains($0) } ?? true }
    return behind == UInt8(ascii: "{")
  }
}
