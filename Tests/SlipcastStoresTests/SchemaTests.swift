import Foundation
import SlipcastV2
import Testing

@testable import SlipcastBulk
@testable import SlipcastStores

@Suite struct SchemaTests {
  @Test(arguments: Database.present)
  func everyScalarFieldOfV2HasItsColumn(_ database: Database) throws {
    try database.withEmpty { text in
      _ = try Store.open(try StoreLocation(text), run: Samples.run()).sink.fill([])
      for table in StoreTable.all {
        // A column that is missing is an error of the query.
        #expect(throws: Never.self) { try database.query("SELECT \(table.columnList) FROM \(table.name)", at: text) }
      }
      #expect(StoreTable.transactions.columns.count == 2 + 33)
      #expect(StoreTable.renewalInfos.columns.count == 3 + 22)
    }
  }

  @Test(arguments: Database.present)
  func everyColumnOfTheSchemaIsFilled(_ database: Database) throws {
    try database.withEmpty { text in
      _ = try Store.open(try StoreLocation(text), run: Samples.run()).sink.fill([])
      for table in StoreTable.all {
        let sql =
          database == .sqlite
          ? "SELECT name FROM pragma_table_info('\(table.name)')"
          : "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = '\(table.name)'"
        let columns = Set(try database.query(sql, at: text).compactMap { $0?.lowercased() })
        #expect(columns == Set(table.columns.map { $0.name.lowercased() }), "\(table.name)")
      }
    }
  }

  @Test(arguments: Database.present)
  func stepsOfTheSchemaAreTakenOnceAndInOrder(_ database: Database) throws {
    try database.withEmpty { text in
      _ = try Store.open(try StoreLocation(text), run: Samples.run()).sink.fill([])
      let second = SchemaVersion(number: 2, sql: "ALTER TABLE runs ADD COLUMN note text")
      try migrate(text, SchemaVersion.all + [second])
      try migrate(text, SchemaVersion.all + [second])
      #expect(try database.query("SELECT count(note) FROM runs", at: text) == ["0"])
      let error = #expect(throws: StoreError.self) { try Store.open(try StoreLocation(text), run: Samples.run()) }
      #expect(error?.kind == .storeTooNew && error?.reason.contains("version 2") == true)
      #expect(throws: StoreError.self) { try Store.rows(try StoreLocation(text)) }
    }
  }

  @Test(arguments: Database.present)
  func aStepThatFailsLeavesTheVersionBefore(_ database: Database) throws {
    try database.withEmpty { text in
      _ = try Store.open(try StoreLocation(text), run: Samples.run()).sink.fill([])
      let broken = SchemaVersion(number: 2, sql: "CREATE TABLE extra (a text); CREATE TABLE runs (a text)")
      #expect(throws: StoreError.self) { try migrate(text, SchemaVersion.all + [broken]) }
      #expect(try Store.reader(try StoreLocation(text))?.version == 1)
      #expect(throws: StoreError.self) { try database.query("SELECT a FROM extra", at: text) }
    }
  }

  @Test(arguments: Database.present)
  func aDatabaseOfAnotherProgramIsLeftAlone(_ database: Database) throws {
    try database.withEmpty { text in
      try database.execute("CREATE TABLE notifications (a text)", at: text)
      let error = #expect(throws: StoreError.self) { try Store.open(try StoreLocation(text), run: Samples.run()) }
      #expect(error?.kind == .notAStore)
      #expect(try database.query("SELECT count(*) FROM notifications", at: text) == ["0"])
    }
  }

  @Test func aFileThatIsNoDatabaseIsLeftAlone() throws {
    try Samples.withFolder { folder in
      let path = folder + "/a.sqlite"
      try Data("not a database, but longer than its header would be".utf8).write(to: URL(fileURLWithPath: path))
      let error = #expect(throws: StoreError.self) { try Store.open(try StoreLocation(path), run: Samples.run()) }
      #expect(error?.kind == .notAStore)
      #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("not a database"))
    }
  }

  @Test func aNewFileIsReadableByItsOwnerAlone() throws {
    try Samples.withFolder { folder in
      _ = try Store.open(try StoreLocation(folder + "/a.sqlite"), run: Samples.run()).sink.fill([
        Samples.notification(1)
      ])
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/a.sqlite")
      #expect((attributes[.posixPermissions] as? Int) == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.sqlite"])
    }
  }

  @Test(arguments: Database.present)
  func indexesAreThereWhenARunHasEnded(_ database: Database) throws {
    try database.withEmpty { text in
      let sql =
        database == .sqlite
        ? "SELECT name FROM sqlite_master WHERE type = 'index'"
        : "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()"
      let sink = try Store.open(try StoreLocation(text), run: Samples.run()).sink
      try sink.commit([], counts: RunCounts())
      if database == .postgreSQL {
        #expect(try !database.query(sql, at: text).contains("notifications_by_subscription"))
      }
      try sink.finish(.finished, counts: RunCounts())
      #expect(try database.query(sql, at: text).contains("notifications_by_subscription"))
    }
  }

  private func migrate(_ text: String, _ versions: [SchemaVersion]) throws {
    let location = try StoreLocation(text)
    switch location.engine {
    case .sqlite(let path): try SQLiteDatabase(path: path, name: "test", .readWrite).migrate(versions)
    case .postgreSQL(let text): try PostgreSQLConnection(text, name: "test").migrate(versions)
    }
  }
}
