@_spi(Slipcast) internal import SlipcastLegacy
package import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// What a converter records about its lines.
enum Marking: Sendable {
  /// No marks: all lines have one destination.
  case none
  /// Id and date.
  case plain
  /// Id, date and bundle id.
  case bundle
}

// Further processing of a written line: it is marked, and laid out for a store.
extension BlockConverter {
  /// Passes a line of a store on as it is.
  func copy(_ tape: JSONTape, at range: Range<Int>, in block: Block, with note: RecordNote) {
    let root = JSONElement(tape: tape)
    guard copied.read(root) else {
      let message =
        "expected a converted record, as a store keeps it, found \(root.kind.description); another program changed the row"
      return refuse(RecordFault(stage: .row, code: "notConverted", message: message), at: range, in: block)
    }
    var note = note
    if note.origin == .v2 { note.describe(root) }
    do throws(RecordFault) {
      try pass(on: block.text(range).buffer.span, root, note)
    } catch {
      refuse(error, at: range, in: block)
    }
  }

  /// Passes on a V2 notification of a journal, decoded; false for anything else.
  func copyJournal(_ tape: JSONTape, at range: Range<Int>, in block: Block) -> Bool {
    guard options.identity == nil, let (body, number) = RowReader.journalV2(tape),
      let line = DecodedNotification.line(of: body), let inner = try? decoded.read(line.span),
      copied.read(JSONElement(tape: inner))
    else { return false }
    var note = RecordNote()
    (note.source, note.record, note.id) = (book.sourceName, book.counts.read + 1, number)
    note.describe(JSONElement(tape: inner))
    if let finding = copied.ofOtherKind.finding { note.findings.append(finding) }
    do throws(RecordFault) {
      try pass(on: line.span, JSONElement(tape: inner), note)
    } catch {
      refuse(error, at: range, in: block)
    }
    return true
  }

  /// Writes a line that no rule made.
  func pass(on text: Span<UInt8>, _ root: JSONElement, _ note: RecordNote) throws(RecordFault) {
    let migration = root["migration"].flatMap { try? Migration(element: $0) }
    let start = output.count
    if options.isTable {
      EventTable.write(copied, options.isPlain ? nil : migration, of: root, to: output)
    } else {
      output.raw(text)
    }
    let line = start..<output.count
    if let encoder {
      let record = EncodedRecord(line: self.line(line), tree: copied, migration: migration)
      if let refusal = encoder.encode(record, note) {
        output.truncate(to: start)
        throw RecordFault(stage: .store, code: Self.notStorable, message: refusal.message)
      }
    }
    if !options.isTable || !line.isEmpty { output.byte(0x0A) }
    book.counts.read += 1
    book.counts.converted += 1
    if migration?.confidence?.known == .ambiguous { book.counts.ambiguous += 1 }
    if migration?.absorbed != nil { book.counts.absorbed += 1 }
    for finding in note.findings { book.counts.findings.add(finding.code, finding.occurrences) }
    if marking != .none { markCopied(text, note) }
  }

  private static let notStorable = "valueNotStorable"

  private func line(_ range: Range<Int>) -> JSONText { output.content.part(range) }

  private func markCopied(_ text: Span<UInt8>, _ note: RecordNote) {
    let answer = answers.id(of: text)
    marks.append(
      LineMark(
        record: book.counts.read, end: output.count, id: copied.notificationID ?? answer,
        signedDate: copied.root("signedDate")?.integer ?? note.receivedAt ?? note.eventTime,
        bundleId: marking == .bundle ? copied.bundleId : nil,
        content: note.content.map { UInt32(truncatingIfNeeded: $0) } ?? UInt32(truncatingIfNeeded: answer.low)))
  }

  /// The id of an answer's content, whatever the form of its line; a signed line has no `migration`.
  private func id(ofAnswer line: Range<Int>) -> KnownIDs.ID {
    guard comparesContent, options.isTable || signer != nil else { return answers.id(of: self.line(line).buffer.span) }
    answer.clear()
    converter.write(to: answer, plain: options.isPlain || signer != nil, only: options.members)
    return answers.id(of: answer.buffer.span)
  }

  func mark(_ line: Range<Int>) {
    let event = converter.notificationUUID
    if isEvent, events.last?.record == book.counts.read { events[events.count - 1].mark = marks.count }
    marks.append(
      LineMark(
        record: book.counts.read, end: output.count,
        id: isEvent ? KnownIDs.ID(high: event.high, low: event.low) : id(ofAnswer: line),
        signedDate: converter.signedDate, bundleId: marking == .bundle ? converter.tree.bundleId : nil,
        content: isEvent && comparesContent ? UInt32(truncatingIfNeeded: converter.contentDigest) : 0))
  }

  /// The legacy record without the shared secret: made of what was parsed, so it holds nothing that was not.
  private func bodyWithoutSecret(of row: RowReader.Row) -> JSONText {
    body.clear()
    DecodedCopy(writer: body, leavesSecretsOut: true).write(JSONElement(tape: row.tape, index: row.root))
    return body.content
  }

  /// Lays out the next record for a store.
  func encode(_ line: Range<Int>, _ row: RowReader.Row, _ encoder: any RecordEncoder) throws(RecordFault) {
    var note = RecordNote()
    (note.source, note.record, note.id) = (book.sourceName, book.counts.read + 1, row.id)
    (note.notification_type, note.eventTime) = (converter.notification_type, converter.eventTime)
    note.receivedAt = converter.receivedAt
    if isEvent {
      note.content = Int64(bitPattern: converter.contentDigest)
      if events.last?.record == note.record { events[events.count - 1].isEncoded = true }
    }
    if encoder.holdsParts { note.findings = converter.repeatedFindings }
    let migration = options.isPlain || !encoder.holdsParts ? nil : converter.migrationReading
    var record = EncodedRecord(line: self.line(line), tree: converter.tree, migration: migration)
    if options.keepsBodies { record.body = bodyWithoutSecret(of: row) }
    guard let refusal = encoder.encode(record, note) else { return }
    let path = refusal.source == 0 ? "" : JSONPath(tape: row.tape, index: refusal.source).description
    throw RecordFault(
      stage: .store, code: Self.notStorable, path: rows.path(path),
      offset: rows.outerOffset ?? row.tape.start(refusal.source == 0 ? row.root : refusal.source),
      message: refusal.message)
  }
}

extension EventRecord {
  /// A member of the outermost object.
  package func root(_ name: String) -> Cell? {
    objects[0].part.schema.slot(name).flatMap { objects[0].row[$0] }
  }

  /// The app of a notification or an answer.
  fileprivate var bundleId: String? {
    let holder = objects.first { $0.part == .data } ?? objects[0]
    return holder.part.schema.slot("bundleId").flatMap { holder.row[$0]?.text?.string }
  }

  /// The digits decide, however they are divided.
  fileprivate var notificationID: KnownIDs.ID? {
    guard form == .notification, let text = root("notificationUUID")?.text?.string,
      let bytes = Hexadecimal.decode(text), bytes.count == 16
    else { return nil }
    func half(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
    return KnownIDs.ID(high: half(bytes[..<8]), low: half(bytes[8...]))
  }
}

extension RowPage.Row {
  /// Columns next to the body contain its received time and its id.
  func tell(_ row: inout RowReader.Row) {
    if let id { row.id = id }
    if let receivedAt { (row.delivery.receivedAt, row.delivery.isUnreadable) = (receivedAt, false) }
    if isTimeUnreadable { row.delivery.isUnreadable = true }
    if let event { row.event = event }
  }
}
