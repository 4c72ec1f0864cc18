import SlipcastTestSupport
import Testing

@testable import SlipcastBulk
@testable import SlipcastMapping
@testable import SlipcastStores

/// What a live run keeps of lists, message by message.
@Suite struct LiveListsTests {
  private static let live: RunDescription = {
    var run = Samples.run()
    run.isLive = true
    return run
  }()

  /// A period of a subscription: its number, end and latest told end.
  private static func period(
    _ number: Int64, ends: Int64, told: Int64? = nil, of subscription: Int64 = 5, _ name: String = "1000000000000001"
  ) -> KeptPeriod {
    KeptPeriod(
      subscription: subscription, originalTransactionId: name, run: 0, messages: 1,
      numbers: [number, 7, number * 1000, ends, nil, nil, told, nil, 0, 2])
  }

  private static let rows =
    "SELECT subscription || ':' || period || ':' || expiresDate || ':' || coalesce(toldExpiresDate, 0) || ':' || messages"
    + " FROM listed_periods ORDER BY subscription, period"

  @Test(arguments: Database.present)
  func periodsOfFurtherMessagesAreUnitedWithThoseThatAreKept(_ database: Database) throws {
    try database.withEmpty { text in
      let location = try StoreLocation(text)
      let sink = try Store.open(location, run: Self.live).sink
      try sink.unite(listed: [Self.period(1, ends: 2000), Self.period(2, ends: 3000)])
      try sink.commit([], counts: RunCounts())
      try sink.unite(listed: [
        Self.period(2, ends: 3500, told: 3500), Self.period(3, ends: 4000), Self.period(1, ends: 9, of: 6, "2"),
      ])
      // Nothing new but another message.
      try sink.unite(listed: [Self.period(3, ends: 4000)])
      try sink.commit([], counts: RunCounts())
      #expect(
        try database.query(Self.rows, at: text) == ["5:1:2000:0:3", "5:2:3500:3500:2", "5:3:4000:0:2", "6:1:9:0:1"])
      #expect(try database.query("SELECT listedPeriods FROM runs", at: text) == ["4"])
      #expect(
        try database.query("SELECT originalTransactionId FROM unjudged ORDER BY 1", at: text)
          == ["1000000000000001", "2"])
      #expect(try Store.reader(location)?.lacksLists() == false)
    }
  }

  @Test(arguments: Database.present)
  func aLiveRunThatGoesOnKeepsItsPeriods(_ database: Database) throws {
    try database.withEmpty { text in
      let location = try StoreLocation(text)
      let first = try Store.open(location, run: Self.live).sink
      try first.unite(listed: [Self.period(1, ends: 2000)])
      try first.commit([1], counts: RunCounts())
      try first.finish(.interrupted, counts: RunCounts())
      let next = try Store.open(location, run: Self.live, resume: true).sink
      try next.unite(listed: [Self.period(1, ends: 2500)])
      try next.commit([2], counts: RunCounts())
      #expect(try database.query(Self.rows, at: text) == ["5:1:2500:0:2"])
    }
  }

  /// An update that ends early changes nothing; the next one writes all rows.
  @Test(arguments: Database.present)
  func anUpdateOfStatesIsWholeOrNothing(_ database: Database) throws {
    try database.withEmpty { text in
      let sink = try Store.open(try StoreLocation(text), run: Self.live).sink
      let states = try #require(sink as? any LiveStates)
      _ = try sink.write([Samples.notification(1), Samples.notification(2, subscription: "2")])
      _ = try sink.flush()
      try sink.commit([], counts: RunCounts())
      func fill(_ states: StoreStates, ends: Bool) throws -> Bool {
        var count = 0
        try states.forEachEvent { event in
          count += 1
          try states.write(
            StoreStates.columns.map { name in
              switch name {
              case "originalTransactionId": event.originalTransactionId
              case "validFrom": "\(count)"
              case "access", "reason", "confidence": "unknown"
              case "evidence": "[]"
              default: nil
              }
            })
        }
        return ends
      }
      let ids = "SELECT originalTransactionId FROM states ORDER BY 1"
      try states.updateStates { try fill($0, ends: false) }
      #expect(try database.query(ids, at: text).isEmpty)
      try states.updateStates { try fill($0, ends: true) }
      #expect(try database.query(ids, at: text) == ["1000000000000001", "2"])
      #expect(try database.query("SELECT judged FROM runs", at: text) == ["2"])
      try states.updateStates { _ in
        Issue.record("nothing is new")
        return true
      }
      // Only the subscription of a new record, and those of which lists show something new, are read again.
      _ = try sink.write([Samples.notification(3, subscription: "3")], before: 2)
      try sink.unite(listed: [Self.period(1, ends: 9, of: 6, "2")])
      _ = try sink.flush()
      try sink.commit([], counts: RunCounts())
      var seen: [String?] = []
      try states.updateStates { states in
        try states.forEachEvent { seen.append($0.originalTransactionId) }
        return try fill(states, ends: true)
      }
      #expect(seen == ["2", "3"])
      #expect(try database.query(ids, at: text) == ["1000000000000001", "2", "3"])
      #expect(try database.query("SELECT count(*) FROM unjudged", at: text) == ["0"])
    }
  }
}
