internal import SlipcastBulk
package import SlipcastMapping
import SlipcastSystem

/// What the events of a journal show of their subscriptions, in a database next to the journal.
///
/// The store is derived from the journal: it can be deleted at any time, and is then filled again. Memory does not grow
/// with it.
package final class HistoryStore {
  /// An event whose reading earlier messages could settle.
  package struct Question: Hashable, Sendable {
    package var subscription: Int64
    package var number: Int64
  }

  private let database: SQLiteDatabase
  private let insert, ask, answer, find: SQLiteStatement
  /// The number of the last event in the store.
  package private(set) var position: Int64
  private var isOpen = false
  private var bytes: [UInt8] = []
  /// A place is the number of an event, and the number of one of its messages.
  private static let messagesPerEvent: Int64 = 128
  private static let format = 2

  /// Opens the store, or makes one; a store of other rules, or a damaged one, is made again.
  ///
  /// - Parameters:
  ///   - fingerprint: what messages depend on besides the journal.
  ///   - events: the numbers of the events that the journal contains.
  /// - Throws: `StoreError` when the file cannot be written.
  package convenience init(_ path: String, fingerprint: String, events: Range<Int64>) throws(StoreError) {
    do {
      try self.init(opening: path, fingerprint: fingerprint, events: events)
    } catch {
      guard error.kind == .damaged || error.kind == .notAStore else { throw error }
      Self.remove(path)
      try self.init(opening: path, fingerprint: fingerprint, events: events)
    }
  }

  /// Removes the store; the next one is filled from the journal again.
  package static func remove(_ path: String) {
    for name in ["", "-wal", "-shm", "-journal"] { Platform.remove(path + name) }
  }

  private init(opening path: String, fingerprint: String, events: Range<Int64>) throws(StoreError) {
    try StoreFile.prepare(path, path)
    database = try SQLiteDatabase(path: path, name: path, .readWrite)
    database.adviceWhenFull = "free some space; the server then continues by itself"
    // A commit is one write to disk. With an exclusive lock, SQLite needs no file of shared memory.
    try database.execute(
      """
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8192
      """)
    position = try Self.prepare(database, "\(Self.format) \(fingerprint)", events)
    insert = try database.prepare("INSERT OR REPLACE INTO message VALUES (?1, ?2, ?3)", for: "write")
    ask = try database.prepare("INSERT OR REPLACE INTO question VALUES (?1, ?2)", for: "write")
    answer = try database.prepare("SELECT subscription FROM question WHERE number = ?1")
    find = try database.prepare(
      "SELECT body FROM message WHERE subscription = ?1 AND place BETWEEN ?2 AND ?3 ORDER BY place LIMIT ?4")
  }

  /// - Returns: the number of the last event in the store.
  private static func prepare(
    _ database: SQLiteDatabase, _ fingerprint: String, _ events: Range<Int64>
  ) throws(StoreError) -> Int64 {
    try database.execute(
      """
      BEGIN EXCLUSIVE;
      CREATE TABLE IF NOT EXISTS state (fingerprint TEXT NOT NULL, position INTEGER NOT NULL)
      """)
    let position = try database.value("SELECT position FROM state WHERE fingerprint = $1", [fingerprint])
    // Otherwise the store is of another format, or one of the store and the journal was replaced.
    if let position = position.flatMap({ Int64($0) }), position >= events.lowerBound - 1, position < events.upperBound {
      try database.execute("COMMIT")
      return position
    }
    try database.execute(
      """
      DELETE FROM state;
      DROP TABLE IF EXISTS message;
      DROP TABLE IF EXISTS question;
      CREATE TABLE message (place INTEGER PRIMARY KEY, subscription INTEGER NOT NULL, body BLOB NOT NULL);
      CREATE INDEX message_subscription ON message (subscription);
      CREATE TABLE question (number INTEGER PRIMARY KEY, subscription INTEGER NOT NULL)
      """)
    try database.run("INSERT INTO state VALUES ($1, \(events.lowerBound - 1))", [fingerprint])
    try database.execute("COMMIT")
    return events.lowerBound - 1
  }

  /// Adds the messages of the next event; `commit` makes them final.
  ///
  /// - Parameter question: the event's own subscription, where earlier messages could settle its reading.
  /// - Throws: `StoreError` when the disk is full.
  package func add(
    _ messages: [(subscription: Int64, message: HistoryMessage)], of number: Int64, question: Int64?
  ) throws(StoreError) {
    if !isOpen { try database.execute("BEGIN") }
    isOpen = true
    for (index, (subscription, message)) in messages.prefix(Int(Self.messagesPerEvent)).enumerated() {
      bytes.removeAll(keepingCapacity: true)
      message.write(to: &bytes)
      try insert.bind(number * Self.messagesPerEvent + Int64(index), subscription)
      try insert.bind(blob: bytes, at: 3)
      try insert.run()
    }
    guard let question else { return }
    try ask.bind(number, question)
    try ask.run()
  }

  /// Makes all events up to a number final.
  ///
  /// - Throws: `StoreError` when the disk is full; a store that is opened then lacks what was not final.
  package func commit(through number: Int64) throws(StoreError) {
    if !isOpen { try database.execute("BEGIN") }
    try database.execute("UPDATE state SET position = \(number); COMMIT")
    (isOpen, position) = (false, number)
  }

  /// The question of an event; `nil` where its record alone decides.
  ///
  /// - Throws: `StoreError`.
  package func question(of number: Int64) throws(StoreError) -> Question? {
    defer { answer.reset() }
    try answer.bind(number, at: 1)
    return try answer.step() ? Question(subscription: answer.integer(0), number: number) : nil
  }

  /// The messages of a subscription from an event on, until and including the event of the question.
  ///
  /// - Throws: `StoreError`.
  package func messages(
    for question: Question, from first: Int64, atMost limit: Int
  ) throws(StoreError) -> [HistoryMessage] {
    defer { find.reset() }
    // The event's own message is its first.
    let range = (first * Self.messagesPerEvent, question.number * Self.messagesPerEvent)
    try find.bind(question.subscription, range.0, range.1, Int64(limit))
    var found: [HistoryMessage] = []
    while try find.step() {
      guard let message = HistoryMessage(Array(find.bytes(0))) else {
        throw StoreError(.damaged, database.name, "read", "a message is damaged")
      }
      found.append(message)
    }
    return found
  }

  /// Removes what events before a number show.
  ///
  /// - Throws: `StoreError`.
  package func remove(before number: Int64) throws(StoreError) {
    try database.execute(
      """
      DELETE FROM message WHERE place < \(number * Self.messagesPerEvent); DELETE FROM question WHERE number < \(number)
      """)
  }
}
