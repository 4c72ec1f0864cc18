package struct TableOptions: Hashable, Sendable {
  package enum Escaping: String, CaseIterable, Hashable, Sendable {
    /// Every byte is literal.
    case plain
    /// PostgreSQL's COPY text and `mysql --batch`: `\t`, `\n`, `\\`; `\N` and `NULL` for no value.
    case copy
    /// Cells may be quoted, as in CSV: spreadsheets, and the CSV writers of many languages.
    case quoted
  }

  /// Sources without a known extension are CSV.
  package var isCSV = false
  /// The character between cells of CSV; `nil`: a comma.
  package var separator: UInt8?
  /// The escaping of TSV.
  ///
  /// `nil`: a file with a backslash is an error. With a value, sources without a known extension are TSV.
  package var escaping: Escaping?

  /// Records are found inside the lines of logs.
  package var isLog = false
  /// The member that holds the record in the objects of logs.
  package var bodyOfLog: String?
  /// The records of logs are those of the server, of version 2.
  package var isOfServer = false

  package init() {}

  /// The form of a text, by its name; `nil` for anything but a table.
  func form(of name: String) -> TableForm? {
    var ending = Substring(name.lowercased())
    for wrapped in [".gz", ".zst", ".xz", ".bz2"] where ending.hasSuffix(wrapped) {
      ending = ending.dropLast(wrapped.count)
    }
    let csv = TableForm.csv(separator ?? UInt8(ascii: ","))
    if ending.hasSuffix(".csv") { return csv }
    if ending.hasSuffix(".tsv") { return tsv }
    let known = ["json", "ndjson", "jsonl", "b64", "base64"]
    if known.contains(where: { ending.hasSuffix("." + $0) }) { return nil }
    return isCSV ? csv : escaping.map { _ in tsv }
  }

  private var tsv: TableForm { escaping == .quoted ? .csv(UInt8(ascii: "\t")) : .tsv(escaping) }
}

enum TableForm: Hashable, Sendable {
  /// RFC 4180, with this character between cells.
  case csv(UInt8)
  /// Without quotes around cells.
  case tsv(TableOptions.Escaping?)
}
