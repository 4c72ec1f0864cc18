package import SlipcastBulk
internal import SlipcastWire

/// The table `states` of a store: what the messages of each subscription show of its access, interval by interval.
///
/// A run that ends leaves the subscriptions of its records to be judged again; the table and the mark that it is up to date
/// change in one transaction, so a run that is killed before it is judged by the next one. Memory does not grow with the
/// store.
package final class StoreStates {
  /// The columns of the table, after the origin, in the order of the values of a row.
  package static let columns = SchemaVersion.columns(of: "states").map(\.name).filter { $0 != "origin" }

  private let location: StoreLocation
  private let writer: any StoreDatabase
  private let side: StoreSide
  /// Which subscriptions are judged again; `nil`: all.
  private let touched: String?
  private var values: [String?] = []
  private var rows = 0
  private static let rowsPerStatement = 200

  /// Begins to fill the table.
  ///
  /// - Returns: `nil` where it is up to date, and where another run writes, which will fill it.
  /// - Throws: `StoreError`.
  package init?(_ location: StoreLocation) throws(StoreError) {
    self.location = location
    guard let writer = try Self.open(location) else { return nil }
    self.writer = writer
    let ranges = try Self.freshPlaces(in: writer)
    let reader = StoreReader(of: writer)
    let side = try reader.choose(StoreSideRule(preferred: .v1), readsAnswers: false).side
    self.side = side
    guard !ranges.isEmpty else {
      try writer.execute("ROLLBACK")
      return nil
    }
    // The first V1 record of a store that had none changes the side that the table shows.
    let shown = try writer.value("SELECT min(origin) FROM states")
    let isNew = shown != side.rawValue || ranges.contains { $0.lowerBound <= 1 }
    touched =
      isNew
      ? nil
      : ranges.map { "place BETWEEN \($0.lowerBound) AND \($0.upperBound)" }.joined(separator: " OR ")
    try writer.execute("DELETE FROM states" + (touched.map { " WHERE " + Self.isTouched($0) } ?? ""))
  }

  /// Opens the store for writing, and begins; `nil` while another run writes.
  private static func open(_ location: StoreLocation) throws(StoreError) -> (any StoreDatabase)? {
    let name = location.description
    switch location.engine {
    case .sqlite(let path):
      let database = try SQLiteDatabase(path: path, name: name, .readWrite)
      guard try database.schemaVersion() == SchemaVersion.all.last?.number else { return nil }
      do throws(StoreError) { try database.execute("PRAGMA cache_size = -16384; BEGIN IMMEDIATE") } catch {
        if error.kind == .locked { return nil }
        throw error
      }
      return database
    case .postgreSQL(let text):
      let database = try PostgreSQLConnection(text, name: name)
      guard try database.schemaVersion() == SchemaVersion.all.last?.number else { return nil }
      guard try database.lockStore() else { return nil }
      try database.execute("BEGIN")
      return database
    }
  }

  /// The places of the records whose subscriptions were not judged yet.
  private static func freshPlaces(in database: any StoreDatabase) throws(StoreError) -> [ClosedRange<Int64>] {
    let rows = try database.rows(
      "SELECT firstPlace, handed FROM runs WHERE statesAt IS NULL AND handed > 0 ORDER BY run")
    var ranges: [ClosedRange<Int64>] = []
    while try rows.step() {
      let (first, count) = (rows.number(0) ?? 1, rows.number(1) ?? 0)
      ranges.append(first...first + max(0, count - 1))
    }
    return ranges
  }

  /// The condition on a subscription that records in some places belong to, or that the lists of their runs show.
  private static func isTouched(_ places: String) -> String {
    """
    (originalTransactionId IN (SELECT originalTransactionId FROM notifications WHERE \(places))
    OR originalTransactionId IN (SELECT originalTransactionId FROM listed_periods
    WHERE run IN (SELECT run FROM runs WHERE statesAt IS NULL))
    OR originalTransactionId IS NULL
    AND EXISTS (SELECT 1 FROM notifications WHERE originalTransactionId IS NULL AND (\(places))))
    """
  }

  /// Passes the events of all subscriptions that are judged again to a closure, subscription by subscription.
  ///
  /// - Throws: `StoreError`, or the closure's error.
  package func forEachEvent(_ use: (StoredEvent) throws -> Void) throws {
    // SQLite reads in the transaction that writes; a statement of PostgreSQL ends the one before.
    let reader = writer.dialect == .sqlite ? StoreReader(of: writer) : try Store.reader(location)
    try reader?.forEachEvent(nil, of: side, where: touched.map(Self.isTouched), use)
  }

  /// What the lists of V1 messages show of the subscriptions that are judged again.
  ///
  /// - Throws: `StoreError`.
  package func evidence() throws -> SettledReadings? {
    guard side != .v2 else { return nil }
    return try writer.listedPeriods(where: touched.map(Self.isTouched))
  }

  /// Adds a row.
  ///
  /// - Parameter row: the values of `columns`, numbers as text.
  /// - Throws: `StoreError`.
  package func write(_ row: [String?]) throws(StoreError) {
    values += [side.rawValue] + row
    rows += 1
    if rows >= Self.rowsPerStatement { try flush() }
  }

  private func flush() throws(StoreError) {
    guard rows > 0 else { return }
    try writer.insert(into: "states", ["origin"] + Self.columns, values)
    values.removeAll(keepingCapacity: true)
    rows = 0
  }

  /// Makes all rows final.
  ///
  /// - Throws: `StoreError`.
  package func finish() throws(StoreError) {
    try flush()
    try writer.execute("UPDATE runs SET statesAt = \(Timestamp.now.milliseconds) WHERE statesAt IS NULL; COMMIT")
  }
}
