import Foundation
import SlipcastMapping
import Testing

@testable import SlipcastBulk
@testable import SlipcastStores

@Suite struct StoreTests {
  @Test(arguments: Database.present)
  func aStoreGivesBackEveryLineByteForByteInItsOrder(_ database: Database) throws {
    try database.withEmpty { text in
      let location = try StoreLocation(text)
      let lines = (1...3).map { Samples.notification($0) } + [Samples.history, Samples.statuses, Samples.ambiguous(9)]
      let outcome = try Store.open(location, run: Samples.run()).sink.fill(lines)
      #expect(outcome.stored == 6)
      let page = try Store.rows(location).readAll()
      #expect(page.rows.indices.map { page.body($0) } == lines)
      let feed = try Store.rows(location)
      _ = try feed.readAll()
      try feed.rewind()
      let again = try feed.readAll()
      #expect(again.rows.indices.map { again.body($0) } == lines)
    }
  }

  @Test(arguments: Database.present)
  func whatStandsBesideARecordComesBackWithIt(_ database: Database) throws {
    try database.withEmpty { text in
      let location = try StoreLocation(text)
      _ = try Store.open(location, run: Samples.run()).sink.fill([Samples.notification(1), Samples.history]) { note in
        (note.id, note.notification_type) = ("row \(note.record)", note.record == 1 ? "RENEWAL" : nil)
        (note.eventTime, note.receivedAt) = (1_500_000_000_001, 1_500_000_000_002)
        note.findings = [Samples.remark]
      }
      let feed = try Store.rows(location)
      #expect(feed.holdsConverted)
      let page = try feed.readAll()
      let note = try #require(page.rows[0].note)
      #expect(note.source == "archive.ndjson" && note.record == 1 && note.id == "row 1")
      #expect(note.notification_type == "RENEWAL" && page.rows[1].note?.notification_type == nil)
      #expect(note.eventTime == 1_500_000_000_001 && note.receivedAt == 1_500_000_000_002)
      #expect(note.findings == [Samples.remark] && page.rows[1].note?.findings == [Samples.remark])
      #expect(feed.position == "2")
    }
  }

  @Test(arguments: Database.present)
  func aFindingWithControlCharactersInItsPathComesBackWithoutThem(_ database: Database) throws {
    try database.withEmpty { text in
      let location = try StoreLocation(text)
      _ = try Store.open(location, run: Samples.run()).sink.fill([Samples.notification(1)]) { note in
        note.findings = [Samples.remark, Samples.remark]
        note.findings[1].code = "other"
        note.findings[1].path = "a\u{1E}b\u{1F}c\0"
      }
      let findings = try Store.rows(location).readAll().rows[0].note?.findings.sorted { $0.code < $1.code }
      #expect(findings?.map(\.path) == [Samples.remark.path, "a\u{FFFD}b\u{FFFD}c\u{FFFD}"])
    }
  }

  @Test(arguments: Database.present)
  func aStoreIsReadOnFromAPlace(_ database: Database) throws {
    try database.withEmpty { text in
      let location = try StoreLocation(text)
      _ = try Store.open(location, run: Samples.run()).sink.fill((1...5).map { Samples.notification($0) })
      let feed = try Store.rows(location)
      try feed.resume(at: "3")
      let page = try feed.readAll()
      #expect(page.rows.count == 2 && page.body(0) == Samples.notification(4))
    }
  }

  @Test(arguments: Database.present)
  func aRecordThatIsThereAlreadyIsCountedAsADuplicateAndItsPartsAreLeftOut(_ database: Database) throws {
    try database.withEmpty { text in
      let location = try StoreLocation(text)
      let lines = [Samples.notification(1), Samples.notification(1), Samples.history, Samples.history]
      let first = try Store.open(location, run: Samples.run()).sink.fill(lines)
      #expect(first.stored == 2 && first.duplicate == 2)
      let second = try Store.open(location, run: Samples.run()).sink.fill(lines + [Samples.notification(2)])
      #expect(second.stored == 1 && second.duplicate == 4)
      #expect(try database.query("SELECT count(*) FROM transactions", at: text) == ["4"])
      // The second run began behind place 3, and its last record was its fifth.
      #expect(try database.query("SELECT place FROM notifications ORDER BY place", at: text) == ["1", "8"])
    }
  }

  @Test(arguments: Database.present)
  func columnsHoldWhatTheLineSays(_ database: Database) throws {
    try database.withEmpty { text in
      _ = try Store.open(try StoreLocation(text), run: Samples.run()).sink.fill([
        Samples.notification(7, subscription: "100\\u0030"), Samples.statuses, Samples.ambiguous(8),
      ])
      func one(_ sql: String) throws -> String? { try database.query(sql, at: text).first ?? nil }
      #expect(try one("SELECT originalTransactionId FROM notifications WHERE place = 1") == "1000")
      #expect(try one("SELECT price FROM transactions WHERE place = 1") == "4990")
      #expect(try one("SELECT count(*) FROM transactions WHERE isUpgraded = TRUE") == "1")
      #expect(try one("SELECT count(*) FROM renewal_infos WHERE isInBillingRetryPeriod = FALSE") == "1")
      #expect(try one("SELECT status FROM renewal_infos WHERE place = 2 AND item = 1") == "2")
      #expect(try one("SELECT transactionId FROM transactions WHERE place = 2 AND item = 2") == "21")
      #expect(try one("SELECT kind FROM answers") == "statuses")
      #expect(try one("SELECT absorbedInto FROM notifications WHERE place = 3") == "DID_CHANGE_RENEWAL_PREF/UPGRADE")
      #expect(try database.query("SELECT needs FROM candidates ORDER BY item", at: text) == ["the time", "the owner"])
      #expect(try one("SELECT subtype FROM candidates WHERE item = 2") == "X")
      #expect(try one("SELECT confidence FROM notifications WHERE place = 3") == "ambiguous")
    }
  }

