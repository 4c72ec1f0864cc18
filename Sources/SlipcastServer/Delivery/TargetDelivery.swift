internal import SlipcastBulk
internal import SlipcastMapping
import SlipcastSystem

/// Delivers events to `--to`.
final class TargetDelivery: Delivery {
  /// With absolute paths: its state is found again by them.
  private let target: RunTarget
  private let rejects: String?
  private let journal: Journal
  private let options: ServerOptions
  private let counters: Shared<Counters>
  let thread: DeliveryThread

  init(
    _ target: RunTarget, _ journal: Journal, _ options: ServerOptions, counters: Shared<Counters>, log: ServerLog
  ) {
    (self.journal, self.options, self.counters) = (journal, options, counters)
    self.target = target.resolved
    rejects = options.rejects.map { Platform.resolved($0) }
    thread = DeliveryThread(target.name, journal, log)
  }

  /// A database may not be available now; it is checked when it is opened.
  func check() throws {
    guard target.store == nil, let place = try state()?.position.place else { return }
    try checkHolds(Int64(place) ?? 0)
  }

  private func checkHolds(_ position: Int64) throws {
    try journal.checkHolds(eventsAfter: position, of: thread.state.now)
  }

  private var stateFile: String { journal.folder.checkpoint(of: JournalFolder.name(of: target.name.description)) }

  func start() { thread.start(pauses: [0.2, 0.5, 1.0, 2.0, 5.0], isCounted: true, deliver) }

  @Sendable private func deliver() throws {
    let (destination, start) = try open()
    var convert = options.convert
    convert.isTable = target.isTable
    let run = try LiveRun(
      prepared: options.endpoint.prepared, rules: options.endpoint.rules, options: convert, source: journal.folder.path,
      to: destination, from: start, after: options.fromNow ? journal.lastAtStart : journal.first - 1)
    try checkHolds(run.position)
    thread.state.change { $0.position = run.position }
    func goOn(at position: Int64) { thread.state.change { ($0.position, $0.trouble) = (position, nil) } }
    let reader = JournalReader(journal.folder, from: run.position + 1, recordBytes: options.endpoint.maxBody)
    let page = RowPage()
    let states = TargetStates(of: destination.store, options.fillStates)
    while thread.goesOn {
      let records = try reader.read(through: journal.last)
      try states?.update(at: run.position, isIdle: records.isEmpty, while: { thread.goesOn })
      guard let last = records.last else {
        goOn(at: run.position)
        thread.wait(1)
        continue
      }
      guard try options.history?.read(through: last.number, while: { thread.goesOn }) ?? true else { break }
      // The numbers of a page have no gaps, so it ends before an event that is not delivered.
      for part in records.split(maxSplits: .max, omittingEmptySubsequences: true, whereSeparator: \.differs) {
        try deliver(part, page, run)
      }
      if last.differs {
        page.clear()
        _ = try run.take(page, through: last.number)
      }
      goOn(at: last.number)
    }
    try run.end()
  }

  private func deliver(_ records: ArraySlice<JournalRecord>, _ page: RowPage, _ run: LiveRun) throws {
    guard let last = records.last else { return }
    let settled = try fill(page, with: records)
    let counts = try run.take(page, through: last.number)
    counters.change { values in
      values.converted += counts.converted + counts.duplicate
      values.rejected += counts.rejected
      values.settled += settled
    }
  }

  private func note(on record: JournalRecord, place: Int) -> RecordNote {
    var note = RecordNote()
    note.origin = .v2
    (note.source, note.record, note.id) = (journal.folder.path, place, "\(record.number)")
    note.receivedAt = record.receivedAt
    return note
  }

  /// - Returns: how many records earlier ones settle.
  private func fill(_ page: RowPage, with records: ArraySlice<JournalRecord>) throws -> Int {
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

  /// - Returns: the destination, and the checkpoint to resume from; `nil` for a new one.
  /// - Throws: `FileError` or `StoreError` when it is not available, or was changed.
  private func open() throws -> (RunDestination, Checkpoint?) {
    let destination = RunDestination()
    var now = Checkpoint()
    now.kind = .serve
    now.options = "serve"
    if case .folder(_, let division, let compression) = target.kind {
      now.options += " \(division) \(compression.rawValue)"
    }
    now.sources = [source]
    destination.checkpoint = now
    var start: Checkpoint?
    if let store = target.store {
      (destination.store, start) = try store.openLive(now, of: journal.folder.path)
    } else {
      destination.checkpointPath = stateFile
      start = try state()
      if let start, start.options != now.options {
        throw FileError(
          path: target.name.description, doing: "resume",
          reason: "--split or --compress has changed; name another folder")
      }
      try target.openFiles(of: destination, resuming: start?.outputs, besides: [rejects], isGrowing: true)
    }
    if let rejects {
      destination.rejects = try FileOutput(growing: rejects, resuming: start?.outputs.first { $0.path == rejects })
    }
    return (destination, start)
  }

  private var source: Checkpoint.SourceMark { Checkpoint.SourceMark(name: "journal \(journal.id)") }

  private func state() throws -> Checkpoint? {
    guard Platform.kind(stateFile) != .nothing else { return nil }
    func fault(_ reason: String) -> FileError {
      FileError(
        path: stateFile, doing: "continue from",
        reason: "\(reason); restore it from a copy, or delete it to deliver all events again to another target")
    }
    let text = try Platform.contents(of: stateFile, limit: 16 << 20)
    let found: Checkpoint
    do throws(StateFault) { found = try Checkpoint(json: text, of: .serve) } catch { throw fault(error.reason) }
    guard found.sources == [source], found.position.place.flatMap(Int64.init) != nil else {
      throw fault("it is the state of a target of another journal")
    }
    return found
  }
}
