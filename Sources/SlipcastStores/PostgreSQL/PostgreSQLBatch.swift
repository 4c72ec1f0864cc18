internal import SlipcastBulk
@_spi(Slipcast) internal import SlipcastWire

/// Records to be sent to PostgreSQL: rows of each table in the binary format of COPY.
///
/// The format needs no escaping, and the server need not parse numbers. Rows of a record can be removed again, because
/// their ends are known.
struct PostgreSQLBatch {
  struct Entry {
    var source: String
    var record: Int
    var isAnswer: Bool
    var uuid: String
    var place: Int64
    var content: Int64?
    var receivedAt: Int64?
    /// Bytes of the line, which is the last column of the record's row.
    var bodyCount: Int
  }

  private(set) var entries: [Entry] = []
  /// The end of each record's rows, for one table after another.
  private var ends: [Int] = []
  private let buffers = TableNumber.allCases.map { _ in JSONWriter(capacity: 4096) }

  var count: Int { buffers.reduce(0) { $0 + $1.count } }
  var isEmpty: Bool { count == 0 }
  var hasRejects: Bool { buffers[TableNumber.rejects.rawValue].count > 0 }

  mutating func clear() {
    entries.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    for buffer in buffers { buffer.clear() }
  }

  mutating func append(_ record: RowBuffer.Record, _ rows: RowBuffer, source: String, before: Int) {
    for index in record.rows { append(rows.rows[index], rows) }
    let parent = rows.rows[record.rows.lowerBound]
    for buffer in buffers.prefix(Self.recordTables) { ends.append(buffer.count) }
    entries.append(
      Entry(
        source: source, record: before + record.number, isAnswer: parent.table == .answers,
        uuid: rows.id(parent), place: rows[parent, .place].value,
        content: rows.content(record), receivedAt: rows.receivedAt(record), bodyCount: record.body.count))
  }

  /// Adds a row in the binary form: the number of columns, then for each value its length and its bytes.
  mutating func append(_ row: RowBuffer.Row, _ rows: RowBuffer) {
    let buffer = buffers[row.table.rawValue]
    let columns = StoreTable.widths[row.table.rawValue]
    Self.put(Int16(columns), buffer)
    for cell in rows.cells[row.firstCell..<row.firstCell + columns] { Self.put(cell, rows.bytes.span, buffer) }
  }

  @inline(__always)
  private static func put(_ cell: StoreCell, _ texts: Span<UInt8>, _ buffer: JSONWriter) {
    switch cell.kind {
    case .null: put(Int32(-1), buffer)
    case .integer:
      put(Int32(8), buffer)
      put(cell.value, buffer)
    case .boolean:
      put(Int32(1), buffer)
      buffer.byte(UInt8(truncatingIfNeeded: cell.value))
    case .text:
      put(cell.length, buffer)
      buffer.raw(texts.extracting(Int(cell.value)..<Int(cell.value) + Int(cell.length)))
    }
  }

  /// Most significant byte first.
  @inline(__always)
  private static func put<Value: FixedWidthInteger>(_ value: Value, _ buffer: JSONWriter) {
    buffer.plain(UInt64(truncatingIfNeeded: value.bigEndian), bytes: MemoryLayout<Value>.size)
  }

  // MARK: sent data

  /// The rows that some records have in a table, in as few pieces as the records allow.
  func forEachPiece(
    _ table: TableNumber, of records: ArraySlice<Int>, _ use: (Span<UInt8>) throws(StoreError) -> Void
  ) throws(StoreError) {
    let all = buffers[table.rawValue].buffer
    guard table != .rejects else { return try use(all.span) }
    var piece = 0..<0
    for index in records {
      let range = range(of: index, table)
      if range.isEmpty { continue }
      if range.lowerBound != piece.upperBound {
        if !piece.isEmpty { try use(all.span.extracting(piece)) }
        piece = range
      } else {
        piece = piece.lowerBound..<range.upperBound
      }
    }
    if !piece.isEmpty { try use(all.span.extracting(piece)) }
  }

  func body(_ index: Int) -> JSONText {
    let table: TableNumber = entries[index].isAnswer ? .answers : .notifications
    let end = end(of: index, table)
    return buffers[table.rawValue].content.part(end - entries[index].bodyCount..<end)
  }

  private func range(of index: Int, _ table: TableNumber) -> Range<Int> {
    (index == 0 ? 0 : end(of: index - 1, table))..<end(of: index, table)
  }

  private func end(of index: Int, _ table: TableNumber) -> Int { ends[index * Self.recordTables + table.rawValue] }

  /// The tables before `rejects`: those with rows of records.
  private static let recordTables = TableNumber.rejects.rawValue
}
