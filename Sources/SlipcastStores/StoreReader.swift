package import SlipcastBulk

/// A Slipcast store that is open for reading.
package final class StoreReader {
  let database: any StoreDatabase
  /// The version of its schema.
  package let version: Int

  /// - Returns: `nil` for a database without a store.
  /// - Throws: `StoreError` for a database of another program, or of a newer Slipcast.
  init?(_ database: any StoreDatabase) throws(StoreError) {
    self.database = database
    version = try database.schemaVersion()
    let newest = SchemaVersion.all.last?.number ?? 0
    guard version <= newest else { throw StoreError.tooNew(database.name, found: version, known: newest) }
    guard version > 0 else { return nil }
    try database.beginReading(isSorted: true)
  }

  /// Reads in the transaction of a run, in a store of the newest version.
  init(of writer: any StoreDatabase) { (database, version) = (writer, SchemaVersion.all.last?.number ?? 0) }

  package func counts() throws -> StoreCounts {
    func count(_ table: String) throws -> Int { Int(try database.number("SELECT count(*) FROM \(table)")) }
    return StoreCounts(
      notifications: try count("notifications"), answers: try count("answers"), rejects: try count("rejects"))
  }

  /// The run that began last: its state, its fingerprint and its last checkpoint.
  package func lastRun() throws -> (state: String, fingerprint: String, checkpoint: [UInt8]?)? {
    let rows = try database.rows("SELECT state, fingerprint, checkpoint FROM runs ORDER BY run DESC LIMIT 1")
    guard try rows.step() else { return nil }
    return (rows.text(0) ?? "", rows.text(1) ?? "", CheckpointText.decode(rows.text(2)))
  }

  /// Passes events to a closure, as `RecordStore.forEachNotification` describes.
  func forEachEvent(
    _ originalTransactionId: String?, of side: StoreSide = .both, where chosen: String? = nil,
    _ use: (StoredEvent) throws -> Void
  ) throws {
    let ofSide =
      (chosen.map { " AND " + $0 } ?? "")
      + side.condition(on: StoreQueries.origin(in: "notifications", version: version))
    func events(where condition: String) -> String {
      StoreQueries.events(where: condition + ofSide, sorted: StoreQueries.subscriptions)
    }
    if let originalTransactionId {
      return try forEach(events(where: "originalTransactionId = $1"), [originalTransactionId], use)
    }
    try forEach(events(where: "originalTransactionId IS NOT NULL"), [], use)
    try forEach(StoreQueries.events(where: "originalTransactionId IS NULL" + ofSide), [], use)
  }

  /// What the lists of V1 messages show of a subscription, or of all; `nil` in a store of an older version.
  ///
  /// - Throws: `StoreError`.
  package func listedPeriods(_ originalTransactionId: String?) throws -> SettledReadings? {
    guard version >= SchemaVersion.ofListedPeriods else { return nil }
    let condition = originalTransactionId.map { _ in "originalTransactionId = $1" }
    return try database.listedPeriods(where: condition, originalTransactionId.map { [$0] } ?? [])
  }

  /// V1 records came here by a run that kept nothing of their lists.
  package func lacksLists() throws(StoreError) -> Bool { try database.lacksLists(version: version) }

  private func forEach(_ sql: String, _ parameters: [String], _ use: (StoredEvent) throws -> Void) throws {
    let rows = try database.rows(sql, parameters, for: "read")
    while try rows.step() {
      try use(
        StoredEvent(
          place: rows.number(0) ?? 0, originalTransactionId: rows.text(1), notification_type: rows.text(2),
          eventTime: rows.number(3), receivedAt: rows.number(4), body: rows.content(5), environment: rows.text(6),
          bundleId: rows.text(7)))
    }
  }
}
