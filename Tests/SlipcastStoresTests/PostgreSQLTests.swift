import Foundation
import Testing

@testable import SlipcastBulk
@testable import SlipcastStores

@Suite(.enabled(if: Database.hasServer, "SLIPCAST_POSTGRES is not set: see Tests/end-to-end/postgresql.py"))
struct PostgreSQLTests {
  @Test func aTextThatPostgreSQLCannotHoldRefusesItsRecordAndTheOthersLand() throws {
    try Database.postgreSQL.withEmpty { text in
      let lines = (1...40).map { number in
        number == 7 || number == 40
          ? Samples.notification(number, subscription: "a\\u0000secret") : Samples.notification(number)
      }
      let outcome = try Store.open(try StoreLocation(text), run: Samples.run()).sink.fill(lines)
      #expect(outcome.stored == 38)
      #expect(outcome.refused.map(\.record) == [7, 40])
      #expect(outcome.refused.map { String(decoding: $0.line, as: UTF8.self) } == [lines[6], lines[39]])
      #expect(outcome.refused.allSatisfy { $0.message.contains("22021") && !$0.message.contains("secret") })
      #expect(try Database.postgreSQL.query("SELECT count(*) FROM notifications", at: text) == ["38"])
      #expect(try Database.postgreSQL.query("SELECT count(*) FROM transactions", at: text) == ["38"])
      let stored = try Database.postgreSQL.query("SELECT stored FROM runs", at: text)
      #expect(stored == ["38"])
    }
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
