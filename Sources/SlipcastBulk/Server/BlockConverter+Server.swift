internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

// V2 records on their way into a store, which holds both sides of a migration.
extension BlockConverter {
  func isServer(_ row: RowReader.Row) -> Bool {
    switch V2Form(row.tape, row.root) {
    case .legacy, nil: false
    default: true
    }
  }

  /// Passes a V2 record on, decoded: Apple's values, and what Slipcast noted about them.
  ///
  /// Each notification of a page counts as a record.
  func takeServer(_ row: RowReader.Row, at range: Range<Int>, in block: Block) throws(RecordFault) {
    let shaped = try shape(row)
    let items = EventRecord.items(of: shaped)
    guard !items.isEmpty else {
      throw RecordFault(
        stage: .row, code: "emptyPage", message: "expected notifications in notificationHistory, found none")
    }
    let isPage = items[0].index != shaped.index
    for item in items {
      do throws(RecordFault) {
        try take(item, of: row)
      } catch {
        var fault = error
        let path = isPage ? JSONPath(tape: item.tape, index: item.index).description : ""
        fault.path = rows.path([path, fault.path].filter { !$0.isEmpty }.joined(separator: ": "))
        fault.offset = rows.outerOffset ?? (shaped.tape.bytes == row.tape.bytes ? item.tape.start(item.index) : 0)
        reject(fault, range, block)
      }
    }
  }

  /// The record as Apple shapes it.
  private func shape(_ row: RowReader.Row) throws(RecordFault) -> JSONElement {
    guard let plain = V2Envelope.plain(row.tape, row.root) else {
      return JSONElement(tape: row.tape, index: row.root)
    }
    do throws(JSONError) {
      return JSONElement(tape: try shapes.read(plain.span))
    } catch {
      throw RecordFault(error)
    }
  }

  private func take(_ item: JSONElement, of row: RowReader.Row) throws(RecordFault) {
    let line = try DecodedRecord.line(of: item)
    let record: JSONElement
    do throws(JSONError) { record = JSONElement(tape: try decoded.read(line.span)) } catch { throw RecordFault(error) }
    guard copied.read(record) else {
      throw RecordFault(stage: .legacy, code: "unknownRecord", message: "expected an object")
    }
    try refuseConverted(record)
    var note = RecordNote()
    (note.source, note.record, note.id) = (book.sourceName, book.counts.read + 1, row.id)
    note.receivedAt = row.delivery.receivedAt
    note.describe(record)
    if let finding = copied.ofOtherKind.finding { note.findings.append(finding) }
    if let checker {
      note.findings += try checker.findings(onServer: rows.token ?? item.tape.json(item.index), in: rows)
    }
    try pass(on: line.span, record, note)
  }

  /// A record that Slipcast made of V1 is not Apple's: it would be the same side twice.
  private func refuseConverted(_ record: JSONElement) throws(RecordFault) {
    let id = record["notificationUUID"]?.string.flatMap { UUIDText.halves($0) }
    let isMade = id.map(UUIDText.isNameBased) ?? false
    guard record["migration"] != nil || isMade else { return }
    throw RecordFault(
      stage: .legacy, code: "convertedRecord",
      message: "expected a record of version 1, or one that Apple made, found one that Slipcast converted; convert "
        + "its V1 original instead")
  }
}

extension RecordNote {
  /// Adds what a decoded V2 record says about itself.
  mutating func describe(_ record: JSONElement) {
    origin = .v2
    switch V2Form(record) {
    case .notification: content = DecodedRecord.content(of: record)
    case .parts, .transaction, .renewalInfo: kind = "parts"
    case .appTransaction: kind = "appTransaction"
    default: break
    }
  }
}
