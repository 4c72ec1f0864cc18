import Foundation
import SlipcastBulk
import SlipcastTestSupport
import Testing

@testable import SlipcastStores

/// The databases that a test of both runs on.
enum Database: String, CaseIterable, CustomTestStringConvertible {
  case sqlite, postgreSQL

  var testDescription: String { rawValue }

  /// The server that `Tests/end-to-end/postgresql.py` starts; without it tests of PostgreSQL are skipped.
  static let server = ProcessInfo.processInfo.environment["SLIPCAST_POSTGRES"]
  static var hasServer: Bool { server != nil }
  /// What there is to test on.
  static var present: [Database] { hasServer ? allCases : [.sqlite] }

  /// Runs a body with the text of the location of a database that is empty.
  func withEmpty(_ body: (String) throws -> Void) throws {
    switch self {
    case .sqlite: try Samples.withFolder { try body("sqlite:" + $0 + "/shop.sqlite") }
    case .postgreSQL: try Self.withSchema(body)
    }
  }

  /// The same for a body that waits.
  func withEmptyDatabase(_ body: (String) async throws -> Void) async throws {
    switch self {
    case .sqlite:
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      try await body("sqlite:" + folder.path + "/shop.sqlite")
    case .postgreSQL:
      guard let server = Self.server else { return }
      let schema = "s" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
      try execute("CREATE SCHEMA \(schema)", at: server)
      defer { try? execute("DROP SCHEMA \(schema) CASCADE", at: server) }
      try await body(server + "?options=-csearch_path%3D" + schema)
    }
  }

  /// Takes steps of the schema.
  static func migrate(_ text: String, _ versions: [SchemaVersion]) throws {
    let location = try StoreLocation(text)
    switch location.engine {
    case .sqlite(let path):
      if case .nothing = StoreFile.look(path) { try StoreFile.createPrivately(path) }
      try SQLiteDatabase(path: path, name: "test", .readWrite).migrate(versions)
    case .postgreSQL(let text): try PostgreSQLConnection(text, name: "test").migrate(versions)
    }
  }

  /// Runs statements in the database.
  func execute(_ sql: String, at location: String) throws {
    let location = try StoreLocation(location)
    switch location.engine {
    case .sqlite(let path):
      try StoreFile.createPrivately(path)
      try SQLiteDatabase(path: path, name: "test", .readWrite).execute(sql)
    case .postgreSQL(let text): try PostgreSQLConnection(text, name: "test").execute(sql)
    }
  }

  /// The first column of all rows, as text.
  func query(_ sql: String, at location: String) throws -> [String?] {
    let rows = try Store.connect(StoreLocation(location)).rows(sql)
    var found: [String?] = []
    while try rows.step() { found.append(rows.text(0)) }
    return found
  }

  /// A separate schema makes tests independent of each other.
  private static func withSchema(_ body: (String) throws -> Void) throws {
    guard let server else { return }
    let schema = "s" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
    try Database.postgreSQL.execute("CREATE SCHEMA \(schema)", at: server)
    defer { try? Database.postgreSQL.execute("DROP SCHEMA \(schema) CASCADE", at: server) }
    try body(server + "?options=-csearch_path%3D" + schema)
  }
}

extension String {
  /// A location with parameters behind it.
  func with(_ parameters: String) -> String { self + (contains("?") ? "&" : "?") + parameters }
}

@Suite struct ServerTests {
  @Test(.enabled(if: Database.hasServer, "SLIPCAST_POSTGRES is not set: see Tests/end-to-end/postgresql.py"))
  func postgreSQLIsTested() throws {
    #expect(try Database.postgreSQL.query("SELECT 1", at: #require(Database.server)) == ["1"])
  }
}
