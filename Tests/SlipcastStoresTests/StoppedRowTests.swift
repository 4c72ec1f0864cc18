import Foundation
import SlipcastMapping
import SlipcastSystem
import SlipcastTestSupport
import Testing

@testable import SlipcastBulk
@testable import SlipcastStores

/// A run over rows of a database that ends at a reject goes on behind it.
@Suite struct StoppedRowTests {
  private static func body(_ number: Int) -> String {
    #"{"notification_type":"DID_RENEW","environment":"PROD","unified_receipt":{"latest_receipt_info":["#
      + #"{"product_id":"monthly","transaction_id":"\#(number)","original_transaction_id":"1","quantity":"1","#
      + #""purchase_date_ms":"1679333400000","expires_date_ms":"1682011800000"}]}}"#
  }

  private func plan(_ source: String, to target: String) throws -> RunPlan {
    var options = ConvertOptions()
    options.onError = .stop
    var settings = RunPlan.Settings()
    settings.resumes = true
    return try RunPlan(
      [.rows(try Store.rows(try StoreLocation(source)))], to: .store(try StoreLocation(target)),
      rules: BuiltIn.rules, options: options, settings: settings)
  }

  /// Runs a body with a folder and the location of a database that is empty.
  private func with(
    _ database: Database, _ body: (_ folder: String, _ target: String) async throws -> Void
  ) async throws {
    let name = "s" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    guard database == .postgreSQL, let server = Database.server else {
      return try await body(folder.path, "sqlite:\(folder.path)/shop.sqlite")
    }
    try Database.postgreSQL.execute("CREATE SCHEMA \(name)", at: server)
    defer { try? Database.postgreSQL.execute("DROP SCHEMA \(name) CASCADE", at: server) }
    try await body(folder.path, server + "?options=-csearch_path%3D" + name)
  }

  /// The bad row may be deleted in the meantime.
  @Test(arguments: Database.present, [true, false])
  func noRowIsLost(_ database: Database, _ deletes: Bool) async throws {
    try await with(database) { folder, target in
      // Two pages.
      try Database.sqlite.execute("CREATE TABLE v1 (id integer PRIMARY KEY, body text)", at: folder + "/v1.db")
      let values = (1...5000).map { "(\($0), '\([7, 4500].contains($0) ? "x" : Self.body($0))')" }
      try Database.sqlite.execute("INSERT INTO v1 VALUES \(values.joined(separator: ", "))", at: folder + "/v1.db")
      let source = "sqlite:\(folder)/v1.db?table=v1&key=id"
      var counts = RunCounts()
      for end in [RunEnd.stopped, .stopped, .finished] {
        let outcome = try await plan(source, to: target).run()
        #expect(outcome.end == end && !outcome.wasFinished)
        if deletes { try Database.sqlite.execute("DELETE FROM v1 WHERE id = 7", at: folder + "/v1.db") }
        counts = outcome.counts
      }
      #expect(counts.read == 5000 && counts.converted == 4998 && counts.rejected == 2)
      #expect(try database.query("SELECT count(*) FROM notifications", at: target) == ["4998"])
    }
  }

  @Test func aRunOverRowsWithoutAKeyIsNotResumed() async throws {
    try await with(.sqlite) { folder, _ in
      let rows = "INSERT INTO v1 VALUES (1, '\(Self.body(1))'), (2, 'x'), (3, '\(Self.body(3))')"
      try Database.sqlite.execute("CREATE TABLE v1 (id integer, body text); " + rows, at: folder + "/v1.db")
      let location = "sqlite:\(folder)/v1.db?table=v1"
      #expect(try await plan(location, to: folder + "/c.sqlite").run().end == .stopped)
      await #expect(throws: FileError.self) { try await plan(location, to: folder + "/c.sqlite").run() }
      #expect(try plan(location, to: folder + "/a.sqlite").unorderedSource?.hasSuffix("table=v1") == true)
      #expect(try plan(location + "&key=id", to: folder + "/b.sqlite").unorderedSource == nil)
    }
  }
}
