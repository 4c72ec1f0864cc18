internal import SlipcastBulk
internal import SlipcastMapping

/// Delivers events to `--to`.
final class TargetDelivery: Delivery {
  let state: Shared<DeliveryState>
  private let opener: TargetOpener
  private let options: LiveOptions
  private let counters: Shared<Counters>
  let log: ServerLog
  let thread: DeliveryThread

  init(_ opener: TargetOpener, _ options: LiveOptions, counters: Shared<Counters>, log: ServerLog) {
    (self.opener, self.options, self.counters, self.log) = (opener, options, counters, log)
    state = Shared(DeliveryState(name: opener.target.name))
    thread = DeliveryThread(opener.journal)
  }

  func start() { start(pauses: [0.2, 0.5, 1.0, 2.0, 5.0], isCounted: true) }

  func deliver() throws {
    let journal = opener.journal
    let (destination, start) = try opener.open()
    var convert = options.convert
    convert.isTable = opener.target.isTable
    let run = try LiveRun(
      prepared: options.prepared, rules: options.rules, options: convert, source: journal.folder.path,
      to: destination, from: start, after: options.fromNow ? journal.last : journal.first - 1)
    try journal.checkHolds(eventsAfter: run.position)
    state.change { $0.position = run.position }
    func goOn(at position: Int64) { state.change { ($0.position, $0.trouble) = (position, nil) } }
    let reader = JournalReader(journal.folder, from: run.position + 1, recordBytes: options.maxBody)
    let page = RowPage()
    while thread.goesOn {
      let records = try reader.read(through: journal.last)
      guard let last = records.last else {
        goOn(at: run.position)
        thread.wait(1)
        continue
      }
      guard try options.history?.read(through: last.number, while: { thread.goesOn }) ?? true else { break }
      let settled = try fill(page, with: records)
      let counts = try run.take(page, through: last.number)
      counters.change { values in
        values.converted += counts.converted + counts.duplicate
        values.rejected += counts.rejected
        values.settled += settled
      }
      goOn(at: last.number)
    }
    try run.end()
  }

  private func note(on record: JournalRecord, place: Int) -> RecordNote {
    var note = RecordNote()
    (note.source, note.record, note.id) = (opener.journal.folder.path, place, "\(record.number)")
    note.receivedAt = record.receivedAt
    return note
  }

  /// - Returns: how many records earlier ones settle.
  private func fill(_ page: RowPage, with records: [JournalRecord]) throws -> Int {
    page.clear()
    var count = 0
    for record in records {
      var body = record.body
      var note: RecordNote?
      if record.version == .v2, let line = DecodedNotification.line(of: record.body) {
        body = line
        note = self.note(on: record, place: page.rows.count + 1)
      }
      let time = options.datesByArrival ? record.receivedAt : nil
      page.append(body.span, id: "\(record.number)", receivedAt: time, note: note)
      guard record.version == .v1 else { continue }
      let settled = try options.history?.settlement(of: record.number)
      let place = page.rows.count - 1
      (page.rows[place].event, page.rows[place].settled) = (record.id, settled)
      if let settled, !settled.settlement.isContradicted { count += 1 }
    }
    return count
  }
}
