internal import SlipcastBulk
package import SlipcastMapping
import SlipcastSystem

/// What the events of a journal show of their subscriptions, in a database next to the journal.
///
/// The store is derived from the journal: it can be deleted at any time, and is then filled again. It has a seal over all
/// of its rows: a store that was changed, cut or damaged is not believed, and is made again. Memory does not grow with it.
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
  /// It was damaged, and was made again.
  package private(set) var isRemade = false
  private let fingerprint: String
  private var seal: HistorySeal
  private var isOpen = false
  private var bytes: [UInt8] = []
  /// A place is the number of an event, and the number of one of its messages.
  private static let messagesPerEvent: Int64 = 128
  private static let format = 3
  /// `SlpH` in ASCII: SQLite keeps this number in the file's header.
  private static let applicationID: Int64 = 0x536C_7048

  /// Opens the store, or makes one; a store of other rules, or a damaged one, is made again.
  ///
  /// - Parameters:
  ///   - fingerprint: what messages depend on besides the journal.
  ///   - events: the numbers of the events that the journal contains.
  /// - Throws: `StoreError` when the file cannot be written, or is a database of another program, which is left alone.
  package convenience init(_ path: String, fingerprint: String, events: Range<Int64>) throws(StoreError) {
    do {
      try self.init(opening: path, fingerprint: fingerprint, events: events)
    } catch {
      guard error.kind == .damaged || error.kind == .notAStore else { throw error }
      Self.remove(path)
      try self.init(opening: path, fingerprint: fingerprint, events: events)
      isRemade = true
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
    let isOwn = try Self.isOwn(database)
    // A commit is one write to disk. With an exclusive lock, SQLite needs no file of shared memory.
    try database.execute(
      """
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8192
      """)
    self.fingerprint = "\(Self.format) \(fingerprint)"
    (position, seal) = try Self.prepare(database, isOwn: isOwn, self.fingerprint, events)
    insert = try database.prepare("INSERT INTO message VALUES (?1, ?2, ?3)", for: "write")
    ask = try database.prepare("INSERT INTO question VALUES (?1, ?2)", for: "write")
    answer = try database.prepare("SELECT subscription FROM question WHERE number = ?1")
    find = try database.prepare(
      "SELECT body FROM message WHERE subscription = ?1 AND place BETWEEN ?2 AND ?3 ORDER BY place LIMIT ?4")
  }

  /// - Returns: the number of the last event in the store, and the checksum of its rows.
  private static func prepare(
    _ database: SQLiteDatabase, isOwn: Bool, _ fingerprint: String, _ events: Range<Int64>
  ) throws(StoreError) -> (Int64, HistorySeal) {
    try database.execute("BEGIN EXCLUSIVE")
    if isOwn, let (position, seal) = try content(database, fingerprint),
      position >= events.lowerBound - 1, position < events.upperBound
    {
      try database.execute("COMMIT")
      return (position, seal)
    }
    // It is new, of another format, or one of the store and the journal was replaced.
    try database.execute(
      """
      PRAGMA application_id = \(applicationID);
      DROP TABLE IF EXISTS state;
      DROP TABLE IF EXISTS message;
      DROP TABLE IF EXISTS question;
      CREATE TABLE state (fingerprint TEXT NOT NULL, position INTEGER NOT NULL, seal TEXT NOT NULL);
      CREATE TABLE message (place INTEGER PRIMARY KEY, subscription INTEGER NOT NULL, body BLOB NOT NULL);
      CREATE INDEX message_subscription ON message (subscription);
      CREATE TABLE question (number INTEGER PRIMARY KEY, subscription INTEGER NOT NULL)
      """)
    let (position, seal) = (events.lowerBound - 1, HistorySeal())
    let text = seal.text(fingerprint: fingerprint, position: position)
    try database.run("INSERT INTO state VALUES ($1, \(position), $2)", [fingerprint, text])
    try database.execute("COMMIT")
    return (position, seal)
  }

  /// - Returns: false for a database without anything in it.
  /// - Throws: `StoreError` for a database of another program.
  private static func isOwn(_ database: SQLiteDatabase) throws(StoreError) -> Bool {
    if try database.number("PRAGMA application_id") == applicationID { return true }
    guard try database.number("SELECT count(*) FROM sqlite_master") == 0 else {
      throw StoreError(
        .cannotOpen, database.name, "use the history of the journal", "another program made this database",
        advice: "move it to another folder; the server then makes the history again from the journal")
    }
    return false
  }

  /// How far the store is, and the checksum of its rows; `nil` for a store of other rules.
  ///
  /// - Throws: `StoreError` of the kind `damaged` for a store whose rows are not those that were written.
  private static func content(
    _ database: SQLiteDatabase, _ fingerprint: String
  ) throws(StoreError) -> (Int64, HistorySeal)? {
    do throws(StoreError) {
      let rows = try database.prepare("SELECT fingerprint, position, seal FROM state")
      guard try rows.step() else { throw damage(database) }
      guard rows.text(0) == fingerprint else { return nil }
      let (position, text) = (rows.integer(1), rows.text(2))
      guard try !rows.step() else { throw damage(database) }
      // Rows are found by an index, which the seal does not cover.
      guard try database.value("PRAGMA integrity_check(1)") == "ok" else { throw damage(database) }
      var seal = HistorySeal()
      try add(allOf: database, to: &seal)
      guard seal.text(fingerprint: fingerprint, position: position) == text else { throw damage(database) }
      return (position, seal)
    } catch {
      // A table or a column is missing.
      throw error.kind == .queryFailed ? damage(database) : error
    }
  }

  private static func add(allOf database: SQLiteDatabase, to seal: inout HistorySeal) throws(StoreError) {
    let messages = try database.prepare("SELECT place, subscription, body FROM message")
    while try messages.step() {
      seal.add(.message, (messages.integer(0), messages.integer(1)), Array(messages.bytes(2)))
    }
    let questions = try database.prepare("SELECT number, subscription FROM question")
    while try questions.step() { seal.add(.question, (questions.integer(0), questions.integer(1))) }
  }

  private static func damage(_ database: SQLiteDatabase) -> StoreError {
    StoreError(.damaged, database.name, "use the history of the journal", "it was changed: its checksum is wrong")
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
      let place = number * Self.messagesPerEvent + Int64(index)
      try insert.bind(place, subscription)
      try insert.bind(blob: bytes, at: 3)
      try insert.run()
      seal.add(.message, (place, subscription), bytes)
    }
    guard let question else { return }
    try ask.bind(number, question)
    try ask.run()
    seal.add(.question, (number, question))
  }

  /// Makes all events up to a number final.
  ///
  /// - Throws: `StoreError` when the disk is full; a store that is opened then lacks what was not final.
  package func commit(through number: Int64) throws(StoreError) {
    if !isOpen { try database.execute("BEGIN") }
    let text = seal.text(fingerprint: fingerprint, position: number)
    try database.execute("UPDATE state SET position = \(number), seal = '\(text)'; COMMIT")
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
    let goesOn = isOpen
    if !isOpen { try database.execute("BEGIN") }
    isOpen = true
    let messages = "FROM message WHERE place < \(number * Self.messagesPerEvent)"
    let questions = "FROM question WHERE number < \(number)"
    let old = try database.prepare("SELECT place, subscription, body \(messages)")
    while try old.step() { seal.remove(.message, (old.integer(0), old.integer(1)), Array(old.bytes(2))) }
    let asked = try database.prepare("SELECT number, subscription \(questions)")
    while try asked.step() { seal.remove(.question, (asked.integer(0), asked.integer(1))) }
    try database.execute("DELETE \(messages); DELETE \(questions)")
    if !goesOn { try commit(through: position) }
  }
}
