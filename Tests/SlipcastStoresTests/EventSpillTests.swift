import SlipcastTestSupport
import Testing

@testable import SlipcastBulk
@testable import SlipcastStores
@_spi(Slipcast) @testable import SlipcastWire

/// Events that are sorted without a database come back as those of a database.
@Suite struct EventSpillTests {
  struct Row: Hashable {
    var number: Int
    var original: String?
    var environment: String?
    var bundle: String?
    var time: Int64?
    var received: Int64?

    var line: String {
      func member(_ name: String, _ value: String?) -> String { value.map { "\"\(name)\":\"\($0)\"," } ?? "" }
      let transaction = original.map { "\"transactionInfo\":{\"originalTransactionId\":\"\($0)\"}" } ?? "\"status\":1"
      return "{\"notificationType\":\"DID_RENEW\",\"notificationUUID\":\"\(Samples.uuid(number))\",\"data\":{"
        + member("environment", environment) + member("bundleId", bundle) + transaction + "}}"
    }

    init(_ random: inout SeededGenerator, _ number: Int) {
      self.number = number
      original = random.one(of: [
        nil, "1", "10", "2", "1000000000000001", "1000000000000002", "a\\u0000", "a\\u0000b", "a", "ä",
      ])
      environment = random.one(of: [nil, "Production", "Sandbox", ""])
      bundle = random.one(of: [nil, "com.example.a", "com.example.ab"])
      time = random.one(of: [nil, -5, 0, 7, 1_600_000_000_000])
      received = random.one(of: [nil, -1, 3, 1_600_000_000_001])
    }
  }

  private func write(_ rows: [Row], to sink: any StoreSink) throws -> StoreOutcome {
    var index = 0
    var outcome = try sink.write(rows.map(\.line)) { note in
      (note.eventTime, note.receivedAt) = (rows[index].time, rows[index].received)
      note.notification_type = index % 3 == 0 ? nil : "RENEWAL"
      index += 1
    }
    outcome.add(try sink.flush())
    return outcome
  }

  /// In memory, in a few runs, and in runs of runs.
  @Test(arguments: [(1 << 30, 64), (5000, 64), (1500, 3)])
  func theOrderIsThatOfADatabase(_ memory: Int, _ runsOfLevel: Int) throws {
    var random = SeededGenerator(seed: 5)
    let rows = (0..<700).map { Row(&random, $0) }
    let spill = EventSpill(in: SortedSpill(memory: memory, runsOfLevel: runsOfLevel))
    let outcome = try write(rows, to: EventSink(spill: spill))
    #expect(outcome.stored == rows.count && outcome.refused.isEmpty && spill.count == rows.count)
    try Database.sqlite.withEmpty { text in
      let location = try StoreLocation(text)
      let sink = try Store.open(location, run: Samples.run()).sink
      _ = try write(rows, to: sink)
      try sink.finish(.finished, counts: RunCounts())
      for id in [nil, "1", "a\u{0}", "a\u{0}b", "none"] as [String?] {
        var (stored, sorted): ([StoredEvent], [StoredEvent]) = ([], [])
        try Store.forEachEvent(location, originalTransactionId: id) { stored.append($0) }
        try spill.forEachEvent(originalTransactionId: id) { sorted.append($0) }
        #expect(stored.count == rows.count || id != nil)
        #expect(sorted.map(\.place) == stored.map(\.place), "\(id ?? "all")")
        #expect(sorted.map(\.body) == stored.map(\.body))
        #expect(sorted.map(\.subscription) == stored.map(\.subscription))
        #expect(sorted.map(\.notification_type) == stored.map(\.notification_type))
        #expect(sorted.map(\.eventTime) == stored.map(\.eventTime))
        #expect(sorted.map(\.receivedAt) == stored.map(\.receivedAt))
      }
    }
  }

  @Test func ofDeliveriesOfOneEventTheFirstReceivedCounts() throws {
    let spill = EventSpill()
    let sink = EventSink(spill: spill)
    for (received, content) in [(30, 1), (10, 1), (20, 2)] as [(Int64, Int64)] {
      _ = try sink.write([Samples.notification(1)]) { ($0.receivedAt, $0.content) = (received, content) }
    }
    _ = try sink.write([Samples.notification(2)]) { $0.origin = .v2 }
    #expect(spill.repeated == nil)
    var found: [Int64?] = []
    try spill.forEachEvent { found.append($0.receivedAt) }
    #expect(found == [10, nil])
    #expect(spill.repeated?.duplicate == 2 && spill.repeated?.differing == 1)
    #expect(spill.choose(StoreSideRule(preferred: .v1)).leftOut == 1)
    var sides: [Int] = []
    for side in StoreSide.allCases {
      var count = 0
      try spill.forEachEvent(of: side) { _ in count += 1 }
      sides.append(count)
    }
    #expect(sides == [1, 1, 2])
  }

  /// The id that the order of an archive decides is that of the line, and of the event.
  @Test func anEventGetsTheIdThatIsDecidedLater() throws {
    let spill = EventSpill()
    let sink = EventSink(spill: spill)
    let encoder = sink.makeEncoder()
    encoder.begin()
    for record in 1...2 {
      var note = RecordNote()
      note.record = record
      _ = try encoder.encode(Samples.notification(1), note)
    }
    let id = try #require(KnownIDs.ID(uuid: Samples.uuid(77)))
    encoder.rename(record: 2, to: id)
    _ = try sink.write(encoder, before: 0)
    var lines: [String] = []
    try spill.forEachEvent { lines.append(String(decoding: $0.body, as: UTF8.self)) }
    let line = Samples.notification(1)
    #expect(lines == [line, line.replacing(Samples.uuid(1), with: Samples.uuid(77))])
    #expect(spill.repeated?.duplicate == 0)
  }
}
