internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastWire

/// A Slipcast store in an SQLite file, open for one run.
///
/// Everything between two commits is one transaction, including the checkpoint. The file is locked, so two runs cannot
/// write it at once; others can read it only while a live run writes. SQLite syncs at each commit: after a kill or a power loss the store is as it was at a
/// commit. A file that was deleted or replaced in the meantime ends the run at the next commit.
final class SQLiteStore: StoreSink, LiveStates {
  /// The open resources of the run; closing the file releases the lock.
  private struct Session {
    let database: SQLiteDatabase
    /// Inserts a row of each table, by its number.
    let inserts: [SQLiteStatement]
    /// Finds the kept record with an id.
    let kept: SQLiteStatement
  }

  private let name: String
  private let file: StoreFile.Opened
  private var session: Session?
  private var progress = RunProgress()
  private var rejects = RowBuffer()
  private var hasDifferenceCode = false
  /// The checkpoint to resume from; `nil` for a new run.
  private(set) var checkpoint: [UInt8]?

  /// Opens the store of a file for a run, and creates it if it does not exist.
  init(path: String, _ name: String, _ description: RunDescription, resume: Bool) throws(StoreError) {
    try StoreFile.prepare(path, name)
    let database = try SQLiteDatabase(path: path, name: name, .readWrite)
    database.adviceWhenFull = description.adviceWhenFull
    // Checked before anything is written: a file of another program stays unchanged.
    _ = try database.schemaVersion()
    try database.execute(description.isLive ? Self.liveSettings : Self.settings)
    // The lock is taken here and kept. No reader can block a commit: none is let in, or it reads a snapshot.
    try database.execute("BEGIN EXCLUSIVE; COMMIT")
    file = try StoreFile.opened(path, by: database)
    self.name = name
    (progress, checkpoint) = try database.start(description, resume: resume)
    var inserts: [SQLiteStatement] = []
    for table in TableNumber.allCases { inserts.append(try database.prepare(Self.insert(table), for: "write")) }
    let kept = try database.prepare(
      "SELECT place, content, receivedAt FROM notifications WHERE notificationUUID = ?", for: "write")
    session = Session(database: database, inserts: inserts, kept: kept)
    try database.execute("BEGIN IMMEDIATE")
  }

  deinit { if let session { try? session.database.execute("ROLLBACK") } }

  /// How a run writes; the size of the cache is in kibibytes.
  ///
  /// A rollback journal keeps only old pages, and nearly all pages of a load are new, so each is written once; a
  /// write-ahead log would write each twice. With FULL, the journal is on the disk before the file changes, and the
  /// file before the journal is deleted: after a power loss the store is as it was at a commit.
  private static let settings = """
    PRAGMA page_size = 16384; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE;
    PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA temp_store = FILE
    """

  /// With a write-ahead log, readers see the last commit while the run writes.
  private static let liveSettings = """
    PRAGMA page_size = 16384; PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL; PRAGMA cache_size = -16384; PRAGMA temp_store = FILE
    """

  /// The open resources; an error after the end of the run.
  private func current() throws(StoreError) -> Session {
    guard let session else { throw StoreError(.queryFailed, name, "write", "the run has ended") }
    return session
  }

  func makeEncoder() -> any RecordEncoder { StoreEncoder() }

  func write(_ encoder: any RecordEncoder, before: Int) throws -> StoreOutcome {
    guard let encoder = encoder as? StoreEncoder else { return StoreOutcome() }
    let session = try current()
    try session.database.write(codes: encoder.takeFreshCodes())
    var outcome = StoreOutcome()
    for record in encoder.buffer.records {
      encoder.settle(record, &progress, before: before)
      if try write(record, encoder.buffer, session) {
        outcome.stored += 1
      } else {
        outcome.duplicate += 1
        if try noteRepetition(record, encoder.buffer, session) { outcome.differing += 1 }
      }
    }
    return outcome
  }

  /// Compares a dropped record with the kept one; true where they differ.
  private func noteRepetition(
    _ record: RowBuffer.Record, _ buffer: RowBuffer, _ session: Session
  ) throws(StoreError) -> Bool {
    let (content, receivedAt) = (buffer.content(record), buffer.receivedAt(record))
    guard content != nil || receivedAt != nil else { return false }
    let kept = session.kept
    try kept.bind(buffer.id(record), at: 1)
    defer { kept.reset() }
    guard try kept.step() else { return false }
    let known = Repetition.Kept(place: kept.integer(0), content: kept.number(1), receivedAt: kept.number(2))
    let repetition = Repetition(of: known, content: content, receivedAt: receivedAt)
    if repetition.isDifferent, !hasDifferenceCode {
      try session.database.writeDifferenceCode()
      hasDifferenceCode = true
    }
    try session.database.note(repetition)
    return repetition.isDifferent
  }

  func write(listed periods: [KeptPeriod]) throws { try current().database.write(listed: periods, of: progress.run) }

  func unite(listed periods: [KeptPeriod]) throws { try current().database.unite(listed: periods, of: progress.run) }

  func updateStates(_ fill: (StoreStates) throws -> Bool) throws {
    let database = try current().database
    try updateStates(in: database, reading: { StoreReader(of: database) }, begin: "BEGIN IMMEDIATE", fill)
  }

  func write(events: [UInt8]) throws { try current().database.write(events: events, of: progress.run) }

  func forEachEvents(_ use: (StoredEvents) throws -> Void) throws {
    try current().database.forEachEvents(own: progress.run, use)
  }

  func flush() throws -> StoreOutcome { StoreOutcome() }

  func write(reject: Reject) throws {
    rejects.clear()
    rejects.append(reject, run: progress.run)
    for row in rejects.rows { try insert(row, rejects, try current()) }
    progress.keptRejects += 1
  }

  func commit(_ checkpoint: [UInt8], counts: RunCounts) throws {
    let database = try current().database
    try database.note(progress, state: "running", counts, checkpoint: checkpoint)
    try file.check(database, for: "commit")
    try database.execute("COMMIT; BEGIN IMMEDIATE")
  }

  func finish(_ end: RunEnd, counts: RunCounts) throws {
    let database = try current().database
    try database.note(progress, state: end.rawValue, counts)
    if end == .finished {
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
    progress.add(buffer.bytes.span.extracting(record.body))
    return true
  }

  private func insert(_ row: RowBuffer.Row, _ buffer: RowBuffer, _ session: Session) throws(StoreError) {
    try run(session.inserts[row.table.rawValue], row, buffer)
  }

  private func run(_ statement: SQLiteStatement, _ row: RowBuffer.Row, _ buffer: RowBuffer) throws(StoreError) {
    let cells = buffer.cells.span.extracting(row.firstCell..<row.firstCell + StoreTable.widths[row.table.rawValue])
    try statement.run(cells, texts: buffer.bytes.span)
  }

  private static func values(of number: TableNumber) -> String {
    let table = number.table
    let marks = Array(repeating: "?", count: table.columns.count).joined(separator: ", ")
    return "INSERT INTO \(table.name) (\(table.columnList)) VALUES (\(marks))"
  }

  private static func insert(_ number: TableNumber) -> String {
    let statement = values(of: number)
    switch number {
    case .notifications: return statement + " ON CONFLICT (notificationUUID) DO NOTHING"
    case .answers: return statement + " ON CONFLICT (answerUUID) DO NOTHING"
    default: return statement
    }
  }
}
