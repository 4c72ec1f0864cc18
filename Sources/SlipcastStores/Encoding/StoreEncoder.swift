package import SlipcastBulk
@_spi(Slipcast) internal import SlipcastWire

/// Lays out V2 lines as rows of a store; both databases write from what it made.
///
/// One encoder serves one worker at a time. It allocates nothing for a record once its buffers have grown.
package final class StoreEncoder: RecordEncoder {
  /// The rows of the block.
  var buffer = RowBuffer()
  /// Codes of findings that came up since the store last asked.
  private(set) var freshCodes: [RecordNote.Remark] = []

  let keys = EncoderKeys.shared
  private let reader: JSONReader
  private let answers = AnswerIdentity()
  private var seenCodes: Set<String> = []
  /// The sources of the block's records, and the cell of the last one.
  private(set) var sources: [String] = []
  private var sourceCell = StoreCell()
  /// Why the record that is being laid out cannot be stored.
  var refusal: String?

  init() { reader = JSONReader(names: keys.names, limits: JSONLimits(depth: 256, recordBytes: 1 << 30)) }

  package func begin() {
    buffer.clear()
    sources.removeAll(keepingCapacity: true)
  }

  package func encode(_ line: UnsafeBufferPointer<UInt8>, _ note: RecordNote) {
    guard let base = line.baseAddress else { return }
    if sources.last != note.source {
      sources.append(note.source)
      sourceCell = buffer.append(note.source)
    }
    let firstRow = buffer.rows.count
    let start = buffer.append(line)
    refusal = nil
    do {
      let tape = try reader.read(base, count: line.count)
      layOut(V2Line(tape: tape, start: start), note)
    } catch {
      refusal = "the line is no JSON"
    }
    if refusal != nil { buffer.truncate(rows: firstRow) }
    buffer.records.append(
      RowBuffer.Record(
        number: note.record, rows: firstRow..<buffer.rows.count, body: start..<start + line.count,
        source: sources.count - 1, refusal: refusal))
  }

  package func rename(record: Int, to id: KnownIDs.ID) {
    guard let found = buffer.records.last(where: { $0.number == record }) else { return }
    buffer.rename(found, id.high, id.low)
  }

  /// Hands out the codes that the store has not seen from this encoder.
  func takeFreshCodes() -> [RecordNote.Remark] {
    defer { freshCodes.removeAll() }
    return freshCodes
  }

  private func layOut(_ line: V2Line, _ note: RecordNote) {
    guard line.tape[0].kind == .object else {
      refusal = "the line is no object"
      return
    }
    let shape = Shape(line, keys)
    let parent = shape.isNotification ? layOutNotification(line, shape) : layOutAnswer(line, shape)
    if shape.isNotification, let column = Self.typeColumn, let type = note.notification_type {
      buffer[parent + column] = buffer.append(type)
    }
    if shape.isNotification, let column = Self.contentColumn, let content = note.content {
      buffer[parent + column] = .integer(content)
    }
    for remark in note.findings { append(remark) }
    finish(parent, columns: shape.isNotification ? Self.notificationColumns : Self.answerColumns, line, note)
  }

  /// The last columns of a parent: eventTime, receivedAt, source, id, body.
  private func finish(_ parent: Int, columns: Int, _ line: V2Line, _ note: RecordNote) {
    let tail = parent + columns - 5
    if let time = note.eventTime { buffer[tail] = .integer(time) }
    if let time = note.receivedAt { buffer[tail + 1] = .integer(time) }
    buffer[tail + 2] = sourceCell
    if let id = note.id { buffer[tail + 3] = buffer.append(id) }
    buffer[tail + 4] = .text(line.start, line.tape.byteCount)
  }

  private func append(_ remark: RecordNote.Remark) {
    let first = buffer.beginRow(.findings, columns: 5)
    buffer[first + 1] = buffer.append(remark.code)
    buffer[first + 2] = buffer.append(remark.severity)
    buffer[first + 3] = .integer(Int64(remark.occurrences))
    buffer[first + 4] = buffer.append(StoredRemarks.storable(remark.path))
    if seenCodes.insert(remark.code).inserted { freshCodes.append(remark) }
  }

  private func layOutAnswer(_ line: V2Line, _ shape: Shape) -> Int {
    let parent = buffer.beginRow(.answers, columns: Self.answerColumns)
    fill(parent, line, 0, keys.answer)
    let body = UnsafeBufferPointer(start: line.tape.bytes, count: line.tape.byteCount)
    let id = answers.id(of: body)
    let text = String(unsafeUninitializedCapacity: 36) { bytes in
      if let base = bytes.baseAddress { UUIDText.write(id.high, id.low, to: base) }
      return 36
    }
    buffer[parent + 3] = buffer.append(text)
    buffer[parent + 4] = buffer.append(shape.isStatuses ? "statuses" : "history")
    var item: Int64 = 0
    if shape.isStatuses {
      line.forEachChild(of: shape.data) { group in
        guard let last = line.child(of: group, keys.lastTransactionsKey) else { return }
        line.forEachChild(of: last) { entry in
          item += 1
          layOutItem(line, entry, item, statusAt: entry)
        }
      }
    } else if shape.transactions > 0 {
      line.forEachChild(of: shape.transactions) { transaction in
        item += 1
        _ = layOutTransaction(line, transaction, item)
      }
    }
    return parent
  }

  static let notificationColumns = StoreTable.notifications.columns.count
  private static let answerColumns = StoreTable.answers.columns.count
  static let contentColumn = StoreTable.notifications.index("content")
  private static let typeColumn = StoreTable.notifications.index("notification_type")
}
