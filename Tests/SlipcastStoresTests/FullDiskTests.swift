import Foundation
import Testing

@testable import SlipcastBulk
@testable import SlipcastStores

/// What is advised where no room is left depends on what the database is for.
@Suite struct FullDiskTests {
  private func advice(_ database: SQLiteDatabase) throws -> String? {
    try database.execute("PRAGMA max_page_count = 2; CREATE TABLE a (b)")
    let error = #expect(throws: StoreError.self) { try database.execute("INSERT INTO a VALUES (zeroblob(1000000))") }
    #expect(error?.kind == .full)
    return error?.advice
  }

  private func withFile(_ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("slipcast-\(UUID().uuidString).db").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    try body(path)
  }

  @Test func onlyARunThatCanGoOnIsToldTo() throws {
    try withFile { path in
      let database = try SQLiteDatabase(path: path, name: "a.sqlite", .readWrite)
      #expect(try advice(database)?.contains("--resume") == false)
    }
    try withFile { path in
      let database = try SQLiteDatabase(path: path, name: "a.sqlite", .readWrite)
      let run = RunDescription(fingerprint: "", sources: "", version: "", adviceWhenFull: "continue with --resume")
      database.adviceWhenFull = run.adviceWhenFull
      #expect(try advice(database) == "continue with --resume")
    }
  }

  @Test func temporaryFilesNeedAnotherFolder() throws {
    let advice = try advice(try SQLiteDatabase(temporary: ()))
    #expect(advice?.contains("TMPDIR") == true && advice?.contains("--resume") == false)
  }
}
