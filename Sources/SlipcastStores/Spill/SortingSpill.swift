/// Groups more items than fit in memory, with a temporary SQLite database, and returns them partition by partition.
///
/// The database is in the folder for temporary files (`TMPDIR`) and needs about twice the size of the items. It
/// disappears with this object, even when the program is killed.
package final class SortingSpill {
  /// The partition of an item, and its position there.
  package struct Key: Hashable, Sendable {
    /// Items of one partition come one after another.
    package var partition: Int64
    /// The order inside a partition; equal items keep their insertion order.
    package var rank: Int64

    package init(partition: Int64, rank: Int64) { (self.partition, self.rank) = (partition, rank) }
  }

  private let database: SQLiteDatabase
  private let inserts: [SQLiteStatement]
  /// Items that went in.
  package private(set) var count = 0

  /// Partitions need no order among each other, so they are distributed to tables that can be sorted one by one, each
  /// in memory where the archive is not very large.
  private static let tables = 64

  /// Opens an empty sort buffer.
  ///
  /// - Throws: `StoreError` when the disk is full.
  package init() throws(StoreError) {
    database = try SQLiteDatabase(temporary: ())
    // No other process reads this database, so it needs neither durability nor rollback.
    try database.execute(
      """
      PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE;
      PRAGMA cache_size = -32768; PRAGMA locking_mode = EXCLUSIVE; BEGIN
      """)
    var inserts: [SQLiteStatement] = []
    for table in 0..<Self.tables {
      try database.execute(
        "CREATE TABLE item\(table) (partition INTEGER NOT NULL, rank INTEGER NOT NULL, body BLOB NOT NULL)")
      inserts.append(try database.prepare("INSERT INTO item\(table) VALUES (?1, ?2, ?3)", for: "write temporary files"))
    }
    self.inserts = inserts
  }

  private static func table(of partition: Int64) -> Int {
    let bits = UInt64(bitPattern: partition)
    return Int((bits ^ bits >> 32) % UInt64(tables))
  }

  /// Adds an item.
  ///
  /// - Throws: `StoreError` when the disk is full.
  package func add(_ key: Key, _ body: Span<UInt8>) throws(StoreError) {
    let insert = inserts[Self.table(of: key.partition)]
    try insert.bind(key.partition, at: 1)
    try insert.bind(key.rank, at: 2)
    try insert.run(body, at: 3)
    count += 1
  }

  /// Adds an item that is text.
  ///
  /// - Throws: `StoreError` when the disk is full.
  package func add(_ key: Key, text: String) throws {
    var text = text
    try text.withUTF8 { bytes throws in try add(key, bytes.span) }
  }

  /// Passes the items of one partition to a closure, sorted, until it returns false; nothing is added any more then.
  ///
  /// - Throws: `StoreError` when the disk is full, and the closure's errors.
  package func forEach(
    in partition: Int64, _ use: (_ rank: Int64, Span<UInt8>) throws -> Bool
  ) throws {
    let table = Self.table(of: partition)
    try database.execute("CREATE INDEX IF NOT EXISTS place\(table) ON item\(table) (partition, rank)")
    let rows = try database.prepare(
      "SELECT rank, body FROM item\(table) WHERE partition = ?1 ORDER BY rank, rowid", for: "sort temporary files")
    try rows.bind(partition, at: 1)
    while try rows.step(), try use(rows.integer(0), rows.bytes(1).span) {}
    rows.reset()
  }

  /// Passes all items to a closure, partition by partition and sorted; bodies are valid only during the call.
  ///
  /// - Throws: `StoreError` when the disk is full, and the closure's errors.
  package func forEach(_ use: (Key, Span<UInt8>) throws -> Void) throws {
    for table in 0..<Self.tables {
      let rows = try database.prepare(
        "SELECT partition, rank, body FROM item\(table) ORDER BY partition, rank, rowid", for: "sort temporary files")
      while try rows.step() {
        try use(Key(partition: rows.integer(0), rank: rows.integer(1)), rows.bytes(2).span)
      }
    }
  }
}
