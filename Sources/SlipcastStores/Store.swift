package import SlipcastBulk

/// Databases as the command sees them: where records come from, where they go, what stands there.
package enum Store {
  /// How many bytes of records are written between two commits.
  ///
  /// Each commit writes most of the index of random ids anew, so commits are further apart than for files.
  package static let commitBytes = 64 << 20

  /// Opens a store for a run, and makes it where there is none.
  ///
  /// - Parameter resume: goes on with the run that was interrupted; what it wrote is compared with its SHA-256 first.
  ///   A run that was killed before its first commit begins again.
  /// - Returns: where records go, and the checkpoint to go on from; `nil` for a run that begins.
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

  /// Opens a store for looking at it, without writing anything.
  ///
  /// - Returns: `nil` where there is no store yet, and one would be made.
  /// - Throws: `StoreError` when there is something else, or a newer store.
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

  /// Hands out the notifications of a store, one subscription after another, each in the order of time.
  ///
  /// Memory is constant. Events of a subscription are ordered by the event's time (the signed date where V1 tells none),
  /// then the received time, then the place; what is unknown comes first. Events without a subscription come last.
  ///
  /// - Parameter originalTransactionId: one subscription alone.
  /// - Throws: `StoreError`, or what the closure throws.
  package static func forEachEvent(
    _ location: StoreLocation, originalTransactionId: String? = nil, _ use: (StoredEvent) throws -> Void
  ) throws {
    guard let reader = try reader(location) else {
      throw StoreError(.cannotOpen, location.description, "read the store", "there is none")
    }
    try reader.forEachEvent(originalTransactionId, use)
  }
}

/// A store that is open for reading.
package protocol StoreReader: AnyObject {
  /// The version of its schema.
  var version: Int { get }
  /// How much stands there.
  func counts() throws -> StoreCounts
  /// A notification of that UUID stands there.
  func contains(notificationUUID: String) throws -> Bool
  /// The run that began last: its state and its fingerprint.
  func lastRun() throws -> (state: String, fingerprint: String, rejected: Int)?
  /// Hands out events as `Store.forEachEvent` tells.
  func forEachEvent(_ originalTransactionId: String?, _ use: (StoredEvent) throws -> Void) throws
}

/// How much stands in a store.
public struct StoreCounts: Hashable, Sendable {
  /// Notifications, each once.
  public var notifications = 0
  /// Histories and statuses that receipts gave.
  public var answers = 0
  /// Records that could not be converted.
  public var rejects = 0

  /// Describes one.
  public init(notifications: Int = 0, answers: Int = 0, rejects: Int = 0) {
    (self.notifications, self.answers, self.rejects) = (notifications, answers, rejects)
  }
}
