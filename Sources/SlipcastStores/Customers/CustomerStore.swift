internal import Synchronization

/// The customers of a Slipcast store, found by the store's own indexes.
///
/// Each question reads one short snapshot, so a run or a server may continue to write to the store.
package final class CustomerStore: CustomerSource {
  // Safe to send: a connection is in the list or with one thread.
  private struct Connection: @unchecked Sendable {
    let database: any StoreDatabase
    /// SQLite's statements, prepared once; PostgreSQL gets them as text.
    var prepared: (places: SQLiteStatement, record: SQLiteStatement)?
  }

  private let location: StoreLocation
  private let free = Mutex<[Connection]>([])

  /// - Throws: `StoreError` for what is not a store, or a newer one.
  package init(_ location: StoreLocation) throws(StoreError) {
    self.location = location
    let connection = try connect()
    free.withLock { $0.append(connection) }
  }

  private func connect() throws(StoreError) -> Connection {
    let database = try Store.readable(location).0
    var connection = Connection(database: database)
    if let own = database as? SQLiteDatabase {
      connection.prepared = (
        try own.prepare(StoreQueries.placesOfCustomer), try own.prepare(StoreQueries.record(at: "?1"))
      )
    }
    return connection
  }

  package func records(naming id: String, besides known: Set<Int64>) throws(StoreError) -> [CustomerRecord] {
    let kept = free.withLock { $0.popLast() }
    let connection = if let kept { kept } else { try connect() }
    let database = connection.database
    try database.execute("BEGIN")
    let found: [CustomerRecord]
    do throws(StoreError) {
      found =
        if let prepared = connection.prepared { try Self.records(prepared, naming: id, besides: known) } else {
          try Self.records(database, naming: id, besides: known)
        }
      try database.execute("COMMIT")
    } catch {
      // The next question gets a new connection.
      try? database.execute("ROLLBACK")
      throw error
    }
    free.withLock { $0.append(connection) }
    return found
  }

  private static func records(
    _ prepared: (places: SQLiteStatement, record: SQLiteStatement), naming id: String, besides known: Set<Int64>
  ) throws(StoreError) -> [CustomerRecord] {
    defer {
      prepared.places.reset()
      prepared.record.reset()
    }
    try prepared.places.bind(id, at: 1)
    var found: [CustomerRecord] = []
    while try prepared.places.step() {
      let number = prepared.places.integer(0)
      if known.contains(number) { continue }
      prepared.record.reset()
      try prepared.record.bind(number, at: 1)
      while try prepared.record.step() { found.append(record(number, prepared.record)) }
    }
    return found
  }

  private static func record(_ number: Int64, _ rows: any StoreRows) -> CustomerRecord {
    let origin = "\(rows.text(0) ?? ""): record \(rows.number(1) ?? 0)"
    return CustomerRecord(number: number, origin: origin, body: rows.content(2))
  }

  private static func records(
    _ database: any StoreDatabase, naming id: String, besides known: Set<Int64>
  ) throws(StoreError) -> [CustomerRecord] {
    let places = try database.rows(StoreQueries.placesOfCustomer, [id], for: "read")
    var numbers: [Int64] = []
    while try places.step() {
      guard let number = places.number(0), !known.contains(number) else { continue }
      numbers.append(number)
    }
    var found: [CustomerRecord] = []
    for number in numbers {
      let rows = try database.rows(StoreQueries.record(at: "\(number)"), for: "read")
      while try rows.step() { found.append(record(number, rows)) }
    }
    return found
  }
}

extension StoreQueries {
  /// The places of the records that name an id of a customer; each part of it has an index.
  static let placesOfCustomer = """
    SELECT place FROM transactions WHERE originalTransactionId = $1
    UNION SELECT place FROM transactions WHERE transactionId = $1
    UNION SELECT place FROM notifications WHERE originalTransactionId = $1
    ORDER BY 1
    """

  /// - Parameter place: its number, or a parameter.
  static func record(at place: String) -> String {
    """
    SELECT source, record, body FROM notifications WHERE place = \(place)
    UNION ALL SELECT source, record, body FROM answers WHERE place = \(place)
    """
  }
}
