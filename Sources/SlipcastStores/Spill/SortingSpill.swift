// Unsafe on purpose: items are bound and handed out in place.

/// Sorts more items than memory holds: SQLite keeps them in a temporary database and hands them out in order.
///
/// It lies in the folder for temporary files (`TMPDIR`), takes about twice the size of the items, and is gone with the
/// spill, also when the program is killed.
package final class SortingSpill {
  /// An item's place in the order: by partition, then by rank.
  package struct Key: Hashable, Comparable, Sendable {
    /// Items of one partition come one after another.
    package var partition: Int64
    /// The order inside a partition; equal ones come as they went in.
    package var rank: Int64

    package init(partition: Int64, rank: Int64) { (self.partition, self.rank) = (partition, rank) }

    package static func < (left: Key, right: Key) -> Bool {
      (left.partition, left.rank) < (right.partition, right.rank)
    }
  }

  private let database: SQLiteDatabase
  private let insert: SQLiteStatement
  /// Items that went in.
  package private(set) var count = 0

  /// Opens an empty spill.
  ///
  /// - Throws: `StoreError` when there is no room for temporary files.
  package init() throws(StoreError) {
    database = try SQLiteDatabase(temporary: "temporary files")
    // Nobody else ever looks: nothing has to survive, and there is nothing to take back.
    try database.execute(
      """
      PRAGMA page_size = 32768; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE;
      PRAGMA cache_size = -16384; PRAGMA locking_mode = EXCLUSIVE;
      CREATE TABLE item (partition INTEGER NOT NULL, rank INTEGER NOT NULL, body BLOB NOT NULL);
      BEGIN
      """)
    insert = try database.prepare("INSERT INTO item VALUES (?1, ?2, ?3)", for: "write temporary files")
  }

  /// Keeps an item.
  ///
  /// - Throws: `StoreError` when the disk is full.
  package func add(_ key: Key, _ body: UnsafeBufferPointer<UInt8>) throws(StoreError) {
    try insert.bind(key.partition, at: 1)
    try insert.bind(key.rank, at: 2)
    try insert.bind(borrowed: body, at: 3)
    try insert.run()
    count += 1
  }

  /// Hands out all items in their order; bodies are gone after the call.
  ///
  /// - Throws: `StoreError` when the disk is full, and whatever `use` throws.
  package func forEach(_ use: (Key, UnsafeBufferPointer<UInt8>) throws -> Void) throws {
    let rows = try database.prepare(
      "SELECT partition, rank, body FROM item ORDER BY partition, rank, rowid", for: "sort temporary files")
    while try rows.step() {
      try use(Key(partition: rows.integer(0), rank: rows.integer(1)), rows.bytes(2))
    }
  }
}
