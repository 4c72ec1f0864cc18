internal import SlipcastBulk
internal import SlipcastWire

/// One value of a row: 16 bytes, so laying out a record allocates nothing.
struct StoreCell: Sendable {
  enum Kind: UInt8, Sendable {
    case null, integer, boolean, text
  }

  /// The number; 0 or 1; or the start of a text in the buffer's bytes.
  var value: Int64 = 0
  var length: Int32 = 0
  var kind = Kind.null

  static func integer(_ value: Int64) -> StoreCell { StoreCell(value: value, kind: .integer) }
  static func boolean(_ value: Bool) -> StoreCell { StoreCell(value: value ? 1 : 0, kind: .boolean) }
  static func text(_ start: Int, _ length: Int) -> StoreCell {
    StoreCell(value: Int64(start), length: Int32(truncatingIfNeeded: length), kind: .text)
  }
}

/// The rows of one block, laid out for any database: cells one after another, their texts in one run of bytes.
struct RowBuffer: Sendable {
  struct Row: Sendable {
    var table: TableNumber
    /// Its first cell; the others follow in the order of the table's columns.
    var firstCell: Int
  }

  /// One record: a row of `notifications` or `answers`, then those of its parts.
  struct Record: Sendable {
    var number: Int
    /// Its first row is its own, the others are those of its parts.
    var rows: Range<Int>
    /// The range of its line in the bytes.
    var body: Range<Int>
    /// Its source, as the encoder numbers them.
    var source: Int
  }

  private(set) var bytes: [UInt8] = []
  var cells: [StoreCell] = []
  private(set) var rows: [Row] = []
  var records: [Record] = []

  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    records.removeAll(keepingCapacity: true)
  }

  mutating func append(_ text: Span<UInt8>) -> Int {
    let start = bytes.count
    bytes.append(contentsOf: text)
    return start
  }

  /// Writes another id over those of a notification's line and of its column.
  mutating func rename(_ record: Record, _ high: UInt64, _ low: UInt64) {
    let column = record.rows.first.map { Int(self[rows[$0], .notificationUUID].value) }
    guard let place = NotificationID.place(in: bytes.span.extracting(record.body)) else { return }
    var text = bytes.mutableSpan
    UUIDText.write(high, low, to: &text, at: record.body.lowerBound + place)
    if let column { UUIDText.write(high, low, to: &text, at: column) }
  }

  mutating func append(_ text: String) -> StoreCell {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    return .text(start, bytes.count - start)
  }

  /// Appends a row of NULLs.
  mutating func beginRow(_ table: TableNumber) -> Row {
    let row = Row(table: table, firstCell: cells.count)
    rows.append(row)
    cells.append(contentsOf: repeatElement(StoreCell(), count: StoreTable.widths[table.rawValue]))
    return row
  }

  subscript(row: Row, column: StoreColumn) -> StoreCell {
    get { cells[row.firstCell + row.table.table[column]] }
    set { cells[row.firstCell + row.table.table[column]] = newValue }
  }

  mutating func truncate(rows count: Int) {
    guard count < rows.count else { return }
    cells.removeLast(cells.count - rows[count].firstCell)
    rows.removeLast(rows.count - count)
  }

  /// The rows of a record follow each other; at the end, it can get more.
  mutating func moveRowsToEnd(ofRecord place: Int) {
    let start = rows.count
    rows += rows[records[place].rows]
    records[place].rows = start..<rows.count
  }

  /// The bytes of a text.
  func content(_ cell: StoreCell) -> ArraySlice<UInt8> {
    bytes[Int(cell.value)..<Int(cell.value) + Int(cell.length)]
  }

  /// Sets the values that only the store knows in the rows of a record.
  mutating func settle(_ record: Record, place: Int64, run: Int64, before: Int) {
    for row in rows[record.rows] { self[row, .place] = .integer(place) }
    guard let parent = record.rows.first.map({ rows[$0] }) else { return }
    self[parent, .run] = .integer(run)
    self[parent, .record] = .integer(Int64(before + record.number))
  }

  func id(_ record: Record) -> String { record.rows.first.map { id(rows[$0]) } ?? "" }

  /// The id of a notification or an answer by its row.
  func id(_ parent: Row) -> String { text(self[parent, parent.table == .answers ? .answerUUID : .notificationUUID]) }

  /// The digest of a notification's legacy content; `nil` if absent.
  func content(_ record: Record) -> Int64? { number(record, .content) }

  /// When a notification was received, in milliseconds since 1970 UTC; `nil` if that is not known.
  func receivedAt(_ record: Record) -> Int64? { number(record, .receivedAt) }

  private func number(_ record: Record, _ column: StoreColumn) -> Int64? {
    guard let row = record.rows.first.map({ rows[$0] }), row.table == .notifications else { return nil }
    let cell = self[row, column]
    return cell.kind == .integer ? cell.value : nil
  }

  func text(_ cell: StoreCell) -> String { String(decoding: content(cell), as: UTF8.self) }
}
