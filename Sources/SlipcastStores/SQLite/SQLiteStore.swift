package import SlipcastBulk
internal import SlipcastDigest
internal import SlipcastMapping
internal import SlipcastWire

/// A Slipcast store in an SQLite file, open for one run.
///
/// Everything between two commits is one transaction, including the checkpoint. The file is locked, so two runs cannot
/// write it at once; others can read it only while a live run writes. SQLite syncs at each commit: after a kill or a power loss the store is as it was at a
/// commit. A file that was deleted or replaced in the meantime ends the run at the next commit.
package final class SQLiteStore: StoreSink {
  /// The open resources of the run; closing the file releases the lock.
  private final class Session {
    let database: SQLiteDatabase
    let inserts: [SQLiteStatement]
    let codes: SQLiteStatement
    let kept: SQLiteStatement

    init(_ database: SQLiteDatabase) throws(StoreError) {
      self.database = database
      var inserts: [SQLiteStatement] = []
      for number in TableNumber.allCases {
        inserts.append(try database.prepare(SQLiteStore.insert(number), for: "write"))
      }
      self.inserts = inserts
      kept = try database.prepare("SELECT place, content FROM notifications WHERE notificationUUID = ?", for: "write")
      codes = try database.prepare(
        "INSERT INTO finding_codes (code, severity, message) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", for: "write")
    }
  }

  private let name: String
  private let file: StoreFile.Opened
  private var session: Session?
  private var knownCodes: Set<String> = []
  private var progress: RunProgress
  private var rejects = RowBuffer()
  private let isTemporary: Bool

  init(
    _ database: SQLiteDatabase, _ file: StoreFile.Opened, _ progress: RunProgress, isTemporary: Bool = false
  ) throws(StoreError) {
    (name, self.file, self.progress, self.isTemporary) = (database.name, file, progress, isTemporary)
    session = try Session(database)
    try database.execute("BEGIN IMMEDIATE")
  }

  deinit { if let session { try? session.database.execute("ROLLBACK") } }

  /// The open resources; an error after the end of the run.
  private func current() throws(StoreError) -> Session {
    guard let session else { throw StoreError(.queryFailed, name, "write", "the run has ended") }
    return session
  }

  package func makeEncoder() -> any RecordEncoder { StoreEncoder(holdsParts: !isTemporary) }

  package func write(_ encoder: any RecordEncoder, before: Int) throws -> StoreOutcome {
    guard let encoder = encoder as? StoreEncoder else { return StoreOutcome() }
    let session = try current()
    try write(codes: encoder.takeFreshCodes(), session)
    var outcome = StoreOutcome()
    for record in encoder.buffer.records {
      let place = progress.nextPlace()
      if let refusal = record.refusal {
        outcome.refused.append(
          StoreOutcome.Refused(
            source: encoder.sources[record.source], record: before + record.number, code: "valueNotStorable",
            message: refusal, line: Array(encoder.buffer.bytes[record.body])))
        continue
      }
      encoder.buffer.settle(record, place: place, run: progress.run, before: before)
      if try write(record, encoder.buffer, session) {
        outcome.stored += 1
      } else {
        outcome.duplicate += 1
        if try noteDifference(record, encoder.buffer, session) { outcome.differing += 1 }
      }
    }
    return outcome
  }

  /// Compares a dropped record with the kept one; where they differ, the kept one gets a finding.
  private func noteDifference(
    _ record: RowBuffer.Record, _ buffer: RowBuffer, _ session: Session
  ) throws(StoreError) -> Bool {
    guard let content = buffer.content(record) else { return false }
    let kept = session.kept
    try kept.bind(buffer.id(record), at: 1)
    defer { kept.reset() }
    guard try kept.step(), let other = kept.optionalInteger(1), other != content else { return false }
    let place = kept.integer(0)
    let finding = RepeatFinding.repeatDiffers
    try write(
      codes: [
        RepeatedFinding(
          code: finding.rawValue, severity: "warning", occurrences: 1, path: "", message: finding.message)
      ], session)
    for sql in StoreQueries.countDifferent(mark: "?1") {
      let statement = try session.database.prepare(sql, for: "write")
      try statement.bind(place, at: 1)
      try statement.run()
    }
    return true
  }

  package func write(events: [UInt8]) throws {
    let statement = try current().database.prepare(
      StoreQueries.addEvents(ofRun: progress.run, mark: "?1"), for: "write")
    try statement.bind(Hexadecimal.encode(events), at: 1)
    try statement.run()
  }

  package func forEachEvents(_ use: ([UInt8]) throws -> Void) throws {
    let rows = try current().database.prepare(StoreQueries.events(ofRun: progress.run), for: "resume")
    while try rows.step() { try use(Hexadecimal.decode(rows.text(0) ?? "") ?? []) }
  }

  package func flush() throws -> StoreOutcome { StoreOutcome() }

  package func write(reject: Reject) throws {
    rejects.clear()
    rejects.append(reject, run: progress.run)
    for row in rejects.rows { try insert(row, rejects, try current()) }
    progress.keptRejects += 1
  }

  package func commit(_ checkpoint: [UInt8], counts: RunCounts) throws {
    let database = try current().database
    try update(state: "running", counts)
    let statement = try database.prepare("UPDATE runs SET checkpoint = ?1 WHERE run = ?2", for: "commit")
    try statement.bind(CheckpointText.encode(checkpoint), at: 1)
    try statement.bind(progress.run, at: 2)
    try statement.run()
    try file.check(database, for: "commit")
    try database.execute("COMMIT; BEGIN IMMEDIATE")
  }

  package func finish(_ end: RunEnd, counts: RunCounts) throws {
    let database = try current().database
    try update(state: end.rawValue, counts)
    let statement = try database.prepare("UPDATE runs SET finishedAt = ?1 WHERE run = ?2", for: "finish")
    try statement.bind(Timestamp.now.milliseconds, at: 1)
    try statement.bind(progress.run, at: 2)
    try statement.run()
    if end == .finished, !isTemporary {
      try database.execute(StoreQueries.forgetEvents)
      // Sorting for an index needs several times the size of the cache.
      try database.execute("PRAGMA cache_size = -16384")
      try database.execute(SchemaVersion.indexes)
    }
    try file.check(database, for: "finish the store")
    try database.execute("COMMIT")
    session = nil
    // A reader of a store that was written live may still need the log.
    do { try database.execute("PRAGMA journal_mode = DELETE") } catch  where error.kind == .locked {}
    try file.check(database, for: "finish the store")
  }

  /// Writes one record and returns whether it is new.
  private func write(_ record: RowBuffer.Record, _ buffer: RowBuffer, _ session: Session) throws(StoreError) -> Bool {
    for index in record.rows {
      try insert(buffer.rows[index], buffer, session)
      if index == record.rows.lowerBound, session.database.changes == 0 { return false }
    }
    // A run of a temporary store is never resumed, so its digest is never compared.
    if !isTemporary {
      progress.add(buffer.bytes.span.extracting(record.body))
    }
    return true
  }

  private func insert(_ row: RowBuffer.Row, _ buffer: RowBuffer, _ session: Session) throws(StoreError) {
    let statement = session.inserts[row.table.rawValue]
    let columns = Self.columnCounts[row.table.rawValue]
    let range = row.firstCell..<row.firstCell + columns
    try statement.run(buffer.cells.span.extracting(range), texts: buffer.bytes.span)
  }

  private func write(codes fresh: [RepeatedFinding], _ session: Session) throws(StoreError) {
    for remark in fresh where knownCodes.insert(remark.code).inserted {
      try session.codes.bind(remark.code, at: 1)
      try session.codes.bind(remark.severity, at: 2)
      try session.codes.bind(remark.message, at: 3)
      try session.codes.run()
    }
  }

  private func update(state: String, _ counts: RunCounts) throws(StoreError) {
    let columns = RunProgress.columns
    let assignments = columns.map { $0 + " = ?" }.joined(separator: ", ")
    let statement = try current().database.prepare(
      "UPDATE runs SET \(assignments), state = ?, sha256 = ? WHERE run = ?", for: "commit")
    for (index, value) in progress.values(state, counts).enumerated() { try statement.bind(value, at: index + 1) }
    try statement.bind(state, at: columns.count + 1)
    try statement.bind(progress.digest.hexadecimal, at: columns.count + 2)
    try statement.bind(progress.run, at: columns.count + 3)
    try statement.run()
  }

  private static let columnCounts = StoreTable.all.map(\.columns.count)

  private static func insert(_ number: TableNumber) -> String {
    let table = number.table
    let marks = Array(repeating: "?", count: table.columns.count).joined(separator: ", ")
    let statement = "INSERT INTO \(table.name) (\(table.columnList)) VALUES (\(marks))"
    switch number {
    case .notifications: return statement + " ON CONFLICT (notificationUUID) DO NOTHING"
    case .answers: return statement + " ON CONFLICT (answerUUID) DO NOTHING"
    default: return statement
    }
  }
}
