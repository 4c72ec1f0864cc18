internal import Synchronization

/// A store that several threads read at the same time, each question in one short snapshot.
///
/// Nothing is ever written, and a run or a server may continue to write to the store.
package final class StoreLibrary: Sendable {
  // Safe to send: a connection is in the list or with one thread.
  private struct Connection: @unchecked Sendable { let snapshot: StoreSnapshot }

  private let location: StoreLocation
  private let free = Mutex<[Connection]>([])
  /// More connections are closed after use.
  private static let mostKept = 8

  /// - Throws: `StoreError` for what is not a store, or a newer one.
  package init(_ location: StoreLocation) throws(StoreError) {
    self.location = location
    let connection = try connect()
    free.withLock { $0.append(connection) }
  }

  /// The name of the store in messages: without a password.
  package var name: String { location.description }

  private func connect() throws(StoreError) -> Connection {
    let (database, version) = try Store.readable(location)
    return Connection(snapshot: try StoreSnapshot(database, version: version))
  }

  /// Asks the store; all answers of one call are of the same moment.
  ///
  /// - Throws: `StoreError`, or the error of the closure.
  package func read<Result>(_ ask: (StoreSnapshot) throws -> Result) throws -> Result {
    let kept = free.withLock { $0.popLast() }
    let connection = if let kept { kept } else { try connect() }
    let database = connection.snapshot.database
    let result: Result
    do {
      try database.beginReading(isSorted: true)
      result = try ask(connection.snapshot)
      try database.execute("COMMIT")
    } catch {
      // The next question gets a new connection.
      try? database.execute("ROLLBACK")
      throw error
    }
    free.withLock { if $0.count < Self.mostKept { $0.append(connection) } }
    return result
  }
}

/// One moment of a store.
package final class StoreSnapshot {
  let database: any StoreDatabase
  /// The version of its schema.
  package let version: Int
  /// V1 bodies may be kept.
  package let hasBodies: Bool
  /// The intervals of subscriptions may be kept.
  package let hasStates: Bool

  init(_ database: any StoreDatabase, version: Int) throws(StoreError) {
    (self.database, self.version) = (database, version)
    func columns(_ table: String) throws(StoreError) -> Set<String> {
      let rows = try database.rows(StoreQueries.columns(database.dialect), [table], for: "read")
      var names: Set<String> = []
      while try rows.step() { names.insert((rows.text(0) ?? "").lowercased()) }
      return names
    }
    hasBodies = try columns("bodies").contains("body")
    hasStates = try columns("states").contains("validfrom")
  }

  /// The side of a notification, or of an answer; older stores have V2 records of the endpoint alone, without a rule.
  func origin(_ alias: String, isAnswer: Bool = false) -> String {
    if version >= SchemaVersion.ofOrigins { return "\(alias).origin" }
    return isAnswer ? "'v1'" : "CASE WHEN \(alias).rule IS NULL THEN 'v2' ELSE 'v1' END"
  }

  /// The condition that a notification is of a side; no index on the side is used, because others find less.
  func isOf(_ side: StoreSide, _ alias: String) -> String { "(\(origin(alias)) || '') = '\(side.rawValue)'" }

  /// All rows of a statement, as texts.
  func all(_ sql: String, _ parameters: [String?] = [], columns: Int) throws(StoreError) -> [[String?]] {
    let rows = try database.rows(sql, parameters, for: "read")
    var found: [[String?]] = []
    while try rows.step() { found.append((0..<columns).map { rows.text($0) }) }
    return found
  }

  /// The first column of all rows.
  func column(_ sql: String, _ parameters: [String?] = []) throws(StoreError) -> [String] {
    try all(sql, parameters, columns: 1).compactMap { $0[0] }
  }
}
