internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastWire

extension PostgreSQLStore {
  /// Sends the waiting records.
  func send() throws(StoreError) {
    guard !batch.isEmpty else { return }
    var different: [Int64] = []
    let fresh = try freshRecords(&different)
    try send(fresh[...])
    if batch.hasRejects { try copy([], [.rejects]) }
    batch.clear()
    try noteDifferent(different)
  }

  /// The records whose UUIDs neither the store nor an earlier record of the batch has.
  ///
  /// - Parameter different: receives the places of kept records that a dropped record differs from.
  private func freshRecords(_ different: inout [Int64]) throws(StoreError) -> [Int] {
    let unsure = batch.entries.filter { !isNew($0) }
    var known = try self.known(unsure, answers: false)
    known.merge(try self.known(unsure, answers: true)) { first, _ in first }
    var fresh: [Int] = []
    fresh.reserveCapacity(batch.entries.count)
    for (index, entry) in batch.entries.enumerated() {
      if entry.uuid.utf8.contains(0) {
        let line = Array(batch.body(index))
        refuse(entry.source, entry.record, "notifications.notificationUUID contains U+0000", line: line)
      } else if let kept = known[entry.uuid] {
        untold.duplicate += 1
        if let one = kept.content, let two = entry.content, one != two {
          untold.differing += 1
          different.append(kept.place)
        }
      } else {
        known[entry.uuid] = (entry.place, entry.content)
        fresh.append(index)
      }
    }
    return fresh
  }

  /// Adds a finding to kept records for each other record with the same id and other content.
  private func noteDifferent(_ places: [Int64]) throws(StoreError) {
    guard !places.isEmpty else { return }
    let finding = RepeatFinding.repeatDiffers
    try write(
      codes: [
        RepeatedFinding(
          code: finding.rawValue, severity: "warning", occurrences: 1, path: "", message: finding.message)
      ])
    for place in places {
      for sql in StoreQueries.countDifferent(mark: "CAST($1 AS bigint)") {
        _ = try connection.query(sql, [String(place)], for: "write")
      }
    }
  }

  private typealias Kept = (place: Int64, content: Int64?)

  /// The store cannot have the id: it was empty, and no record since then had it.
  private func isNew(_ entry: PostgreSQLBatch.Entry) -> Bool {
    var uuid = entry.uuid
    guard ids != nil, let halves = uuid.withUTF8({ UUIDText.halves($0) }) else { return false }
    return ids?.insert(KnownIDs.ID(high: halves.high, low: halves.low)) == .new
  }

  private func known(_ entries: [PostgreSQLBatch.Entry], answers: Bool) throws(StoreError) -> [String: Kept] {
    try known(entries.filter { $0.isAnswer == answers && !$0.uuid.utf8.contains(0) }.map(\.uuid), answers: answers)
  }

  private func isThere(_ entry: PostgreSQLBatch.Entry) throws(StoreError) -> Bool {
    try !known([entry.uuid], answers: entry.isAnswer).isEmpty
  }

  private func known(_ uuids: [String], answers: Bool) throws(StoreError) -> [String: Kept] {
    guard !uuids.isEmpty else { return [:] }
    let (table, column) = answers ? ("answers", "answerUUID") : ("notifications", "notificationUUID")
    let content = answers ? "CAST(NULL AS bigint)" : "content"
    let found = try connection.query(
      "SELECT \(column), place, \(content) FROM \(table) WHERE \(column) = ANY($1::text[])", [Self.array(uuids)],
      for: "write")
    var kept: [String: Kept] = [:]
    for row in 0..<found.rows {
      if let uuid = found.text(row, 0) { kept[uuid] = (found.integer(row, 1) ?? 0, found.integer(row, 2)) }
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
      } else if state == "23505", try isThere(batch.entries[first]) {
        // Another program wrote the same record in the meantime.
        untold.duplicate += 1
      } else {
        let entry = batch.entries[first]
        refuse(entry.source, entry.record, "\(error.reason) (SQLSTATE \(state))", line: Array(batch.body(first)))
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
}

extension [UInt8] {
  /// The bytes in place, for functions that throw store errors.
  fileprivate func withBytes(_ use: (UnsafeBufferPointer<UInt8>) throws(StoreError) -> Void) throws(StoreError) {
    let result = withUnsafeBufferPointer { bytes in
      Result<Void, StoreError> { () throws(StoreError) in try use(bytes) }
    }
    try result.get()
  }
}
