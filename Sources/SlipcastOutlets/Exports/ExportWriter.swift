internal import SlipcastReceipts
@_spi(Slipcast) internal import SlipcastWire

/// Writes rows in the form of a format.
final class ExportWriter {
  private let format: ExportFormat
  private let writer = JSONWriter(capacity: 16 << 10)
  /// Receives whole lines.
  private let sink: (Span<UInt8>) throws -> Void

  init(_ format: ExportFormat, sink: @escaping (Span<UInt8>) throws -> Void) {
    (self.format, self.sink) = (format, sink)
  }

  func writeHeader() throws {
    guard format.form == .csv else { return }
    try write(format.columns.map(\.name))
  }

  /// Writes a row of CSV or of lines.
  ///
  /// - Throws: `ExportRow.Gap` for a cell that the format has no way to write.
  func write(_ contents: [ExportRow.Content?]) throws {
    if format.form == .csv {
      let cells = contents.map { content in content.map(Self.text) ?? "" }
      if !format.allowsQuotes, cells.contains(where: needsQuotes) { throw ExportRow.Gap(reason: .needsQuotes) }
      return try write(cells)
    }
    writer.clear()
    writer.object { members(format.columns, contents) }
    try end()
  }

  /// Writes a document of customers, each with the contents of its subscriptions and other purchases.
  func write(_ customers: [(id: String, subscriptions: [[ExportRow.Content?]], purchases: [[ExportRow.Content?]])])
    throws
  {
    writer.clear()
    writer.object {
      writer.list(format.list, customers) { customer in
        writer.member(format.customer, customer.id)
        writer.list(format.subscriptions, customer.subscriptions) { members(format.columns, $0) }
        if let name = format.purchases {
          writer.list(name, customer.purchases) { members(format.purchaseColumns, $0) }
        }
      }
    }
    try end()
  }

  private func end() throws {
    writer.byte(0x0A)
    try flush()
  }

  private func flush() throws {
    let bytes = writer.bytes
    writer.clear()
    try sink(bytes.span)
  }

  private func members(_ columns: [ExportFormat.Column], _ contents: [ExportRow.Content?]) {
    for (column, content) in zip(columns, contents) {
      switch content {
      case .text(let text): writer.member(column.name, text)
      case .number(let number): writer.member(column.name, number)
      case nil: break
      }
    }
  }

  private static func text(_ content: ExportRow.Content) -> String {
    switch content {
    case .text(let text): text
    case .number(let number): "\(number)"
    }
  }

  // MARK: CSV

  private func write(_ cells: [String]) throws {
    writer.clear()
    for (place, cell) in cells.enumerated() {
      if place > 0 { writer.byte(format.separator) }
      CSVText.write(Array(cell.utf8).span, to: writer, separator: format.separator, guardsFormulas: false)
    }
    try end()
  }

  private func needsQuotes(_ cell: String) -> Bool {
    CSVText.needsQuotes(Array(cell.utf8).span, separator: format.separator)
  }
}
