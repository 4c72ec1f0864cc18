import Foundation
import Testing

@testable import SlipcastBulk
@testable import SlipcastStores

@Suite(.enabled(if: Database.hasServer, "SLIPCAST_POSTGRES is not set: see Tests/end-to-end/postgresql.py"))
struct PostgreSQLTests {
  @Test func aTextThatPostgreSQLCannotHoldRefusesItsRecordAndTheOthersLand() throws {
    try Database.postgreSQL.withEmpty { text in
      let lines = (1...40).map { number in
        switch number {
        case 7, 40: Samples.notification(number, subscription: "a\\u0000secret")
        case 9: Samples.notification(number, subscription: String(repeating: "8", count: 9000))
        default: Samples.notification(number)
        }
      }
      let outcome = try Store.open(try StoreLocation(text), run: Samples.run()).sink.fill(lines)
      #expect(outcome.stored == 37)
      #expect(outcome.refused.map(\.record) == [7, 9, 40])
      #expect(outcome.refused.map { String(decoding: $0.line, as: UTF8.self) } == [lines[6], lines[8], lines[39]])
      let zero = "notifications.originalTransactionId contains U+0000, which PostgreSQL cannot store"
      #expect(outcome.refused.map(\.message).filter { $0 == zero }.count == 2)
      #expect(outcome.refused[1].message.contains("notifications.originalTransactionId has 9000 bytes"))
      #expect(try Database.postgreSQL.query("SELECT count(*) FROM notifications", at: text) == ["37"])
      #expect(try Database.postgreSQL.query("SELECT count(*) FROM transactions", at: text) == ["37"])
      let stored = try Database.postgreSQL.query("SELECT stored FROM runs", at: text)
      #expect(stored == ["37"])
    }
  }

