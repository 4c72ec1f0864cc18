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
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try use(folder.appendingPathComponent("history.sqlite").path)
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
