/// Cells and rows of CSV (RFC 4180).
package enum CSVText {
  /// A row with its line end.
  package static func row(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") + "\r\n" }

  /// A cell, in quotes where it needs them; a spreadsheet would compute a text that begins like a formula, so an
  /// apostrophe goes before it.
  package static func cell(_ text: String) -> String {
    let writer = JSONWriter(capacity: text.utf8.count + 8)
    write(Array(text.utf8).span, to: writer)
    return writer.string
  }

  /// Appends a number; a negative one begins like a formula.
  package static func write(_ number: Int64, to writer: JSONWriter) {
    if number < 0 { writer.byte(UInt8(ascii: "'")) }
    writer.integer(number)
  }

  /// Appends a time; one before the year 0 may begin like a formula.
  package static func write(_ time: Timestamp, to writer: JSONWriter) {
    if time < yearZero { write(Array(time.description.utf8).span, to: writer) } else { time.write(to: writer) }
  }

  /// 0000-01-01T00:00:00Z.
  private static let yearZero = Timestamp(milliseconds: -62_167_219_200_000)

  /// The same as `cell`, appended as bytes.
  ///
  /// - Parameter guardsFormulas: false for files that no spreadsheet reads.
  package static func write(
    _ text: Span<UInt8>, to writer: JSONWriter, separator: UInt8 = UInt8(ascii: ","), guardsFormulas: Bool = true
  ) {
    guard let first = text.first else { return }
    let isQuoted = needsQuotes(text, separator: separator)
    if isQuoted { writer.byte(0x22) }
    if guardsFormulas, "=+-@\t\r".utf8.contains(first) { writer.byte(UInt8(ascii: "'")) }
    var start = 0
    while isQuoted, let quote = text.firstIndex(of: 0x22, from: start) {
      writer.raw(text.extracting(start...quote))
      writer.byte(0x22)
      start = quote + 1
    }
    writer.raw(text.extracting(start..<text.count))
    if isQuoted { writer.byte(0x22) }
  }
  /// Whether a cell contains the separator, a quote or a line end.
  package static func needsQuotes(_ text: Span<UInt8>, separator: UInt8) -> Bool {
    text.firstIndex { $0 == 0x22 || $0 == separator || $0 == 0x0A || $0 == 0x0D } != nil
  }
}
