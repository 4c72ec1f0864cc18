package import SlipcastBulk
internal import SlipcastDigest

/// A Slipcast store in a PostgreSQL database, open for one run.
///
/// Records are gathered and go to the server by COPY, about 4 MiB at once. Those that are there already are asked for
/// before and left out. A batch that the server refuses because of a value is halved until the record is found; the
/// others land. All that comes between two commits is one transaction, the checkpoint included. A lock excludes a
/// second run, and it goes with the connection.
package final class PostgreSQLStore: StoreSink {
  private let connection: PostgreSQLConnection
  private var progress: RunProgress
  private var batch = PostgreSQLBatch()
  private var rejects = RowBuffer()
  private var knownCodes: Set<String> = []
  /// What became of records and was not told yet.
  private var untold = StoreOutcome()

  private static let batchBytes = 4 << 20

  init(_ connection: PostgreSQLConnection, _ progress: RunProgress) throws(StoreError) {
    (self.connection, self.progress) = (connection, progress)
    // Looking for thousands of UUIDs is the index's work, whatever the planner knows of a table that is being filled.
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
        refuse(source, before + record.number, refusal)
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

  package func commit(_ checkpoint: [UInt8], counts: RunCounts) throws {
    try send()
    try update(state: "running", counts)
    _ = try connection.query(
      "UPDATE runs SET checkpoint = $1 WHERE run = \(progress.run)", [CheckpointText.encode(checkpoint)], for: "commit")
    try connection.execute("COMMIT; BEGIN")
  }

  package func finish(_ end: RunEnd, counts: RunCounts) throws {
    try send()
    try update(state: end.word, counts)
    try connection.execute("UPDATE runs SET finishedAt = \(Platform.now()) WHERE run = \(progress.run)")
    if end == .finished {
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

  private func refuse(_ source: String, _ record: Int, _ message: String) {
    untold.refused.append(
      StoreOutcome.Refused(source: source, record: record, code: "valueNotStorable", message: message))
  }

  // MARK: sending

  private func send() throws(StoreError) {
    guard !batch.isEmpty else { return }
    let fresh = try freshRecords()
    try send(fresh[...])
    if batch.hasRejects { try copy([], [.rejects]) }
    batch.clear()
  }

  /// The records whose UUIDs neither the store nor an earlier record of the batch has.
  private func freshRecords() throws(StoreError) -> [Int] {
    var known = try knownUUIDs(answers: false).union(try knownUUIDs(answers: true))
    var fresh: [Int] = []
    fresh.reserveCapacity(batch.entries.count)
    for (index, entry) in batch.entries.enumerated() {
      if entry.uuid.utf8.contains(0) {
        refuse(entry.source, entry.record, "notifications.notificationUUID holds U+0000")
      } else if known.insert(entry.uuid).inserted {
        fresh.append(index)
      } else {
        untold.duplicate += 1
      }
    }
    return fresh
  }

  private func knownUUIDs(answers: Bool) throws(StoreError) -> Set<String> {
    let uuids = batch.entries.filter { $0.isAnswer == answers && !$0.uuid.utf8.contains(0) }.map(\.uuid)
    guard !uuids.isEmpty else { return [] }
    let (table, column) = answers ? ("answers", "answerUUID") : ("notifications", "notificationUUID")
    let found = try connection.query(
      "SELECT \(column) FROM \(table) WHERE \(column) = ANY($1::text[])", [Self.array(uuids)], for: "write")
    return Set((0..<found.rows).compactMap { found.text($0, 0) })
  }

  /// Texts as PostgreSQL spells an array.
  private static func array(_ texts: [String]) -> String {
    var array = "{"
    for text in texts {
      array += array.utf8.count == 1 ? "\"" : ",\""
      array +=
        text.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        ? String(text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }) : text
      array += "\""
    }
    return array + "}"
  }

  /// Copies records; when a value stands in the way, halves them until it is found.
  private func send(_ records: ArraySlice<Int>) throws(StoreError) {
    guard let first = records.first else { return }
    do {
      try connection.execute("SAVEPOINT batch")
      try copy(records, [.notifications, .answers, .transactions, .renewalInfos, .candidates, .findings])
      try connection.execute("RELEASE batch")
      untold.stored += records.count
      for index in records { progress.add(batch.body(index)) }
    } catch {
      guard let state = error.sqlState, Self.isAboutValues(state) else { throw error }
      try connection.execute("ROLLBACK TO batch; RELEASE batch")
      if records.count > 1 {
        let middle = records.startIndex + records.count / 2
        try send(records[..<middle])
        try send(records[middle...])
      } else if state == "23505" {
        // Somebody else wrote the same record in the meantime.
        untold.duplicate += 1
      } else {
        let entry = batch.entries[first]
        refuse(entry.source, entry.record, "\(error.reason) (SQLSTATE \(state))")
      }
    }
  }

  /// Data exceptions, broken constraints, and what is too deep or too large for the server.
  private static func isAboutValues(_ state: String) -> Bool {
    state.hasPrefix("22") || state.hasPrefix("23") || state.hasPrefix("54")
  }

  private func copy(_ records: ArraySlice<Int>, _ tables: [TableNumber]) throws(StoreError) {
    for table in tables {
      var isOpen = false
      try batch.forEachPiece(table, of: records) { piece throws(StoreError) in
        if !isOpen {
          try connection.beginCopy(table.table.name, table.table.columnList)
          try Self.header.withBytes { bytes throws(StoreError) in try connection.copy(bytes) }
          isOpen = true
        }
        try connection.copy(piece)
      }
      if isOpen {
        try Self.trailer.withBytes { bytes throws(StoreError) in try connection.copy(bytes) }
        try connection.endCopy()
      }
    }
  }

  /// `PGCOPY\n\377\r\n\0`, no flags, no extension.
  private static let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
  private static let trailer: [UInt8] = [0xFF, 0xFF]

  // MARK: the run's own row

  private func write(codes fresh: [RecordNote.Remark]) throws(StoreError) {
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

extension [UInt8] {
  /// The bytes in place, for functions that throw errors of a store.
  fileprivate func withBytes(_ use: (UnsafeBufferPointer<UInt8>) throws(StoreError) -> Void) throws(StoreError) {
    let result = withUnsafeBufferPointer { bytes in
      Result<Void, StoreError> { () throws(StoreError) in try use(bytes) }
    }
    try result.get()
  }
}