  @Test(arguments: Database.present)
  func aNumberThatNoColumnHoldsRefusesItsRecordAlone(_ database: Database) throws {
    try database.withEmpty { text in
      let broken = Samples.notification(2, extra: ",\"revocationDate\":99999999999999999999")
      let outcome = try Store.open(try StoreLocation(text), run: Samples.run()).sink.fill([
        Samples.notification(1), broken, Samples.notification(3),
      ])
      #expect(outcome.stored == 2)
      #expect(outcome.refused.map(\.record) == [2] && outcome.refused.first?.source == "archive.ndjson")
      #expect(outcome.refused.first?.message.contains("transactions.revocationDate") == true)
      #expect(try database.query("SELECT transactionId FROM notifications ORDER BY place", at: text) == ["1", "3"])
    }
  }

  @Test(arguments: Database.present)
  func rejectsAreKeptWithTheirInputAndBase64WhereItIsNoText(_ database: Database) throws {
    try database.withEmpty { text in
      let sink = try Store.open(try StoreLocation(text), run: Samples.run()).sink
      try sink.write(reject: Samples.reject(1))
      try sink.write(reject: Samples.reject(2, input: [0xFF, 0], message: "a\0b"))
      try sink.write(reject: Samples.reject(3, omitted: "encoded"))
      _ = try sink.flush()
      try sink.finish(.finished, counts: RunCounts())
      #expect(try database.query("SELECT input FROM rejects ORDER BY record", at: text) == ["{", nil, nil])
      #expect(try database.query("SELECT inputBase64 FROM rejects ORDER BY record", at: text) == [nil, "/wA=", nil])
      #expect(
        try database.query("SELECT inputOmitted FROM rejects ORDER BY record", at: text) == [nil, nil, "encoded"])
      #expect(
        try database.query("SELECT message FROM rejects ORDER BY record", at: text)
          == ["broken", "a\u{FFFD}b", "broken"])
    }
  }

  @Test(arguments: Database.present)
  func theRowOfARunTellsItsCountsAndItsEnd(_ database: Database) throws {
    try database.withEmpty { text in
      let sink = try Store.open(try StoreLocation(text), run: Samples.run()).sink
      _ = try sink.write([Samples.notification(1)])
      var counts = RunCounts()
      (counts.read, counts.converted, counts.rejected, counts.bytes) = (12, 10, 2, 1234)
      _ = try sink.flush()
      try sink.finish(.tooManyRejects, counts: counts)
      let row = "state || ' ' || read || ' ' || converted || ' ' || rejected || ' ' || bytes || ' ' || stored"
      #expect(try database.query("SELECT \(row) FROM runs", at: text) == ["tooManyRejects 12 10 2 1234 1"])
    }
  }

  @Test(arguments: Database.present)
  func twoRunsExcludeEachOther(_ database: Database) throws {
    try database.withEmpty { text in
      let location = try StoreLocation(text)
      let first = try Store.open(location, run: Samples.run())
      let error = #expect(throws: StoreError.self) { try Store.open(location, run: Samples.run()) }
      #expect(error?.kind == .locked)
      try first.sink.finish(.finished, counts: RunCounts())
      #expect(throws: Never.self) { try Store.open(location, run: Samples.run()) }
    }
  }

  @Test(arguments: Database.present)
  func whatWasNotCommittedIsNotThere(_ database: Database) throws {
    try database.withEmpty { text in
      do {
        let sink = try Store.open(try StoreLocation(text), run: Samples.run()).sink
        _ = try sink.write([Samples.notification(1)])
        _ = try sink.flush()
        try sink.commit(Array("{}".utf8), counts: RunCounts())
        _ = try sink.write([Samples.notification(2)], before: 1)
        _ = try sink.flush()
      }
      #expect(try database.query("SELECT count(*) FROM notifications", at: text) == ["1"])
    }
  }

  @Test(arguments: Database.present)
  func aLookTellsWhatIsThereWithoutMakingAStore(_ database: Database) throws {
    try database.withEmpty { text in
      let location = try StoreLocation(text)
      #expect(try Store.reader(location) == nil)
      _ = try Store.open(location, run: Samples.run()).sink.fill([Samples.notification(1), Samples.history])
      let reader = try #require(try Store.reader(location))
      #expect(reader.version == SchemaVersion.all.count)
      #expect(try reader.counts() == StoreCounts(notifications: 1, answers: 1, rejects: 0))
      #expect(try database.query("SELECT notificationUUID FROM notifications", at: text) == [Samples.uuid(1)])
    }
  }
}
