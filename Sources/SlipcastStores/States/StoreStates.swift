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

  private let writer: any StoreDatabase
  private let reader: () throws -> StoreReader?
  private let side: StoreSide
  /// The condition on subscriptions that are judged again; `nil`: all.
  private let touched: String?
  private var values: [String?] = []
  private var rows = 0
  private static let rowsPerStatement = 200

  /// Begins to fill the table, in a separate transaction.
  ///
  /// - Parameter fill: reads the events, and writes the rows.
  /// - Throws: `StoreError`, or the closure's error; the table is then as it was.
  package static func fill(_ location: StoreLocation, _ fill: (StoreStates) throws -> Void) throws {
    // Another run that writes will fill it.
    guard let writer = try open(location) else { return }
    // SQLite reads in the transaction that writes; a statement of PostgreSQL ends the one before.
    let states = try StoreStates(
      in: writer, reading: { writer.dialect == .sqlite ? StoreReader(of: writer) : try Store.reader(location) })
    if let states {
      try fill(states)
      try states.finish()
    }
    try writer.execute("COMMIT")
  }

  /// Begins to fill the table in the transaction of a run.
  ///
  /// - Parameter reader: reads what is committed.
  /// - Returns: `nil` where the table is up to date.
  init?(in writer: any StoreDatabase, reading reader: @escaping () throws -> StoreReader?) throws(StoreError) {
    (self.writer, self.reader) = (writer, reader)
    let fresh = try Self.fresh(in: writer)
    guard !fresh.places.isEmpty else { return nil }
    side = try StoreReader(of: writer).has(.v1) ? .v1 : .v2
    // The first V1 record of a store that had none changes the side that the table shows.
    let shown = try writer.value("SELECT origin FROM states LIMIT 1")
    let isNew = shown != side.rawValue || fresh.places.contains { $0.lowerBound <= 1 }
    touched = isNew ? nil : Self.isTouched(fresh)
    try writer.execute("DELETE FROM states" + (touched.map { " WHERE " + $0 } ?? ""))
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

  /// The places of the records whose subscriptions were not judged yet, and the runs of which nothing was.
  private typealias Fresh = (places: [ClosedRange<Int64>], runs: [Int64])

  private static func fresh(in database: any StoreDatabase) throws(StoreError) -> Fresh {
    let rows = try database.rows(
      "SELECT run, firstPlace, judged, handed FROM runs WHERE handed > coalesce(judged, 0) ORDER BY run")
    var fresh: Fresh = ([], [])
    while try rows.step() {
      let (run, first, handed) = (rows.number(0) ?? 0, rows.number(1) ?? 1, rows.number(3) ?? 0)
      let judged = rows.number(2)
      if judged == nil { fresh.runs.append(run) }
      fresh.places.append(first + (judged ?? 0)...first + max(judged ?? 0, handed - 1))
    }
    return fresh
  }

  /// The condition on a subscription that new records belong to, or of which lists show something new.
  private static func isTouched(_ fresh: Fresh) -> String {
    let places = fresh.places.map { "place BETWEEN \($0.lowerBound) AND \($0.upperBound)" }.joined(separator: " OR ")
    var named = [
      "SELECT originalTransactionId FROM notifications WHERE \(places)", "SELECT originalTransactionId FROM unjudged",
    ]
    // A live run notes what is new; reading its rows would take longer with each event.
    if !fresh.runs.isEmpty {
      let runs = fresh.runs.map { "\($0)" }.joined(separator: ", ")
      named.append("SELECT originalTransactionId FROM listed_periods WHERE run IN (\(runs))")
    }
    return """
      (originalTransactionId IN (\(named.joined(separator: " UNION ")))
      OR originalTransactionId IS NULL
      AND EXISTS (SELECT 1 FROM notifications WHERE originalTransactionId IS NULL AND (\(places))))
      """
  }

  /// Passes the events of all subscriptions that are judged again to a closure, subscription by subscription.
  ///
  /// - Throws: `StoreError`, or the closure's error.
  package func forEachEvent(_ use: (StoredEvent) throws -> Void) throws {
    try reader()?.forEachEvent(nil, of: side, where: touched, use)
  }

  /// What the lists of V1 messages show of the subscriptions that are judged again.
  ///
  /// - Throws: `StoreError`.
  package func evidence() throws -> SettledReadings? {
    guard side != .v2 else { return nil }
    return try writer.listedPeriods(where: touched)
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

  /// Notes that the table is up to date, as part of the transaction.
  func finish() throws(StoreError) {
    try flush()
    try writer.execute(
      """
      UPDATE runs SET statesAt = \(Timestamp.now.milliseconds), judged = handed
      WHERE statesAt IS NULL OR coalesce(judged, -1) <> handed;
      DELETE FROM unjudged
      """)
  }
}

/// A store that a server writes: its table `states` follows while the run lasts.
package protocol LiveStates: AnyObject {
  /// Brings the table up to date; call it right after a commit.
  ///
  /// - Parameter fill: reads the events, and writes the rows; false takes back what it wrote.
  /// - Throws: `StoreError`, or the closure's error; the run cannot be used any longer then.
  func updateStates(_ fill: (StoreStates) throws -> Bool) throws
}

extension LiveStates {
  /// - Parameters:
  ///   - database: with the transaction of the run, in which nothing was written yet.
  ///   - begin: begins the next transaction.
  func updateStates(
    in database: any StoreDatabase, reading reader: @escaping () throws -> StoreReader?, begin: String,
    _ fill: (StoreStates) throws -> Bool
  ) throws {
    guard let states = try StoreStates(in: database, reading: reader) else { return }
    guard try fill(states) else { return try database.execute("ROLLBACK; \(begin)") }
    try states.finish()
    try database.execute("COMMIT; \(begin)")
  }
}
