import Foundation
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk
@testable import SlipcastStores
@testable import SlipcastV2

@Suite struct SchemaTests {
  private let newest = SchemaVersion.all.count

  /// Rejects of a store of version 1 keep why their input is missing, and their message loses it.
  @Test(arguments: Database.present)
  func aStoreOfVersion1GetsTheColumnOfOmittedInputs(_ database: Database) throws {
    try database.withEmpty { text in
      try Database.migrate(text, Array(SchemaVersion.all.prefix(1)))
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
      try Database.migrate(text, Array(SchemaVersion.all.prefix(1)))
      let reader = try #require(try Store.reader(try StoreLocation(text)))
      #expect(try reader.version == 1 && reader.counts() == StoreCounts())
    }
  }

  @Test func everyColumnThatIsWrittenIsDescribed() {
    for table in StoreTable.all {
      let described = StoreSchema.tables.first { $0.name == table.name }
      #expect(Set(described?.columns.map(\.name) ?? []) == Set(table.columns), "\(table.name)")
    }
    let types = StoreSchema.tables.flatMap(\.columns).reduce(into: [:]) { $0[$1.name] = $1.type }
    #expect(types["price"] == .integer64 && types["isUpgraded"] == .boolean && types["inputOmitted"] == .text)
    #expect(StoreSchema.tables.allSatisfy { !$0.about.isEmpty })
  }

  /// The objects whose members are columns, by table, and the members that only the line has.
  static let objects: [(table: TableNumber, parts: [ObjectPart], without: Set<String>)] = [
    (
      .notifications, [.notification, .data],
      ["signedTransactionInfo", "signedRenewalInfo", "consumptionRequestReason"]
    ),
    (.transactions, [.transaction], []), (.renewalInfos, [.renewal], []),
  ]

  @Test(arguments: objects)
  func everyMemberThatIsOneValueHasItsColumn(_ table: TableNumber, _ parts: [ObjectPart], _ without: Set<String>) {
    let members = Set(parts.flatMap(\.schema.fields).filter(\.kind.isScalar).map(\.name))
    #expect(!members.isEmpty && without.isSubset(of: members))
    #expect(members.subtracting(table.table.columns) == without, "add a step of the schema")
  }

  /// A column that the encoder does not know would stay NULL, and a member with the name of another column would
  /// overwrite it.
  @Test(arguments: objects)
  func everyColumnHasOneMeaning(_ table: TableNumber, _ parts: [ObjectPart], _: Set<String>) {
    let members = Set(parts.flatMap(\.schema.fields).map(\.name))
    let own = Set(StoreColumn.allCases.map(\.name)).subtracting(["notificationUUID", "notificationType", "subtype"])
    #expect(members.isDisjoint(with: own))
    // A notification has ids of its transaction, and a renewal the status that is next to it.
    let copied = EncoderColumns.identifiers.map { TableNumber.notifications.table.columns[$0.parent] } + ["status"]
    #expect(Set(copied).count == 5)
    #expect(Set(table.table.columns).isSubset(of: members.union(own).union(copied)))
  }

  @Test(arguments: [TableNumber.answers, .candidates, .findings, .bodies, .rejects])
  func everyOtherColumnIsKnownToTheEncoder(_ table: TableNumber) {
    let known = StoreColumn.allCases.map(\.name) + ["appAppleId", "bundleId", "environment"]
    #expect(!table.table.columns.isEmpty && Set(table.table.columns).isSubset(of: known))
  }

  @Test func textsWithAnIndexAreKnown() {
    func names(_ table: TableNumber) -> Set<String> { Set(table.table.indexedTexts.map { table.table.columns[$0] }) }
    #expect(
      names(.notifications)
        == ["notificationUUID", "notificationType", "subtype", "originalTransactionId", "origin"])
    #expect(
      names(.transactions)
        == [
          "originalTransactionId", "transactionId", "webOrderLineItemId", "appAccountToken", "appTransactionId",
          "productId",
        ])
    #expect(names(.renewalInfos).isEmpty && names(.rejects).isEmpty)
  }

  @Test(arguments: Database.present)
  func tablesHaveTheColumnsThatTheirStepsName(_ database: Database) throws {
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
      try Database.migrate(text, SchemaVersion.all + [next])
      try Database.migrate(text, SchemaVersion.all + [next])
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
      #expect(throws: StoreError.self) { try Database.migrate(text, SchemaVersion.all + [broken]) }
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
}