  @Test func aRecordThatTheServerRefusesIsFoundAmongTheOthers() throws {
    try Database.postgreSQL.withEmpty { text in
      let location = try StoreLocation(text)
      try Store.open(location, run: Samples.run()).sink.finish(.finished, counts: RunCounts())
      try Database.postgreSQL.execute("ALTER TABLE notifications ADD CHECK (bundleVersion <> 'x')", at: text)
      let lines = (1...40).map { number in
        let line = Samples.notification(number)
        return number == 7 || number == 40 ? line.replacing(#""312""#, with: #""x""#) : line
      }
      let outcome = try Store.open(location, run: Samples.run()).sink.fill(lines)
      #expect(outcome.stored == 38 && outcome.refused.map(\.record) == [7, 40])
      #expect(outcome.refused.map { String(decoding: $0.line, as: UTF8.self) } == [lines[6], lines[39]])
      #expect(outcome.refused.allSatisfy { $0.message.contains("23514") })
    }
  }

  @Test(arguments: [
    "CREATE TABLE transactions (a int)", "CREATE TABLE findings (a int)", "CREATE VIEW events_view AS SELECT 1 AS a",
    "CREATE TABLE own (a int); CREATE INDEX findings_by_place ON own (a)",
  ])
  func aDatabaseWithANameOfAStoreIsNoneAndStaysAsItIs(_ sql: String) throws {
    try Database.postgreSQL.withEmpty { text in
      try Database.postgreSQL.execute(sql, at: text)
      let location = try StoreLocation(text)
      // A dry run says the same.
      for attempt in [{ _ = try Store.open(location, run: Samples.run()) }, { _ = try Store.reader(location) }] {
        let error = #expect(throws: StoreError.self) { try attempt() }
        #expect(error?.kind == .notAStore, "\(error.map { "\($0)" } ?? "")")
      }
      let count = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'runs'"
      #expect(try Database.postgreSQL.query(count, at: text) == ["0"])
    }
  }

  @Test func aSearchPathWithoutASchemaIsNoLockedStore() throws {
    let server = try #require(Database.server)
    let location = try StoreLocation(server + "?options=-csearch_path%3Dnowhere")
    let error = #expect(throws: StoreError.self) { try Store.open(location, run: Samples.run()) }
    #expect(error?.kind == .cannotOpen && error?.reason.contains("names no schema") == true)
  }

  @Test func aDatabaseOfAnotherEncodingIsRefusedAtTheStart() throws {
    let server = try #require(Database.server)
    let name = "l" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
    try Database.postgreSQL.execute(
      "CREATE DATABASE \(name) ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0", at: server)
    defer { try? Database.postgreSQL.execute("DROP DATABASE \(name)", at: server) }
    let slash = try #require(server.lastIndex(of: "/"))
    let location = try StoreLocation(server[...slash] + name)
    let error = #expect(throws: StoreError.self) { try Store.open(location, run: Samples.run()) }
    #expect(error?.reason.contains("LATIN1") == true && error?.advice.contains("UTF8") == true)
    #expect(throws: StoreError.self) { try Store.reader(location) }
  }

  @Test func whatAnotherProgramWroteInTheMeantimeIsADuplicate() throws {
    try Database.postgreSQL.withEmpty { text in
      let sink = try Store.open(try StoreLocation(text), run: Samples.run()).sink
      _ = try sink.write((1...4).map { Samples.notification($0) })
      try Database.postgreSQL.execute(
        """
        INSERT INTO notifications (place, notificationUUID, run, source, record, body)
        VALUES (1000, '\(Samples.uuid(2))', 0, 'x', 1, '{}')
        """, at: text)
      let outcome = try sink.flush()
      #expect(outcome.stored == 3 && outcome.duplicate == 1)
      try sink.finish(.finished, counts: RunCounts())
    }
  }

  @Test func manyBlocksAreWrittenTogetherAndEveryRecordIsToldOnce() throws {
    try Database.postgreSQL.withEmpty { text in
      let sink = try Store.open(try StoreLocation(text), run: Samples.run()).sink
      var outcome = StoreOutcome()
      for block in 0..<60 {
        let lines = (0..<100).map { Samples.notification((block * 100 + $0) % 5000) }
        outcome.add(try sink.write(lines, before: block * 100))
      }
      #expect(outcome.stored > 0)
      outcome.add(try sink.flush())
      #expect(outcome.stored == 5000 && outcome.duplicate == 1000)
      try sink.finish(.finished, counts: RunCounts())
      #expect(try Store.rows(try StoreLocation(text)).readAll().rows.count == 5000)
    }
  }

  @Test func aConnectionThatIsCutIsToldAsLostAndTheRunGoesOnLater() throws {
    try Database.postgreSQL.withEmpty { text in
      let location = try StoreLocation(text)
      do {
        let sink = try Store.open(location, run: Samples.run()).sink
        _ = try sink.write([Samples.notification(1)])
        _ = try sink.flush()
        try sink.commit(Array("{}".utf8), counts: RunCounts())
        _ = try sink.write([Samples.notification(2)], before: 1)
        try Database.postgreSQL.execute(
          """
          SELECT pg_terminate_backend(pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
          WHERE locktype = 'advisory' AND classid = 1397508432 AND objid = (hashtext(current_schema())::bigint & 4294967295)::oid
          """, at: text)
        let error = #expect(throws: StoreError.self) { try sink.flush() }
        #expect(error?.kind == .connectionLost && error?.isRetryable == true)
      }
      let (sink, checkpoint) = try Store.open(location, run: Samples.run(), resume: true)
      #expect(checkpoint == Array("{}".utf8))
      #expect(try sink.fill([Samples.notification(2)]).stored == 1)
      #expect(try Database.postgreSQL.query("SELECT place FROM notifications ORDER BY place", at: text) == ["1", "2"])
    }
  }

  @Test func aServerThatDoesNotLetUsInIsToldWithoutThePassword() throws {
    let server = try #require(Database.server)
    let at = try #require(server.firstIndex(of: "@"))
    let wrong = "postgresql://slipcast:wrongsecret" + server[at...]
    let error = #expect(throws: StoreError.self) { try Store.rows(try StoreLocation(wrong)) }
    #expect(error?.kind == .cannotOpen)
    #expect(error?.description.contains("wrongsecret") == false && error?.description.contains("password") == true)
    let nobody = #expect(throws: StoreError.self) {
      try Store.rows(try StoreLocation("postgresql://u:wrongsecret@127.0.0.1:1/d?table=t"))
    }
    #expect(nobody?.kind == .cannotOpen && nobody?.description.contains("wrongsecret") == false)
  }

  @Test func sourcesAreReadWithoutARightToWrite() throws {
    try Database.postgreSQL.withEmpty { text in
      try Database.postgreSQL.execute("CREATE TABLE v1 (body text)", at: text)
      let query = "query=INSERT INTO v1 VALUES ('x') RETURNING body"
      #expect(throws: StoreError.self) { try Store.rows(try StoreLocation(text.with(query))).readAll() }
      let function = """
        CREATE FUNCTION sneak() RETURNS text LANGUAGE sql AS $$ INSERT INTO v1 VALUES ('x') RETURNING body $$
        """
      try Database.postgreSQL.execute(function, at: text)
      let error = #expect(throws: StoreError.self) {
        try Store.rows(try StoreLocation(text.with("query=SELECT sneak() AS body"))).readAll()
      }
      #expect(error?.kind == .readOnly && error?.sqlState == "25006")
    }
  }
}
