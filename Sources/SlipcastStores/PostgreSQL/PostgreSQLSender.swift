import Dispatch
internal import SlipcastBulk
internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Sends batches of records over one connection, each while the next one is filled.
///
/// One thread sends; the owner calls `wait` before it uses the connection or reads what was sent, and is then alone.
final class PostgreSQLSender: @unchecked Sendable {
  let connection: PostgreSQLConnection
  /// The ids of this run in a store that was empty, as many as fit; the server is not asked about those that are new here.
  private var ids: KnownIDs?
  private var batch = PostgreSQLBatch()
  private var outcome = StoreOutcome()
  private var failure: StoreError?
  /// What is in the store: the number of records, and the digest of their bodies.
  private(set) var progress: RunProgress
  private let queue = DispatchQueue(label: "slipcast.postgresql")
  private let sending = DispatchGroup()

  /// - Parameter isNew: the store was empty.
  init(_ connection: PostgreSQLConnection, _ progress: RunProgress, isNew: Bool) {
    (self.connection, self.progress) = (connection, progress)
    ids = isNew ? KnownIDs(memory: 32 << 20) : nil
  }

  /// Exchanges a full batch for an empty one, once the batch before is sent, and starts to send it.
  ///
  /// - Returns: the results for the records sent before.
  /// - Throws: the error of the batch before.
  func start(_ full: inout PostgreSQLBatch) throws(StoreError) -> StoreOutcome {
    let sent = try wait()
    guard !full.isEmpty else { return sent }
    swap(&batch, &full)
    queue.async(group: sending) {
      do throws(StoreError) { try self.send() } catch { self.failure = error }
    }
    return sent
  }

  /// Waits until nothing is being sent.
  ///
  /// - Returns: the results for records that were not reported yet.
  /// - Throws: the error of what was sent last.
  func wait() throws(StoreError) -> StoreOutcome {
    sending.wait()
    if let failure { throw failure }
    defer { outcome = StoreOutcome() }
    return outcome
  }

  private func send() throws(StoreError) {
    var repetitions: [Repetition] = []
    let fresh = try freshRecords(&repetitions)
    try send(fresh[...])
    if batch.hasRejects { try copy([], [.rejects]) }
    batch.clear()
    if repetitions.contains(where: \.isDifferent) { try connection.writeDifferenceCode() }
    for repetition in repetitions { try connection.note(repetition) }
  }

  /// The records whose UUIDs neither the store nor an earlier record of the batch has.
  ///
  /// - Parameter repetitions: receives what dropped records add to kept ones.
  private func freshRecords(_ repetitions: inout [Repetition]) throws(StoreError) -> [Int] {
    var known = try self.known(batch.entries.filter { !isNew($0) })
    var fresh: [Int] = []
    fresh.reserveCapacity(batch.entries.count)
    for (index, entry) in batch.entries.enumerated() {
      if let kept = known[entry.uuid] {
        outcome.duplicate += 1
        let repetition = Repetition(of: kept, content: entry.content, receivedAt: entry.receivedAt)
        if repetition.isDifferent { outcome.differing += 1 }
        if repetition.isDifferent || repetition.delivered != nil { repetitions.append(repetition) }
      } else {
        known[entry.uuid] = Repetition.Kept(place: entry.place, content: entry.content, receivedAt: entry.receivedAt)
        fresh.append(index)
      }
    }
    return fresh
  }

  /// The store cannot have the id: it was empty, and no record since then had it.
  private func isNew(_ entry: PostgreSQLBatch.Entry) -> Bool {
    guard ids != nil, let halves = UUIDText.halves(entry.uuid) else { return false }
    // If the id does not fit, the store is asked.
    return (try? ids?.insert(KnownIDs.ID(high: halves.high, low: halves.low))) == .new
  }

  /// The kept records with the UUIDs of some.
  private func known(_ entries: [PostgreSQLBatch.Entry]) throws(StoreError) -> [String: Repetition.Kept] {
    var kept: [String: Repetition.Kept] = [:]
    for (isAnswer, columns) in [
      (true, "answerUUID, place, CAST(NULL AS bigint), CAST(NULL AS bigint) FROM answers WHERE answerUUID"),
      (false, "notificationUUID, place, content, receivedAt FROM notifications WHERE notificationUUID"),
    ] {
      let uuids = entries.filter { $0.isAnswer == isAnswer }.map(\.uuid)
      if uuids.isEmpty { continue }
      let rows = try connection.rows("SELECT \(columns) = ANY($1::text[])", [Self.array(uuids)], for: "write")
      while try rows.step() {
        kept[rows.text(0) ?? ""] = Repetition.Kept(
          place: rows.number(1) ?? 0, content: rows.number(2), receivedAt: rows.number(3))
      }
    }
    return kept
  }

  /// Texts as a PostgreSQL array literal.
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

  /// Copies records; when a value is rejected, halves them until it is found.
  private func send(_ records: ArraySlice<Int>) throws(StoreError) {
    guard let first = records.first else { return }
    do {
      try connection.execute("SAVEPOINT batch")
      try copy(records, [.notifications, .answers, .transactions, .renewalInfos, .candidates, .findings, .bodies])
      try connection.execute("RELEASE batch")
      outcome.stored += records.count
      for index in records { progress.add(batch.body(index).buffer.span) }
    } catch {
      guard let state = error.sqlState, Self.isAboutValues(state) else { throw error }
      try connection.execute("ROLLBACK TO batch; RELEASE batch")
      if records.count > 1 {
        let middle = records.startIndex + records.count / 2
        try send(records[..<middle])
        try send(records[middle...])
      } else if state == "23505", try !known([batch.entries[first]]).isEmpty {
        // Another program wrote the same record in the meantime.
        outcome.duplicate += 1
      } else {
        let entry = batch.entries[first]
        outcome.refused.append(
          StoreOutcome.Refused(
            source: entry.source, record: entry.record, message: "\(error.reason) (SQLSTATE \(state))",
            line: Array(batch.body(first).buffer)))
      }
    }
  }

  /// Data exceptions, violated constraints, and values that are too deep or too large for the server.
  private static func isAboutValues(_ state: String) -> Bool {
    state.hasPrefix("22") || state.hasPrefix("23") || state.hasPrefix("54")
  }

  private func copy(_ records: ArraySlice<Int>, _ tables: [TableNumber]) throws(StoreError) {
    for table in tables {
      var isOpen = false
      try batch.forEachPiece(table, of: records) { piece throws(StoreError) in
        if !isOpen {
          try connection.beginCopy(table.table.name, table.table.columnList)
          try connection.copy(Self.header.span)
          isOpen = true
        }
        try connection.copy(piece)
      }
      if isOpen {
        try connection.copy(Self.trailer.span)
        try connection.endCopy()
      }
    }
  }

  /// `PGCOPY\n\377\r\n\0`, no flags, no extension.
  private static let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
  private static let trailer: [UInt8] = [0xFF, 0xFF]
}
