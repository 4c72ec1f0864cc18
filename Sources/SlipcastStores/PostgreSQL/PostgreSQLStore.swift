package import SlipcastBulk
internal import SlipcastDigest
internal import SlipcastMapping
internal import SlipcastWire

/// A Slipcast store in a PostgreSQL database, open for one run.
///
/// Records are collected and sent to the server by COPY, about 4 MiB at once. Ids that the store
/// may have are queried first, and records that it has left out. A batch that the server rejects because of a value is halved until the record is found; the others
/// are stored. Everything between two commits is one transaction, including the checkpoint. A lock, which ends with the
/// connection, excludes a second run.
package final class PostgreSQLStore: StoreSink {
  let connection: PostgreSQLConnection
  var progress: RunProgress
  var batch = PostgreSQLBatch()
  private var rejects = RowBuffer()
  private var knownCodes: Set<String> = []
  /// Results for records that were not reported yet.
  var untold = StoreOutcome()

  /// The ids of this run in a store that was empty, as many as fit; the server is not asked about those that are new here.
  var ids: KnownIDs?

  private static let batchBytes = 4 << 20

  init(_ connection: PostgreSQLConnection, _ progress: RunProgress) throws(StoreError) {
    (self.connection, self.progress) = (connection, progress)
    if progress.firstPlace == 1, progress.handed == 0 { ids = KnownIDs(memory: 32 << 20) }
    // Thousands of UUIDs should be looked up in the index, whatever the planner knows of a table that is being filled.
    try connection.execute("SET enable_seqscan = off; SET client_min_messages = warning; BEGIN")
  }

  package func makeEncoder() -> any RecordEncoder { StoreEncoder() }

  package func write(_ encoder: any RecordEncoder, before: Int) throws -> StoreOutcome {
    guard let encoder = encoder as? StoreEncoder else { return StoreOutcome() }
    try write(codes: encoder.takeFreshCodes())
    for record in encoder.buffer.records {
      let place = progress.nextPlace()
      let source = encoder.sources[record.source]
      if let refusal = record.refusal {
        refuse(source, before + record.number, refusal, line: Array(encoder.buffer.bytes[record.body]))
        continue
      }
      encoder.buffer.settle(record, place: place, run: progress.run, before: before)
      batch.append(record, encoder.buffer, source: source, before: before)
    }
    if batch.count >= Self.batchBytes { try send() }
    return takeOutcome()
  }

  package func flush() throws -> StoreOutcome {
    try send()
    return takeOutcome()
  }

  package func write(reject: Reject) throws {
    rejects.clear()
    rejects.append(reject, run: progress.run)
    for row in rejects.rows { batch.append(row, rejects) }
    progress.keptRejects += 1
  }

  package func write(events: [UInt8]) throws {
    _ = try connection.query(
      StoreQueries.addEvents(ofRun: progress.run, mark: "$1"), [Hexadecimal.encode(events)], for: "write")
  }

  package func forEachEvents(_ use: ([UInt8]) throws -> Void) throws {
    let found = try connection.query(StoreQueries.events(ofRun: progress.run), for: "resume")
    for row in 0..<found.rows { try use(Hexadecimal.decode(found.text(row, 0) ?? "") ?? []) }
  }

  package func commit(_ checkpoint: [UInt8], counts: RunCounts) throws {
    try send()
    try update(state: "running", counts)
    _ = try connection.query(
      "UPDATE runs SET checkpoint = $1 WHERE run = \(progress.run)", [CheckpointText.encode(checkpoint)], for: "commit")
    try connection.execute("COMMIT; BEGIN")
  }

  package func finish(_ end: RunEnd, counts: RunCounts) throws {
    try send()
    try update(state: end.rawValue, counts)
    try connection.execute("UPDATE runs SET finishedAt = \(Timestamp.now.milliseconds) WHERE run = \(progress.run)")
    if end == .finished {
      try connection.execute(StoreQueries.forgetEvents)
      try connection.execute("SET LOCAL maintenance_work_mem = '256MB'")
      try connection.execute(SchemaVersion.indexes)
    }
    try connection.execute("COMMIT")
    if end == .finished {
      try connection.execute("ANALYZE notifications, answers, transactions, renewal_infos, findings, candidates")
    }
    try connection.execute("SELECT pg_advisory_unlock_all()")
  }

  private func takeOutcome() -> StoreOutcome {
    defer { untold = StoreOutcome() }
    return untold
  }

  func refuse(_ source: String, _ record: Int, _ message: String, line: [UInt8]) {
    untold.refused.append(
      StoreOutcome.Refused(source: source, record: record, code: "valueNotStorable", message: message, line: line))
  }

  func write(codes fresh: [RepeatedFinding]) throws(StoreError) {
    for remark in fresh where knownCodes.insert(remark.code).inserted {
      _ = try connection.query(
        "INSERT INTO finding_codes (code, severity, message) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [remark.code, remark.severity, remark.message], for: "write")
    }
  }

  private func update(state: String, _ counts: RunCounts) throws(StoreError) {
    let assignments = zip(RunProgress.columns, progress.values(state, counts)).map { "\($0) = \($1)" }
    _ = try connection.query(
      "UPDATE runs SET \(assignments.joined(separator: ", ")), state = $1, sha256 = $2 WHERE run = \(progress.run)",
      [state, progress.digest.hexadecimal], for: "commit")
  }
}
