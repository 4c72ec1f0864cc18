import Testing

@testable import SlipcastBulk
@testable import SlipcastStores

@Suite struct EventTests {
  private func fill(_ text: String) throws -> StoreLocation {
    let location = try StoreLocation(text)
    let lines = [
      Samples.notification(1, subscription: "20"), Samples.notification(2, subscription: "10"),
      Samples.notification(3, subscription: "20"), Samples.ambiguous(4), Samples.notification(5, subscription: "10"),
    ]
    let times: [Int64?] = [30, 20, 10, 5, 20]
    _ = try Store.open(location, run: Samples.run()).sink.fill(lines) { note in
      note.eventTime = times[note.record - 1]
      note.receivedAt = Int64(100 - note.record)
      note.notification_type = "RENEWAL"
    }
    return location
  }

  @Test(arguments: Database.present)
  func eventsComeSubscriptionBySubscriptionInTheOrderOfTime(_ database: Database) throws {
    try database.withEmpty { text in
      var events: [StoredEvent] = []
      try Store.forEachEvent(try fill(text)) { events.append($0) }
      // At the same time, what was received first comes first.
      #expect(events.map(\.place) == [5, 2, 3, 1, 4])
      #expect(events.map(\.originalTransactionId) == ["10", "10", "20", "20", nil])
      #expect(events[0].notification_type == "RENEWAL" && events[0].eventTime == 20 && events[0].receivedAt == 95)
      #expect(String(decoding: events[3].body, as: UTF8.self) == Samples.notification(1, subscription: "20"))
    }
  }

  @Test(arguments: Database.present)
  func oneSubscriptionMayBeAskedForAlone(_ database: Database) throws {
    try database.withEmpty { text in
      var places: [Int64] = []
      try Store.forEachEvent(try fill(text), originalTransactionId: "20") { places.append($0.place) }
      #expect(places == [3, 1])
    }
  }

  /// A repetition may come first, in an archive that is not in order: in one batch, or in another run.
  @Test(arguments: Database.present, [false, true])
  func anEventIsDatedByItsFirstDelivery(_ database: Database, _ isOneBatch: Bool) throws {
    try database.withEmpty { text in
      let location = try StoreLocation(text)
      let line = Samples.notification(1)
      for times in isOneBatch ? [[300, 200, 400]] : [[300], [200], [400]] as [[Int64]] {
        let run = Samples.run(times.description)
        let outcome = try Store.open(location, run: run).sink.fill(times.map { _ in line }) { note in
          note.receivedAt = times[note.record - 1]
        }
        #expect(outcome.stored + outcome.duplicate == times.count)
      }
      var events: [StoredEvent] = []
      try Store.forEachEvent(location) { events.append($0) }
      #expect(events.map(\.receivedAt) == [200])
    }
  }
}
