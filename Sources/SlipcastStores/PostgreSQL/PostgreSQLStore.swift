internal import SlipcastBulk
internal import SlipcastMapping

/// A Slipcast store in a PostgreSQL database, open for one run.
///
/// Records are collected and sent to the server by COPY, about 4 MiB at once, while the next ones are collected. Ids that
/// the store may have are queried first, and records that it has left out. A batch that the server rejects because of a
/// value is halved until the record is found; the others are stored. Everything between two commits is one transaction,
/// including the checkpoint. A lock, which ends with the connection, excludes a second run.
final class PostgreSQLStore: StoreSink, LiveStates {
  private let (text, name): (ConnectionText, String)
  private let sender: PostgreSQLSender
  private let indexing: PostgreSQLIndexing
  private var progress: RunProgress
  private var batch = PostgreSQLBatch()
  private var rejects = RowBuffer()
  /// Results for records that were not reported yet.
  private var outcome = StoreOutcome()
  /// The checkpoint to resume from; `nil` for a new run.
  let checkpoint: [UInt8]?

  private static let batchBytes = 4 << 20

  /// Opens the store in a database's current schema for a run, and creates it if it does not exist.
  init(_ text: ConnectionText, _ name: String, _ description: RunDescription, resume: Bool) throws(StoreError) {
    (self.text, self.name) = (text, name)
    let connection = try PostgreSQLConnection(text, name: name)
    // Checked first: without a schema there is nothing to lock.
    _ = try connection.schemaVersion()
    guard try connection.lockStore() else {
      throw StoreError(
        .locked, name, "open the store", "another run writes there", advice: "try again when it has ended")
    }
    (progress, checkpoint) = try connection.start(description, resume: resume)
    indexing = PostgreSQLIndexing(text, name: name)
    sender = PostgreSQLSender(connection, progress, isNew: progress.firstPlace == 1 && progress.handed == 0)
    // Thousands of UUIDs should be looked up in the index, whatever the planner knows of a table that is being filled.
    try connection.execute("SET enable_seqscan = off; SET client_min_messages = warning; BEGIN")
  }

  func makeEncoder() -> any RecordEncoder { StoreEncoder(texts: .postgreSQL) }

  func write(_ encoder: any RecordEncoder, before: Int) throws -> StoreOutcome {
    guard let encoder = encoder as? StoreEncoder else { return StoreOutcome() }
    let codes = encoder.takeFreshCodes()
    if !codes.isEmpty { try connection().write(codes: codes) }
    for record in encoder.buffer.records {
      encoder.settle(record, &progress, before: before)
      batch.append(record, encoder.buffer, source: encoder.sources[record.source], before: before)
    }
    if batch.count >= Self.batchBytes { outcome.add(try sender.start(&batch)) }
    return takeOutcome()
  }

  func flush() throws -> StoreOutcome {
    _ = try sent()
    return takeOutcome()
  }

  func write(reject: Reject) throws {
    rejects.clear()
    rejects.append(reject, run: progress.run)
    for row in rejects.rows { batch.append(row, rejects) }
    progress.keptRejects += 1
  }

  func write(listed periods: [KeptPeriod]) throws { try connection().write(listed: periods, of: progress.run) }

  func unite(listed periods: [KeptPeriod]) throws { try connection().unite(listed: periods, of: progress.run) }

  func updateStates(_ fill: (StoreStates) throws -> Bool) throws {
    // A statement ends the one before, so events are read with a connection of their own.
    try updateStates(
      in: try connection(), reading: { [text, name] in try StoreReader(PostgreSQLConnection(text, name: name)) },
      begin: "BEGIN", fill)
  }

  func write(events: [UInt8]) throws { try connection().write(events: events, of: progress.run) }

  func forEachEvents(_ use: (StoredEvents) throws -> Void) throws {
    try connection().forEachEvents(own: progress.run, use)
  }

  func commit(_ checkpoint: [UInt8], counts: RunCounts) throws {
    let connection = try sent()
    try connection.note(progress, state: "running", counts, checkpoint: checkpoint)
    try connection.execute("COMMIT; BEGIN")
  }

  func finish(_ end: RunEnd, counts: RunCounts) throws {
    let connection = try sent()
    // A run that is interrupted while indexes are built is not finished: --resume builds the others.
    try connection.note(progress, state: end == .finished ? "running" : end.rawValue, counts)
    try connection.execute("COMMIT")
    if end == .finished {
      try indexing.build(connection)
      try connection.execute("BEGIN")
      try connection.note(progress, state: end.rawValue, counts)
      try connection.execute("COMMIT")
    }
    try connection.execute("SELECT pg_advisory_unlock_all()")
  }

  // MARK: sending

  /// Sends what waits, and returns the idle connection.
  private func sent() throws(StoreError) -> PostgreSQLConnection {
    outcome.add(try sender.start(&batch))
    return try connection()
  }

  /// The connection, once nothing is being sent.
  private func connection() throws(StoreError) -> PostgreSQLConnection {
    outcome.add(try sender.wait())
    (progress.stored, progress.digest) = (sender.progress.stored, sender.progress.digest)
    return sender.connection
  }

  private func takeOutcome() -> StoreOutcome {
    defer { outcome = StoreOutcome() }
    return outcome
  }
}

extension PostgreSQLConnection {
  /// Locks the store of the schema until the connection ends; false while another run has it.
  func lockStore() throws(StoreError) -> Bool {
    // 1397508432 is SLIP in ASCII.
    let locked = try rows(
      "SELECT pg_try_advisory_lock(1397508432, hashtext(current_schema()))", for: "lock the store")
    var isLocked = false
    while try locked.step() { isLocked = locked.text(0) == "t" }
    return isLocked
  }
}
