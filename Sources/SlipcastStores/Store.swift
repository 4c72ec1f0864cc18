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
  package static func open(
    _ location: StoreLocation, run: RunDescription, resume: Bool = false
  ) throws -> (sink: any StoreSink, checkpoint: [UInt8]?) {
    guard location.isStore else {
      throw StoreError(
        .badLocation, location.description, "write", "records go to a store, not to a table of another program",
        advice: "leave out table, query, key, body and received-at")
    }
    switch location.engine {
    case .sqlite(let path): return try SQLiteStore.open(path: path, location.description, run, resume: resume)
    case .postgreSQL(let text):
      return try PostgreSQLStore.open(text, location.description, run, resume: resume)
    }
  }

  /// Opens rows for reading: legacy records of a table or query, or the records of a Slipcast store.
  ///
  /// - Throws: `StoreError`.
  package static func rows(_ location: StoreLocation) throws -> any RowFeed {
    let name = location.description
    switch (location.engine, location.selection) {
    case (.sqlite(let path), nil): return try SQLiteStoreRows(path: path, name: name)
    case (.sqlite(let path), let selection?): return try SQLiteRows(path: path, name: name, selection)
    case (.postgreSQL(let text), nil): return try PostgreSQLStoreRows(text, name: name)
    case (.postgreSQL(let text), let selection?): return try PostgreSQLRows(text, name: name, selection)
    }
  }

  /// Opens a store read-only.
  ///
  /// - Returns: `nil` if the store does not exist yet and could be created.
  /// - Throws: `StoreError` when the database is not a store, or a newer one.
  package static func reader(_ location: StoreLocation) throws -> (any StoreReader)? {
    switch location.engine {
    case .sqlite(let path):
      switch StoreFile.look(path) {
      case .nothing, .empty: return nil
      // A run that was killed while it made the store leaves one without tables.
      case .database where try SQLiteStoreReader.isEmpty(path: path, name: location.description): return nil
      default: return try SQLiteStoreReader(path: path, name: location.description)
      }
    case .postgreSQL(let text): return try PostgreSQLStoreReader(text, name: location.description)
    }
  }

  /// Passes the notifications of a store to a closure, one subscription after another, each sorted by time.
  ///
  /// Memory is constant. Events of a subscription are sorted by the event's time (the signed date where V1 has none),
  /// then the received time, then the place; unknown values come first. Events without a subscription come last.
  ///
  /// - Parameter originalTransactionId: reads only one subscription.
  /// - Throws: `StoreError`, or the closure's error.
  package static func forEachEvent(
    _ location: StoreLocation, originalTransactionId: String? = nil, _ use: (StoredEvent) throws -> Void
  ) throws {
    guard let reader = try reader(location) else {
      throw StoreError(.cannotOpen, location.description, "read the store", "no store found")
    }
    try reader.forEachEvent(originalTransactionId, use)
  }
}

/// A store that is open for reading.
package protocol StoreReader: AnyObject {
  /// The version of its schema.
  var version: Int { get }
  /// The counts of the store.
  func counts() throws -> StoreCounts
  /// The run that began last: its state, its fingerprint and its last checkpoint.
  func lastRun() throws -> (state: String, fingerprint: String, checkpoint: [UInt8]?)?
  /// Passes events to a closure, as `Store.forEachEvent` describes.
  func forEachEvent(_ originalTransactionId: String?, _ use: (StoredEvent) throws -> Void) throws
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
