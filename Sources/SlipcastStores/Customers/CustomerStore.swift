internal import Synchronization

/// The customers of a Slipcast store, found by the store's own indexes.
///
/// Each question reads one short snapshot, so a run or a server may go on writing to the store.
package final class CustomerStore: CustomerSource {
  // Safe to send: a connection is in the list or with one thread.
  private struct Connection: @unchecked Sendable { let database: any StoreDatabase }

  private let location: StoreLocation
  private let free = Mutex<[Connection]>([])

  /// - Throws: `StoreError` for what is no store, or a newer one.
  package init(_ location: StoreLocation) throws(StoreError) {
    self.location = location
    let connection = try connect()
    free.withLock { $0.append(connection) }
  }

  private func connect() throws(StoreError) -> Connection {
    let database = try Store.connect(location, isOwn: true)
    let (version, newest) = (try database.schemaVersion(), SchemaVersion.all.last?.number ?? 0)
    guard version <= newest else { throw StoreError.tooNew(database.name, found: version, known: newest) }
    guard version > 0 else { throw StoreError.notAStore(database.name, "the database contains no store") }
    return Connection(database: database)
  }

  package func records(naming id: String, besides known: Set<Int64>) throws(StoreError) -> [CustomerRecord] {
    let kept = free.withLock { $0.popLast() }
    let connection = if let kept { kept } else { try connect() }
    let database = connection.database
    try database.execute("BEGIN")
    let found: [CustomerRecord]
    do throws(StoreError) {
      found = try Self.records(database, naming: id, besides: known)
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
      let rows = try database.rows(StoreQueries.recordAt(place: number), for: "read")
      while try rows.step() {
        let origin = "\(rows.text(0) ?? ""): record \(rows.number(1) ?? 0)"
        found.append(CustomerRecord(number: number, origin: origin, body: rows.content(2)))
      }
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

  static func recordAt(place: Int64) -> String {
    """
    SELECT source, record, body FROM notifications WHERE place = \(place)
    UNION ALL SELECT source, record, body FROM answers WHERE place = \(place)
    """
  }
}
