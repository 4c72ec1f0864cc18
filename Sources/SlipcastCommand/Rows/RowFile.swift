import SlipcastBulk
@_spi(Slipcast) import SlipcastWire

/// A file with one row for each value of a kind, in the form of its extension.
///
/// CSV (RFC 4180) has dates in ISO 8601, NDJSON has milliseconds since 1970 UTC.
final class RowFile<Row> {
  private enum Form { case csv, ndjson }

  private let file: any LineOutput
  private let form: Form
  private let columns: [RowColumn<Row>]
  private let writer = JSONWriter(capacity: 1024)

  /// - Parameter option: the option that names the file, for messages.
  init(_ path: String, option: String, _ columns: [RowColumn<Row>]) throws {
    let name = [".gz", ".zst"].reduce(path.lowercased()) { $0.hasSuffix($1) ? String($0.dropLast($1.count)) : $0 }
    guard name.hasSuffix(".csv") || name.hasSuffix(".ndjson") || path == "-" else {
      throw UsageError("--\(option) \(path): the name ends with none of .csv, .ndjson")
    }
    form = name.hasSuffix(".csv") ? .csv : .ndjson
    self.columns = columns
    file = path == "-" ? StreamOutput() : try FileOutput(path)
    if form == .csv { try file.write(CSVText.row(columns.map(\.description.name))) }
  }

  func write(_ row: Row) throws {
    switch form {
    case .csv: try file.write(CSVText.row(columns.map { $0.value(row)?.cell ?? "" }))
    case .ndjson:
      writer.clear()
      writer.raw("{")
      for column in columns { column.value(row)?.write(as: column.description.name, to: writer) }
      writer.raw("}\n")
      try file.write(writer.buffer.span, part: .whole)
    }
  }

  func finish() throws { try file.finish() }
}

/// A column of such a file, and how a row fills it.
struct RowColumn<Row>: Sendable {
  let description: TableColumn
  /// `nil` for an empty cell, or a member that is left out.
  let value: @Sendable (Row) -> RowValue?

  init(
    _ name: String, _ type: ColumnType, about: String = "", _ value: @escaping @Sendable (Row) -> RowValue?
  ) {
    (description, self.value) = (TableColumn(name, type, about: about), value)
  }
}

/// A value in a row.
enum RowValue {
  case text(String)
  case integer(Int64)
  /// Milliseconds since 1970 UTC.
  case time(Int64)
  case list([Int64])

  fileprivate var cell: String {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .time(let milliseconds): Timestamp(milliseconds: milliseconds).description
    case .list(let numbers): numbers.map(String.init).joined(separator: " ")
    }
  }

  /// As the tables of a store have it: numbers and milliseconds as digits, a list in JSON.
  var stored: String {
    switch self {
    case .text(let text): text
    case .integer(let number), .time(let number): String(number)
    case .list(let numbers): "[" + numbers.map(String.init).joined(separator: ",") + "]"
    }
  }

  fileprivate func write(as name: String, to writer: JSONWriter) {
    switch self {
    case .text(let text): writer.member(name, text)
    case .integer(let number), .time(let number): writer.member(name, number)
    case .list(let numbers): writer.array(name, numbers) { writer.integer($0) }
    }
  }
}
