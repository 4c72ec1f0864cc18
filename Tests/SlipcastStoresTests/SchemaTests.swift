import Foundation
import SlipcastV2
import Testing

@testable import SlipcastBulk
@testable import SlipcastStores

@Suite struct SchemaTests {
  private let newest = SchemaVersion.all.count

  /// Rejects of a store of version 1 keep why their input is missing, and their message loses it.
  @Test(arguments: Database.present)
  func aStoreOfVersion1GetsTheColumnOfOmittedInputs(_ database: Database) throws {
    try database.withEmpty { text in
      try migrate(text, Array(SchemaVersion.all.prefix(1)))
      let columns = "run, source, record, line, byte_offset, stage, code, path, message, input"
      for (record, row) in [
        "'broken; the input is not kept (encoded)', NULL", "'broken; the input is not kept (encoded)', '{'",
        "'broken', NULL", "'broken', '{'",
      ].enumerated() {
        try database.execute(
          "INSERT INTO rejects (\(columns)) VALUES (1, 'a', \(record), 1, 0, 'json', 'syntax', '', \(row))", at: text)
      }
      let sink = try Store.open(try StoreLocation(text), run: Samples.run()).sink
      try sink.write(reject: Samples.reject(4, omitted: "nested"))
      try sink.commit([], counts: RunCounts())
      try sink.finish(.finished, counts: RunCounts())
      func column(_ name: String) throws -> [String?] {
        try database.query("SELECT \(name) FROM rejects ORDER BY record", at: text)
      }
      #expect(try column("inputOmitted") == ["encoded", nil, nil, nil, "nested"])
      #expect(
        try column("message") == ["broken", "broken; the input is not kept (encoded)", "broken", "broken", "broken"])
      #expect(try column("input") == [nil, "{", nil, "{", nil])
      #expect(try Store.reader(try StoreLocation(text))?.version == newest)
    }
  }

  /// Reading changes nothing, so a store of an older version is read as it is.
  @Test(arguments: Database.present)
  func aStoreOfVersion1IsReadWithoutAChange(_ database: Database) throws {
    try database.withEmpty { text in
      try migrate(text, Array(SchemaVersion.all.prefix(1)))
      let reader = try #require(try Store.reader(try StoreLocation(text)))
      #expect(try reader.version == 1 && reader.counts() == StoreCounts())
    }
  }

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
        #expect(columns == Set(table.columns.map { $0.lowercased() }), "\(table.name)")
      }
    }
  }

  @Test(arguments: Database.present)
  func stepsOfTheSchemaAreTakenOnceAndInOrder(_ database: Database) throws {
    try database.withEmpty { text in
      _ = try Store.open(try StoreLocation(text), run: Samples.run()).sink.fill([])
      let next = SchemaVersion(number: newest + 1, sql: "ALTER TABLE runs ADD COLUMN note text")
      try migrate(text, SchemaVersion.all + [next])
      try migrate(text, SchemaVersion.all + [next])
      #expect(try database.query("SELECT count(note) FROM runs", at: text) == ["0"])
      let error = #expect(throws: StoreError.self) { try Store.open(try StoreLocation(text), run: Samples.run()) }
      #expect(error?.kind == .storeTooNew && error?.reason.contains("version \(newest + 1)") == true)
      #expect(throws: StoreError.self) { try Store.rows(try StoreLocation(text)) }
    }
  }

  @Test(arguments: Database.present)
  func aStepThatFailsLeavesTheVersionBefore(_ database: Database) throws {
    try database.withEmpty { text in
      _ = try Store.open(try StoreLocation(text), run: Samples.run()).sink.fill([])
      let broken = SchemaVersion(number: newest + 1, sql: "CREATE TABLE extra (a text); CREATE TABLE runs (a text)")
      #expect(throws: StoreError.self) { try migrate(text, SchemaVersion.all + [broken]) }
      #expect(try Store.reader(try StoreLocation(text))?.version == newest)
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
    case .sqlite(let path):
      if case .nothing = StoreFile.look(path) { try StoreFile.createPrivately(path) }
      try SQLiteDatabase(path: path, name: "test", .readWrite).migrate(versions)
    case .postgreSQL(let text): try PostgreSQLConnection(text, name: "test").migrate(versions)
    }
  }
}
