import Foundation
import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import Testing

@testable import SlipcastStores

/// What the server keeps of earlier events, to settle later ones.
@Suite struct HistoryStoreTests {
  private func message(_ number: Int64) -> HistoryMessage {
    HistoryMessage(witness: Settlement.Witness(source: 0, record: Int(number)))
  }

  private func withFolder(_ use: (String) throws -> Void) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try use(folder.path("history.sqlite"))
  }

  /// Events 1 to 4 of the subscriptions 10 and 20; 3 and 4 are questions.
  private func fill(_ store: HistoryStore) throws {
    try store.add([(10, message(1))], of: 1, question: nil)
    try store.add([(20, message(2)), (10, message(2))], of: 2, question: nil)
    try store.add([(10, message(3)), (20, message(3))], of: 3, question: 10)
    try store.commit(through: 3)
    try store.add([(20, message(4))], of: 4, question: 20)
    try store.commit(through: 4)
  }

  private func records(_ store: HistoryStore, _ number: Int64, from first: Int64 = 1, limit: Int = 100) throws -> [Int]?
  {
    try store.question(of: number).map {
      try store.messages(for: $0, from: first, atMost: limit).map(\.witness.record)
    }
  }

  @Test func aQuestionHasTheEarlierMessagesOfItsSubscription() throws {
    try withFolder { path in
      let store = try HistoryStore(path, fingerprint: "a", events: 1..<5)
      try fill(store)
      #expect(try records(store, 1) == nil && records(store, 2) == nil)
      #expect(try records(store, 3) == [1, 2, 3])
      #expect(try records(store, 4) == [2, 3, 4])
      #expect(try records(store, 3, from: 2) == [2, 3])
      #expect(try records(store, 3, limit: 2) == [1, 2])
    }
  }

  @Test func whatWasNotCommittedIsForgotten() throws {
    try withFolder { path in
      do {
        let store = try HistoryStore(path, fingerprint: "a", events: 1..<6)
        try fill(store)
        try store.add([(20, message(5))], of: 5, question: 20)
      }
      let store = try HistoryStore(path, fingerprint: "a", events: 1..<6)
      #expect(store.position == 4)
      #expect(try records(store, 5) == nil)
      #expect(try records(store, 4) == [2, 3, 4])
    }
  }

  @Test(arguments: [("b", 1..<5), ("a", 1..<4), ("a", 6..<9)] as [(String, Range<Int64>)])
  func aStoreThatDoesNotFitTheJournalIsFilledAgain(_ fingerprint: String, _ events: Range<Int64>) throws {
    try withFolder { path in
      try fill(try HistoryStore(path, fingerprint: "a", events: 1..<5))
      let store = try HistoryStore(path, fingerprint: fingerprint, events: events)
      #expect(store.position == events.lowerBound - 1)
      #expect(try records(store, 4) == nil)
    }
  }

  @Test func aDamagedStoreIsMadeAgain() throws {
    try withFolder { path in
      try Data(repeating: 0x41, count: 10_000).write(to: URL(fileURLWithPath: path))
      let store = try HistoryStore(path, fingerprint: "a", events: 1..<5)
      try fill(store)
      #expect(try records(store, 3) == [1, 2, 3])
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  /// What the store knows, by event; `nil` for one that is filled again.
  private func content(_ path: String) throws -> [[Int]?]? {
    let store = try HistoryStore(path, fingerprint: "a", events: 1..<5)
    return store.position == 0 ? nil : try (1...4).map { try records(store, $0) }
  }

  private static let whole: [[Int]?] = [nil, nil, [1, 2, 3], [2, 3, 4]]

  private func sql(_ path: String, _ statements: String) throws {
    try SQLiteDatabase(path: path, name: path, .readWrite).execute(statements)
  }

  /// Nothing of a store that was changed is believed.
  @Test(arguments: [
    "UPDATE state SET position = 3", "UPDATE state SET position = 2", "UPDATE state SET seal = ''",
    "DELETE FROM state", "INSERT INTO state SELECT * FROM state", "DROP TABLE state",
    "DELETE FROM message WHERE place = 128", "DELETE FROM message",
    "UPDATE message SET subscription = 20 WHERE place = 128",
    "UPDATE message SET place = place + 1 WHERE place = 512", "UPDATE message SET body = x'00' WHERE place = 128",
    "UPDATE message SET body = (SELECT body FROM message WHERE place = 256) WHERE place = 128",
    "INSERT INTO message SELECT place + 1, subscription, body FROM message WHERE place = 512", "DROP TABLE message",
    "DELETE FROM question WHERE number = 3", "UPDATE question SET subscription = 10 WHERE number = 4",
    "INSERT INTO question VALUES (2, 10)", "DROP TABLE question", "ALTER TABLE message DROP COLUMN subscription",
    "ALTER TABLE question RENAME COLUMN number TO no",
  ])
  func aStoreThatWasChangedIsMadeAgain(_ statement: String) throws {
    try withFolder { path in
      try fill(try HistoryStore(path, fingerprint: "a", events: 1..<5))
      #expect(try content(path) == Self.whole)
      // An index would keep the column from being dropped.
      let prefix = statement.contains("COLUMN sub") ? "DROP INDEX message_subscription; " : ""
      try sql(path, prefix + statement)
      #expect(try content(path) == nil)
      try fill(try HistoryStore(path, fingerprint: "a", events: 1..<5))
      #expect(try content(path) == Self.whole)
    }
  }

  /// A bit that is wrong, or an end that is missing, is noticed, or changes nothing.
  @Test func noDamageGivesAnotherHistory() throws {
    try withFolder { path in
      try fill(try HistoryStore(path, fingerprint: "a", events: 1..<5))
      let text = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      var remade = 0
      func check(_ damaged: [UInt8], _ what: String) throws {
        HistoryStore.remove(path)
        try Data(damaged).write(to: URL(fileURLWithPath: path))
        // A byte of the mark of its maker makes it the database of another program.
        guard let found = try? content(path) else {
          remade += 1
          return
        }
        #expect(found == Self.whole, "\(what)")
      }
      for place in stride(from: 0, to: text.count, by: 23) {
        for bit in [UInt8(1), 64] {
          var damaged = text
          damaged[place] ^= bit
          try check(damaged, "byte \(place)")
        }
      }
      for count in stride(from: 0, to: text.count, by: 257) { try check(Array(text[..<count]), "\(count) bytes") }
      #expect(remade > 100)
    }
  }

  @Test(arguments: ["PRAGMA application_id = 7; CREATE TABLE message (a)", "CREATE TABLE state (a)"])
  func theDatabaseOfAnotherProgramIsLeftAlone(_ statements: String) throws {
    try withFolder { path in
      try Data().write(to: URL(fileURLWithPath: path))
      try sql(path, statements)
      let before = try Data(contentsOf: URL(fileURLWithPath: path))
      let error = try #require(throws: StoreError.self) { _ = try HistoryStore(path, fingerprint: "a", events: 1..<5) }
      #expect(error.description.contains("another program made this database; move it to another folder"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
  }

  @Test func removedEventsStayRemoved() throws {
    try withFolder { path in
      do {
        let store = try HistoryStore(path, fingerprint: "a", events: 1..<5)
        try fill(store)
        try store.remove(before: 3)
        try store.add([(20, message(5))], of: 5, question: 20)
        try store.commit(through: 5)
      }
      let store = try HistoryStore(path, fingerprint: "a", events: 3..<6)
      #expect(store.position == 5 && !store.isRemade)
      #expect(try records(store, 5) == [3, 4, 5])
    }
  }

  @Test func removedEventsSettleNothing() throws {
    try withFolder { path in
      let store = try HistoryStore(path, fingerprint: "a", events: 1..<5)
      try fill(store)
      try store.remove(before: 3)
      #expect(try records(store, 4) == [3, 4])
      #expect(store.position == 4)
    }
  }
}
