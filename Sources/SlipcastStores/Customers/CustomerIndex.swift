internal import Synchronization

/// Records of files and journals by the ids of their customers, in a private database that disappears with the program.
///
/// Memory does not grow with the records.
package final class CustomerIndex: CustomerSource {
  // Safe to send: one thread at a time uses it, which the lock ensures.
  private struct Content: @unchecked Sendable {
    let database: SQLiteDatabase
    let insertRecord, insertID, find, read: SQLiteStatement
    var count: Int64 = 0
    var isOpen = false
    var isIndexed = false
  }

  private let content: Mutex<Content>

  /// An empty index.
  ///
  /// - Throws: `StoreError` when the folder of temporary files cannot be written.
  package init() throws(StoreError) {
    let database = try SQLiteDatabase(temporary: ())
    try database.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -32768;
      CREATE TABLE record (number INTEGER PRIMARY KEY, origin TEXT NOT NULL, body BLOB NOT NULL);
      CREATE TABLE id (id TEXT NOT NULL, record INTEGER NOT NULL)
      """)
    let made = Content(
      database: database,
      insertRecord: try database.prepare("INSERT INTO record VALUES (?1, ?2, ?3)", for: "write"),
      insertID: try database.prepare("INSERT INTO id VALUES (?1, ?2)", for: "write"),
      find: try database.prepare("SELECT DISTINCT record FROM id WHERE id = ?1 ORDER BY record"),
      read: try database.prepare("SELECT origin, body FROM record WHERE number = ?1"))
    content = Mutex(made)
  }

  /// The number of the last record.
  package var count: Int64 { content.withLock { $0.count } }

  /// Adds a record with the ids by which it is found; `commit` makes it so.
  ///
  /// - Throws: `StoreError` when the disk is full.
  package func add(_ body: [UInt8], from origin: String, naming ids: Set<String>) throws(StoreError) {
    try content.withLock { (content) throws(StoreError) in
      if !content.isOpen { try content.database.execute("BEGIN") }
      content.isOpen = true
      content.count += 1
      try content.insertRecord.bind(content.count, at: 1)
      try content.insertRecord.bind(origin, at: 2)
      try content.insertRecord.bind(blob: body, at: 3)
      try content.insertRecord.run()
      for id in ids {
        try content.insertID.bind(id, at: 1)
        try content.insertID.bind(content.count, at: 2)
        try content.insertID.run()
      }
    }
  }

  /// Ends a batch of records.
  ///
  /// - Throws: `StoreError` when the disk is full.
  package func commit() throws(StoreError) {
    try content.withLock { (content) throws(StoreError) in
      if content.isOpen { try content.database.execute("COMMIT") }
      content.isOpen = false
      // Filling the table first and sorting it once is faster than an index that grows in random places.
      if !content.isIndexed { try content.database.execute("CREATE INDEX id_record ON id (id, record)") }
      content.isIndexed = true
    }
  }

  package func records(naming id: String, besides known: Set<Int64>) throws(StoreError) -> [CustomerRecord] {
    try content.withLock { (content) throws(StoreError) in
      defer { content.find.reset() }
      try content.find.bind(id, at: 1)
      var numbers: [Int64] = []
      while try content.find.step() {
        let number = content.find.integer(0)
        if !known.contains(number) { numbers.append(number) }
      }
      var found: [CustomerRecord] = []
      for number in numbers {
        if let record = try Self.record(number, content) { found.append(record) }
      }
      return found
    }
  }

  /// A record by its number, from 1 to `count`.
  ///
  /// - Throws: `StoreError`.
  package func record(_ number: Int64) throws(StoreError) -> CustomerRecord? {
    try content.withLock { (content) throws(StoreError) in try Self.record(number, content) }
  }

  private static func record(_ number: Int64, _ content: Content) throws(StoreError) -> CustomerRecord? {
    defer { content.read.reset() }
    try content.read.bind(number, at: 1)
    guard try content.read.step() else { return nil }
    return CustomerRecord(number: number, origin: content.read.text(0) ?? "", body: content.read.content(1))
  }
}
