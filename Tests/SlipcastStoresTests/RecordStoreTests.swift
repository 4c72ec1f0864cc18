import Foundation
import SlipcastBulk
import SlipcastMapping
import SlipcastStores
import SlipcastTestSupport
import Testing

/// A store as another program uses it: what is public, and nothing else.
@Suite struct RecordStoreTests {
  private static let archive = [InputFile(path: Folder.package("Fixtures/archives/subscription/v1.ndjson"))]

  private func options() throws -> ConvertOptions {
    var options = ConvertOptions()
    options.body = JSONPointer("/body")
    options.receivedAt = JSONPointer("/received_at")
    return options
  }

  @Test func recordsGoIntoAStoreOnceHoweverOftenTheyAreConverted() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let store = try RecordStore(StoreLocation(folder.path + "/shop.sqlite"))
    #expect(try store.counts() == nil, "naming a store makes none")
    let rules = BuiltIn.rules

    let (end, first) = try await store.convert(Self.archive, rules: rules, options: options())
    #expect(end == .finished && first.converted > 0 && first.rejected == 0)
    #expect(first.read == first.converted + first.duplicate)
    let (_, second) = try await store.convert(Self.archive, rules: rules, options: options())
    #expect(second.converted == 0 && second.duplicate == second.read)
    #expect(try store.counts()?.notifications == first.converted)

    var events: [StoredEvent] = []
    try store.forEachNotification { events.append($0) }
    #expect(events.count == first.converted)
    let subscription = try #require(events.compactMap(\.originalTransactionId).first)
    var ofOne: [StoredEvent] = []
    try store.forEachNotification(of: subscription) { ofOne.append($0) }
    #expect(ofOne.count == events.filter { $0.originalTransactionId == subscription }.count)
    #expect(ofOne.allSatisfy { String(decoding: $0.body, as: UTF8.self).hasPrefix("{\"notificationType\":") })

    let copy = try RecordStore(StoreLocation(folder.path + "/copy.sqlite"))
    let (_, copied) = try await copy.convert(rowsOf: store.location, rules: rules)
    #expect(copied.converted == first.converted)
  }

  @Test func aPlannedRunToAStoreResumesAndEndsOnce() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let location = try StoreLocation(folder.path + "/shop.sqlite")
    let (rules, options) = (BuiltIn.rules, try options())
    func plan(resumes: Bool, words: [String] = []) throws -> RunPlan {
      var settings = RunPlan.Settings()
      (settings.resumes, settings.commitBytes) = (resumes, 0)
      return try RunPlan(
        Self.archive, to: .store(location), rules: rules, options: options, settings: settings, words: words)
    }
    let first = try await plan(resumes: false).run { _ in false }
    #expect(first.end == .interrupted)
    await #expect(throws: StoreError.self) { try await plan(resumes: true, words: ["other"]).run() }
    let rest = try await plan(resumes: true).run()
    #expect(rest.end == .finished && !rest.wasFinished)
    #expect(try RecordStore(location).counts()?.notifications == rest.counts.converted)
    let again = try await plan(resumes: true).run()
    #expect(again.wasFinished && again.counts == rest.counts)

    var plain = options
    plain.isPlain = true
    #expect(throws: RunPlanError.plainStore(location.description)) {
      try RunPlan(Self.archive, to: .store(location), rules: rules, options: plain)
    }
    var settings = RunPlan.Settings()
    settings.checkpoint = folder.path + "/run.checkpoint"
    #expect(throws: RunPlanError.checkpointOfStore) {
      try RunPlan(Self.archive, to: .store(location), rules: rules, options: options, settings: settings)
    }
  }

  @Test func whatIsRejectedIsHandedOutAndKept() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try Data("{}\n[]\n".utf8).write(to: URL(fileURLWithPath: folder.path + "/broken.ndjson"))
    let store = try RecordStore(StoreLocation(folder.path + "/shop.sqlite"))
    var rejects: [Int] = []
    let (_, counts) = try await store.convert(
      [InputFile(path: folder.path + "/broken.ndjson")], rules: BuiltIn.rules, onReject: { rejects.append($0.record) })
    #expect(counts.rejected == 2 && rejects == [1, 2])
    #expect(try store.counts() == StoreCounts(notifications: 0, answers: 0, rejects: 2))
  }

  @Test func rowsOfAnotherProgramAreNoStore() throws {
    let rows = try StoreLocation("sqlite:shop.db?table=v1")
    #expect { try RecordStore(rows) } throws: { ($0 as? StoreError)?.kind == .badLocation }
  }
}
