package import SlipcastBulk

/// A Slipcast store in an SQLite file, open for reading.
final class SQLiteStoreReader: StoreReader {
  let database: SQLiteDatabase

  let version: Int

  /// Opens the store; a file of another program, or of a newer Slipcast, is an error.
  init(path: String, name: String) throws(StoreError) {
    if StoreFile.look(path) == .other { throw StoreError.notAStore(name, "the file is not a SQLite database") }
    database = try SQLiteDatabase(path: path, name: name, .readOwn)
    version = try database.schemaVersion()
    let newest = SchemaVersion.all.last?.number ?? 0
    guard version <= newest else { throw StoreError.tooNew(name, found: version, known: newest) }
    guard version > 0 else { throw StoreError.notAStore(name, "the database is empty") }
    try database.execute("BEGIN")
  }

  /// The database exists and is empty.
  static func isEmpty(path: String, name: String) throws(StoreError) -> Bool {
    try SQLiteDatabase(path: path, name: name, .readOwn).schemaVersion() == 0
  }

  func forEachEvent(_ originalTransactionId: String?, _ use: (StoredEvent) throws -> Void) throws {
    guard let originalTransactionId else {
      try forEach(StoreQueries.events, nil, use)
      return try forEach(StoreQueries.eventsWithoutSubscription, nil, use)
    }
    try forEach(StoreQueries.events(of: "?1"), originalTransactionId, use)
  }

  private func forEach(_ sql: String, _ parameter: String?, _ use: (StoredEvent) throws -> Void) throws {
    let statement = try database.prepare(sql)
    try statement.bind(parameter, at: 1)
    while try statement.step() {
      try use(
        StoredEvent(
          place: statement.integer(0), originalTransactionId: statement.text(1), notification_type: statement.text(2),
          eventTime: statement.optionalInteger(3), receivedAt: statement.optionalInteger(4),
          body: Array(statement.bytes(5))))
    }
  }

  func counts() throws -> StoreCounts {
    StoreCounts(
      notifications: Int(try database.number("SELECT count(*) FROM notifications")),
      answers: Int(try database.number("SELECT count(*) FROM answers")),
      rejects: Int(try database.number("SELECT count(*) FROM rejects")))
  }

  func lastRun() throws -> (state: String, fingerprint: String, checkpoint: [UInt8]?)? {
    let statement = try database.prepare(StoreQueries.lastRun)
    guard try statement.step() else { return nil }
    return (statement.text(0) ?? "", statement.text(1) ?? "", statement.text(2).flatMap(CheckpointText.decode))
  }
}

/// The records of a Slipcast store in an SQLite file, in the order of their places.
package final class SQLiteStoreRows: RowFeed {
  package let name: String
  package let holdsConverted = true
  package private(set) var position: String?

  private let store: SQLiteStoreReader
  private let statement: SQLiteStatement
  private var isAtEnd = false

  init(path: String, name: String) throws(StoreError) {
    self.name = name
    store = try SQLiteStoreReader(path: path, name: name)
    statement = try store.database.prepare(StoreQueries.records(.sqlite, mark: "?1"))
    try statement.bind(Int64(0), at: 1)
  }

  package func resume(at position: String) throws {
    guard let place = Int64(position) else {
      throw StoreError(.cannotResume, name, "resume", "the checkpoint does not name a position in a store")
    }
    statement.reset()
    try statement.bind(place, at: 1)
    self.position = position
  }

  package func rewind() throws {
    statement.reset()
    try statement.bind(Int64(0), at: 1)
    (position, isAtEnd) = (nil, false)
  }

  package func read(into page: RowPage) throws -> Bool {
    let before = page.rows.count
    while !isAtEnd, !PageLimit.isReached(page) {
      guard try statement.step() else {
        isAtEnd = true
        break
      }
      var note = RecordNote()
      position = String(statement.integer(0))
      (note.source, note.record) = (statement.text(1) ?? "", Int(statement.integer(2)))
      (note.id, note.notification_type) = (statement.text(3), statement.text(6))
      (note.eventTime, note.receivedAt) = (statement.optionalInteger(4), statement.optionalInteger(5))
      note.findings = StoredRemarks.read(statement.text(7))
      page.append(statement.bytes(8).span, id: note.id, receivedAt: note.receivedAt, note: note)
    }
    return page.rows.count > before
  }
}
