package import SlipcastBulk
package import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Lays out conversions as rows of a store; both databases write these rows.
///
/// Use one encoder per worker. It allocates nothing for a record once its buffers have grown.
package final class StoreEncoder: RecordEncoder {
  var buffer = RowBuffer()
  /// Codes of findings since the store last asked.
  private(set) var freshCodes: [RepeatedFinding] = []

  private let answers = AnswerIdentity()
  private var seenCodes: Set<String> = []
  /// The sources of the block's records, and the cell of the last one.
  private(set) var sources: [String] = []
  private var sourceCell = StoreCell()
  /// Why the record that is being laid out cannot be stored.
  var refusal: StoreRefusal?
  package let holdsParts = true
  private let texts: StorableTexts

  package init(texts: StorableTexts = .sqlite) { self.texts = texts }

  package func begin() {
    buffer.clear()
    sources.removeAll(keepingCapacity: true)
  }

  package func encode(_ record: EncodedRecord, _ note: RecordNote) -> StoreRefusal? {
    if sources.last != note.source {
      sources.append(note.source)
      sourceCell = buffer.append(note.source)
    }
    let firstRow = buffer.rows.count
    let start = buffer.append(record.line.buffer.span)
    let body = start..<start + record.line.count
    refusal = nil
    layOut(record, note, body)
    refusal = refusal ?? texts.refusal(of: record.tree, in: buffer, from: firstRow, body.upperBound)
    if refusal != nil {
      buffer.truncate(rows: firstRow)
      return refusal
    }
    buffer.records.append(
      RowBuffer.Record(
        number: note.record, rows: firstRow..<buffer.rows.count, body: body, source: sources.count - 1))
    return nil
  }

  package func rename(record: Int, to id: KnownIDs.ID) {
    guard let found = buffer.records.last(where: { $0.number == record }) else { return }
    buffer.rename(found, id.high, id.low)
  }

  package func add(_ finding: RepeatedFinding, toRecord number: Int) {
    guard let place = buffer.records.lastIndex(where: { $0.number == number }) else { return }
    buffer.moveRowsToEnd(ofRecord: place)
    append(finding)
    buffer.records[place].rows = buffer.records[place].rows.lowerBound..<buffer.rows.count
  }

  /// Gives a record its place in the run, and its number in the source.
  func settle(_ record: RowBuffer.Record, _ progress: inout RunProgress, before: Int) {
    buffer.settle(record, place: progress.nextPlace(), run: progress.run, before: before)
  }

  /// Returns the codes that the store has not seen from this encoder.
  func takeFreshCodes() -> [RepeatedFinding] {
    defer { freshCodes.removeAll() }
    return freshCodes
  }

  private func layOut(_ record: EncodedRecord, _ note: RecordNote, _ body: Range<Int>) {
    let isNotification = record.tree.form == .notification
    let parent = isNotification ? layOutNotification(record.tree, record.migration) : layOutAnswer(record)
    if isNotification {
      if let type = note.notification_type { buffer[parent, .notification_type] = buffer.append(type) }
      if let content = note.content { buffer[parent, .content] = .integer(content) }
    }
    for remark in note.findings { append(remark) }
    if let time = note.eventTime { buffer[parent, .eventTime] = .integer(time) }
    if let time = note.receivedAt { buffer[parent, .receivedAt] = .integer(time) }
    buffer[parent, .source] = sourceCell
    buffer[parent, .origin] = buffer.append(note.origin.rawValue)
    if let kind = note.kind, !isNotification { buffer[parent, .kind] = buffer.append(kind) }
    if let id = note.id { buffer[parent, .id] = buffer.append(id) }
    buffer[parent, .body] = .text(body.lowerBound, body.count)
    if let kept = record.body {
      let row = buffer.beginRow(.bodies)
      buffer[row, .body] = .text(buffer.append(kept.buffer.span), kept.count)
    }
  }

  private func append(_ remark: RepeatedFinding) {
    let row = buffer.beginRow(.findings)
    buffer[row, .code] = buffer.append(remark.code)
    buffer[row, .severity] = buffer.append(remark.severity)
    buffer[row, .occurrences] = .integer(Int64(remark.occurrences))
    buffer[row, .path] = buffer.append(Self.storable(remark.path))
    if seenCodes.insert(remark.code).inserted { freshCodes.append(remark) }
  }

  /// A path without control characters: the separators of `StoreQueries.records`, and U+0000, which PostgreSQL cannot
  /// store.
  private static func storable(_ path: String) -> String {
    guard path.utf8.contains(where: { $0 < 0x20 }) else { return path }
    return String(path.unicodeScalars.map { $0.value < 0x20 ? "\u{FFFD}" : Character($0) })
  }

  private func layOutAnswer(_ record: EncodedRecord) -> RowBuffer.Row {
    let tree = record.tree
    let parent = buffer.beginRow(.answers)
    switch tree.form {
    case .statuses: fill(parent, tree.objects[0].row, .statuses)
    case .appTransaction: fill(parent, tree.objects[0].row, .appTransaction)
    default: fill(parent, tree.objects[0].row, .history)
    }
    let id = answers.id(of: record.line.buffer.span)
    buffer[parent, .answerUUID] = buffer.append(UUIDText.string(id.high, id.low))
    buffer[parent, .kind] = buffer.append(tree.form == .statuses ? "statuses" : "history")
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
}
