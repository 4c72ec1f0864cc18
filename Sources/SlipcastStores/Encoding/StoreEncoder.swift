package import SlipcastBulk
internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Lays out conversions as rows of a store; both databases write these rows.
///
/// Use one encoder per worker. It allocates nothing for a record once its buffers have grown.
package final class StoreEncoder: RecordEncoder {
  /// The rows of the block.
  var buffer = RowBuffer()
  /// Codes of findings since the store last asked.
  private(set) var freshCodes: [RepeatedFinding] = []

  private let answers = AnswerIdentity()
  private var seenCodes: Set<String> = []
  /// The sources of the block's records, and the cell of the last one.
  private(set) var sources: [String] = []
  private var sourceCell = StoreCell()
  /// Why the record that is being laid out cannot be stored.
  var refusal: String?
  package let holdsParts: Bool

  /// Prepares an encoder.
  package init(holdsParts: Bool = true) { self.holdsParts = holdsParts }

  package func begin() {
    buffer.clear()
    sources.removeAll(keepingCapacity: true)
  }

  package func encode(_ record: EncodedRecord, _ note: RecordNote) {
    if sources.last != note.source {
      sources.append(note.source)
      sourceCell = buffer.append(note.source)
    }
    let firstRow = buffer.rows.count
    let start = buffer.append(record.line.buffer.span)
    let body = start..<start + record.line.count
    refusal = nil
    layOut(record, note, body)
    if refusal != nil { buffer.truncate(rows: firstRow) } else if !holdsParts { buffer.truncate(rows: firstRow + 1) }
    buffer.records.append(
      RowBuffer.Record(
        number: note.record, rows: firstRow..<buffer.rows.count, body: body, source: sources.count - 1,
        refusal: refusal))
  }

  package func rename(record: Int, to id: KnownIDs.ID) {
    guard let found = buffer.records.last(where: { $0.number == record }) else { return }
    buffer.rename(found, id.high, id.low)
  }

  /// Returns the codes that the store has not seen from this encoder.
  func takeFreshCodes() -> [RepeatedFinding] {
    defer { freshCodes.removeAll() }
    return freshCodes
  }

  private func layOut(_ record: EncodedRecord, _ note: RecordNote, _ body: Range<Int>) {
    let isNotification = record.tree.form == .notification
    let parent = isNotification ? layOutNotification(record.tree, record.migration) : layOutAnswer(record)
    if isNotification, let column = Self.typeColumn, let type = note.notification_type {
      buffer[parent + column] = buffer.append(type)
    }
    if isNotification, let column = Self.contentColumn, let content = note.content {
      buffer[parent + column] = .integer(content)
    }
    for remark in note.findings { append(remark) }
    finish(parent, columns: isNotification ? Self.notificationColumns : Self.answerColumns, body, note)
  }

  /// The last columns of a parent: eventTime, receivedAt, source, id, body.
  private func finish(_ parent: Int, columns: Int, _ body: Range<Int>, _ note: RecordNote) {
    let tail = parent + columns - 5
    if let time = note.eventTime { buffer[tail] = .integer(time) }
    if let time = note.receivedAt { buffer[tail + 1] = .integer(time) }
    buffer[tail + 2] = sourceCell
    if let id = note.id { buffer[tail + 3] = buffer.append(id) }
    buffer[tail + 4] = .text(body.lowerBound, body.count)
  }

  private func append(_ remark: RepeatedFinding) {
    let first = buffer.beginRow(.findings, columns: 5)
    buffer[first + 1] = buffer.append(remark.code)
    buffer[first + 2] = buffer.append(remark.severity)
    buffer[first + 3] = .integer(Int64(remark.occurrences))
    buffer[first + 4] = buffer.append(StoredRemarks.storable(remark.path))
    if seenCodes.insert(remark.code).inserted { freshCodes.append(remark) }
  }

  private func layOutAnswer(_ record: EncodedRecord) -> Int {
    let tree = record.tree
    let parent = buffer.beginRow(.answers, columns: Self.answerColumns)
    fill(parent, tree.objects[0].row, tree.form == .statuses ? .statuses : .history)
    let id = answers.id(of: record.line.buffer.span)
    buffer[parent + 3] = buffer.append(UUIDText.string(id.high, id.low))
    buffer[parent + 4] = buffer.append(tree.form == .statuses ? "statuses" : "history")
    var item: Int64 = 0
    for (place, object) in tree.objects.enumerated() {
      switch (tree.form, object.part) {
      case (.statuses, .item):
        item += 1
        layOutItem(tree, place, item: item)
      case (.history, .transaction):
        item += 1
        _ = layOutTransaction(object.row, item: item)
      default: break
      }
    }
    return parent
  }

  static let notificationColumns = StoreTable.notifications.columns.count
  private static let answerColumns = StoreTable.answers.columns.count
  static let contentColumn = StoreTable.notifications.index("content")
  private static let typeColumn = StoreTable.notifications.index("notification_type")
}
