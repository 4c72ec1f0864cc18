package import SlipcastBulk

/// Databases for the command: as sources, as targets, and for their counts.
package enum Store {
  /// The number of bytes of records between two commits.
  ///
  /// Each commit rewrites most of the index of random ids, so commits are less frequent than for files.
  package static let commitBytes = 64 << 20

  /// Opens a store for a run, and creates it if it does not exist.
  ///
  /// - Parameter resume: resumes the interrupted run, after comparing what it wrote with its SHA-256. A run that was
  ///   killed before its first commit starts over.
  /// - Returns: the sink for records, and the checkpoint to resume from; `nil` for a new run.
  /// - Throws: `StoreError`.
  static func open(
    _ location: StoreLocation, run: RunDescription, resume: Bool = false
  ) throws -> (sink: any StoreSink, checkpoint: [UInt8]?) {
    guard location.isStore else {
      throw StoreError(
        .badLocation, location.description, "write", "records go to a store, not to a table of another program",
        advice: "leave out table, query, key, body and received-at")
    }
    switch location.engine {
    case .sqlite(let path):
      let store = try SQLiteStore(path: path, location.description, run, resume: resume)
      return (store, store.checkpoint)
    case .postgreSQL(let text):
      let store = try PostgreSQLStore(text, location.description, run, resume: resume)
      return (store, store.checkpoint)
    }
  }

  /// Opens rows for reading: legacy records of a table or query, or the records of a Slipcast store.
  ///
  /// - Parameter rule: chooses the records of a store.
  /// - Throws: `StoreError`.
  package static func rows(_ location: StoreLocation, _ rule: StoreSideRule = .both) throws -> any RowFeed {
    if let selection = location.selection { return try DatabaseRows(connect(location), selection) }
    let database = try connect(location, isOwn: true)
    guard let store = try StoreReader(database) else {
      throw StoreError.notAStore(
        database.name, database.dialect == .sqlite ? "the database is empty" : "the database contains no store")
    }
    return try DatabaseRows(of: store, store.choose(rule))
  }

  /// Opens a store read-only.
  ///
  /// - Returns: `nil` if the store does not exist yet and could be created.
  /// - Throws: `StoreError` when the database is not a store, or a newer one.
  package static func reader(_ location: StoreLocation) throws -> StoreReader? {
    // A run that was killed while it made the store leaves one without tables.
    if case .sqlite(let path) = location.engine, [.nothing, .empty].contains(StoreFile.look(path)) { return nil }
    return try StoreReader(connect(location, isOwn: true))
  }

  /// Checks that there is a store to read.
  ///
  /// - Throws: `StoreError`, which says what to do.
  package static func check(_ location: StoreLocation) throws(StoreError) { _ = try readable(location) }

  /// Opens a store that is there, with the version of its schema, to read it.
  static func readable(_ location: StoreLocation) throws(StoreError) -> (any StoreDatabase, version: Int) {
    if case .sqlite(let path) = location.engine, StoreFile.look(path) == .nothing { throw .missing(location, path) }
    let (database, version) = try described(location)
    let newest = SchemaVersion.all.last?.number ?? 0
    guard version <= newest else { throw StoreError.tooNew(database.name, found: version, known: newest) }
    guard version > 0 else { throw StoreError.empty(location) }
    return (database, version)
  }

  private static func described(_ location: StoreLocation) throws(StoreError) -> (any StoreDatabase, version: Int) {
    do throws(StoreError) {
      let database = try connect(location, isOwn: true)
      return (database, try database.schemaVersion())
    } catch {
      guard error.kind == .notAStore else { throw error }
      // Only a run that writes may take another file.
      var error = error
      error.advice = StoreError.howToMake
      throw error
    }
  }

  /// - Parameter isOwn: the database is a store.
  static func connect(_ location: StoreLocation, isOwn: Bool = false) throws(StoreError) -> any StoreDatabase {
    let name = location.description
    switch location.engine {
    case .postgreSQL(let text): return try PostgreSQLConnection(text, name: name)
    case .sqlite(let path):
      if isOwn { _ = try StoreFile.check(path, name) }
      return try SQLiteDatabase(path: path, name: name, isOwn ? .readOwn : .readOnly)
    }
  }

  /// Passes the notifications of a store to a closure, as `RecordStore.forEachNotification` describes.
  ///
  /// - Throws: `StoreError`, or the closure's error.
  package static func forEachEvent(
    _ location: StoreLocation, of side: StoreSide = .both, originalTransactionId: String? = nil,
    _ use: (StoredEvent) throws -> Void
  ) throws {
    guard let reader = try StoreReader(readable(location).0) else { throw StoreError.empty(location) }
    try reader.forEachEvent(originalTransactionId, of: side, use)
  }
}

/// The counts of a store.
public struct StoreCounts: Hashable, Sendable {
  /// Notifications, each once.
  public var notifications = 0
  /// Histories and statuses that were made from receipts.
  public var answers = 0
  /// Records that could not be converted.
  public var rejects = 0

  /// Describes one.
  public init(notifications: Int = 0, answers: Int = 0, rejects: Int = 0) {
    (self.notifications, self.answers, self.rejects) = (notifications, answers, rejects)
  }
}
