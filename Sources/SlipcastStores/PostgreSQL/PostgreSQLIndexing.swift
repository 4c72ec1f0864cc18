import Dispatch

/// The indexes and statistics of a finished store.
///
/// The server builds those of `notifications`, which take half of the time, while a second connection builds the others.
final class PostgreSQLIndexing: @unchecked Sendable {
  private let text: ConnectionText
  private let name: String
  private var isConnected = false
  private var failure: StoreError?

  /// - Parameter text: how to open the second connection.
  init(_ text: ConnectionText, name: String) { (self.text, self.name) = (text, name) }

  /// Builds what is missing; a run that is killed meanwhile leaves the rest to the next run.
  func build(_ connection: PostgreSQLConnection) throws(StoreError) {
    let group = DispatchGroup()
    DispatchQueue(label: "slipcast.postgresql.indexes").async(group: group) {
      do throws(StoreError) { try self.buildOthers() } catch { self.failure = error }
    }
    var failure: StoreError?
    do throws(StoreError) { try Self.build({ $0.contains(Self.notifications) }, connection) } catch { failure = error }
    group.wait()
    if let failure = failure ?? (isConnected ? self.failure : nil) { throw failure }
    // The server may admit no second connection.
    if !isConnected { try Self.build({ !$0.contains(Self.notifications) }, connection) }
  }

  private func buildOthers() throws(StoreError) {
    let connection = try PostgreSQLConnection(text, name: name)
    isConnected = true
    try Self.build({ !$0.contains(Self.notifications) }, connection)
  }

  private static let notifications = " notifications"

  private static func build(_ fits: (String) -> Bool, _ connection: PostgreSQLConnection) throws(StoreError) {
    try connection.execute("SET client_min_messages = warning; SET maintenance_work_mem = '256MB'")
    for statement in SchemaVersion.indexStatements + StoreQueries.analyze where fits(statement) {
      try connection.execute(statement)
    }
  }
}
