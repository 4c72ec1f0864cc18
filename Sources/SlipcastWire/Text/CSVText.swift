/// Cells and rows of CSV (RFC 4180).
package enum CSVText {
  /// A row with its line end.
  package static func row(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") + "\r\n" }

  /// A cell, in quotes where it needs them; a spreadsheet would compute a text that begins like a formula, so an
  /// apostrophe goes before it.
  package static func cell(_ text: String) -> String {
    guard let first = text.utf8.first else { return "" }
    let isFormula = "=+-@\t\r".utf8.contains(first)
    let safe = isFormula ? "'" + text : text
    guard safe.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else { return safe }
    return "\"" + safe.replacing("\"", with: "\"\"") + "\""
  }
}
