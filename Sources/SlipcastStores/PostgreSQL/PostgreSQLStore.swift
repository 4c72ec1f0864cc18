package import SlipcastBulk
internal import SlipcastDigest
internal import SlipcastMapping
internal import SlipcastWire

/// A Slipcast store in a PostgreSQL database, open for one run.
///
/// Records are collected and sent to the server by COPY, about 4 MiB at once, while the next ones are collected. Ids that
/// the store may have are queried first, and records that it has left out. A batch that the server rejects because of a
/// value is halved until the record is found; the others are stored. Everything between two commits is one transaction,
/// including the checkpoint. A lock, which ends with the connection, excludes a second run.
package final class PostgreSQLStore: StoreSink {
  private let sender: PostgreSQLSender
  private let indexing: PostgreSQLIndexing
  private var progress: RunProgress
  private var batch = PostgreSQLBatch()
  private var rejects = RowBuffer()
  /// Results for records that were not reported yet.
  private var outcome = StoreOutcome()

  /// The word for a value that the server rejects.
  static let refusedCode = "valueNotStorable"

  private static let batchBytes = 4 << 20

  init(_ connection: PostgreSQLConnection, _ text: ConnectionText, _ progress: RunProgress) throws(StoreError) {
    indexing = PostgreSQLIndexing(text, name: connection.name)
    self.progress = progress
    sender = PostgreSQLSender(connection, progress, isNew: progress.firstPlace == 1 && progress.handed == 0)
    // Thousands of UUIDs should be looked up in the index, whatever the planner knows of a table that is being filled.
    try connection.execute("SET enable_seqscan = off; SET client_min_messages = warning; BEGIN")
  }

  package func makeEncoder() -> any RecordEncoder { StoreEncoder() }

  package func write(_ encoder: any RecordEncoder, before: Int) throws -> StoreOutcome {
    guard let encoder = encoder as? StoreEncoder else { return StoreOutcome() }
    let codes = encoder.takeFreshCodes()
    if !codes.isEmpty {
      _ = try connection()
      try sender.write(codes: codes)
    }
    for record in encoder.buffer.records {
      let place = progress.nextPlace()
      let source = encoder.sources[record.source]
      if let refusal = record.refusal {
        outcome.refused.append(
          StoreOutcome.Refused(
            source: source, record: before + record.number, code: Self.refusedCode, message: refusal,
            line: Array(encoder.buffer.bytes[record.body])))
        continue
      }
      encoder.buffer.settle(record, place: place, run: progress.run, before: before)
      batch.append(record, encoder.buffer, source: source, before: before)
    }
    if batch.count >= Self.batchBytes { outcome.add(try sender.start(&batch)) }
    return takeOutcome()
  }

  package func flush() throws -> StoreOutcome {
    _ = try sent()
    return takeOutcome()
  }

  package func write(reject: Reject) throws {
    rejects.clear()
    rejects.append(reject, run: progress.run)
    for row in rejects.rows { batch.append(row, rejects) }
    progress.keptRejects += 1
  }

  package func write(events: [UInt8]) throws {
    _ = try connection().query(
      StoreQueries.addEvents(ofRun: progress.run, mark: "$1"), [Hexadecimal.encode(events)], for: "write")
  }

  package func forEachEvents(_ use: ([UInt8]) throws -> Void) throws {
    let found = try connection().query(StoreQueries.events(ofRun: progress.run), for: "resume")
    for row in 0..<found.rows { try use(Hexadecimal.decode(found.text(row, 0) ?? "") ?? []) }
  }

  package func commit(_ checkpoint: [UInt8], counts: RunCounts) throws {
    let connection = try sent()
    try update(connection, state: "running", counts)
    _ = try connection.query(
      "UPDATE runs SET checkpoint = $1 WHERE run = \(progress.run)", [CheckpointText.encode(checkpoint)], for: "commit")
    try connection.execute("COMMIT; BEGIN")
  }

  package func finish(_ end: RunEnd, counts: RunCounts) throws {
    let connection = try sent()
    try update(connection, state: end.rawValue, counts)
    try connection.execute("UPDATE runs SET finishedAt = \(Timestamp.now.milliseconds) WHERE run = \(progress.run)")
    if end == .finished { try connection.execute(StoreQueries.forgetEvents) }
    try connection.execute("COMMIT")
    if end == .finished { try indexing.build(connection) }
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
    return sender.connection
  }

  private func takeOutcome() -> StoreOutcome {
    defer { outcome = StoreOutcome() }
    return outcome
  }

  private func update(_ connection: PostgreSQLConnection, state: String, _ counts: RunCounts) throws(StoreError) {
    (progress.stored, progress.digest) = (sender.progress.stored, sender.progress.digest)
    let assignments = zip(RunProgress.columns, progress.values(state, counts)).map { "\($0) = \($1)" }
    _ = try connection.query(
      "UPDATE runs SET \(assignments.joined(separator: ", ")), state = $1, sha256 = $2 WHERE run = \(progress.run)",
      [state, progress.digest.hexadecimal], for: "commit")
  }
}
