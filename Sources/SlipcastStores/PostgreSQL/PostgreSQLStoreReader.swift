package import SlipcastBulk

/// A Slipcast store in a PostgreSQL database, open for reading.
final class PostgreSQLStoreReader: StoreReader {
  let connection: PostgreSQLConnection
  let version: Int

  /// Opens the store; tables of another program, or of a newer Slipcast, are an error.
  ///
  /// - Returns: `nil` without a store.
  init?(_ text: ConnectionText, name: String) throws(StoreError) {
    connection = try PostgreSQLConnection(text, name: name)
    version = try connection.schemaVersion()
    let newest = SchemaVersion.all.last?.number ?? 0
    guard version <= newest else { throw StoreError.tooNew(name, found: version, known: newest) }
    guard version > 0 else { return nil }
    try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  }

  func counts() throws -> StoreCounts {
    StoreCounts(
      notifications: try count("notifications"), answers: try count("answers"), rejects: try count("rejects"))
  }

  func lastRun() throws -> (state: String, fingerprint: String, checkpoint: [UInt8]?)? {
    let found = try connection.query(StoreQueries.lastRun)
    guard found.rows == 1 else { return nil }
    return (found.text(0, 0) ?? "", found.text(0, 1) ?? "", found.text(0, 2).flatMap(CheckpointText.decode))
  }

  func forEachEvent(_ originalTransactionId: String?, _ use: (StoredEvent) throws -> Void) throws {
    guard let originalTransactionId else {
      try forEach(StoreQueries.events, [], use)
      return try forEach(StoreQueries.eventsWithoutSubscription, [], use)
    }
    try forEach(StoreQueries.events(of: "$1"), [originalTransactionId], use)
  }

  private func count(_ table: String) throws(StoreError) -> Int {
    Int(try connection.query("SELECT count(*) FROM \(table)").integer(0, 0) ?? 0)
  }

  private func forEach(_ sql: String, _ parameters: [String?], _ use: (StoredEvent) throws -> Void) throws {
    try connection.stream(sql, parameters)
    while let row = try connection.nextRow() {
      try use(
        StoredEvent(
          place: row.integer(0, 0) ?? 0, originalTransactionId: row.text(0, 1), notification_type: row.text(0, 2),
          eventTime: row.integer(0, 3), receivedAt: row.integer(0, 4), body: Array(row.bytes(0, 5))))
    }
  }
}

/// The records of a Slipcast store in a PostgreSQL database, in the order of their places.
package final class PostgreSQLStoreRows: RowFeed {
  package let name: String
  package let holdsConverted = true
  package private(set) var position: String?

  private let store: PostgreSQLStoreReader
  private var isStarted = false
  private var isAtEnd = false

  init(_ text: ConnectionText, name: String) throws(StoreError) {
    self.name = name
    guard let store = try PostgreSQLStoreReader(text, name: name) else {
      throw StoreError.notAStore(name, "the database contains no store")
    }
    self.store = store
    // The index has the order of places, so no sort is needed.
    try store.connection.execute("SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off")
  }

  package func resume(at position: String) throws {
    guard Int64(position) != nil else {
      throw StoreError(.cannotResume, name, "resume", "the checkpoint does not name a position in a store")
    }
    self.position = position
  }

  package func rewind() { (position, isStarted, isAtEnd) = (nil, false, false) }

  package func read(into page: RowPage) throws -> Bool {
    if !isStarted {
      isStarted = true
      try store.connection.stream(StoreQueries.records(.postgreSQL, mark: "$1"), [position ?? "0"], types: [20])
    }
    let before = page.rows.count
    while !isAtEnd, !PageLimit.isReached(page) {
      guard let row = try store.connection.nextRow() else {
        isAtEnd = true
        break
      }
      var note = RecordNote()
      position = row.text(0, 0)
      (note.source, note.record) = (row.text(0, 1) ?? "", Int(row.integer(0, 2) ?? 0))
      (note.id, note.notification_type) = (row.text(0, 3), row.text(0, 6))
      (note.eventTime, note.receivedAt) = (row.integer(0, 4), row.integer(0, 5))
      note.findings = StoredRemarks.read(row.text(0, 7))
      page.append(row.bytes(0, 8).span, id: note.id, receivedAt: note.receivedAt, note: note)
    }
    return page.rows.count > before
  }
}
