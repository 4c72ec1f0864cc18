import Foundation
import Testing

@testable import SlipcastBulk
@testable import SlipcastStores

@Suite struct ResumeTests {
  /// Writes two records, commits, writes a third and goes away.
  private func interrupt(_ location: StoreLocation, checkpoint: [UInt8] = Array("{\"block\":1}".utf8)) throws {
    let sink = try Store.open(location, run: Samples.run()).sink
    _ = try sink.write([Samples.notification(1), Samples.history])
    try sink.write(reject: Samples.reject(3))
    _ = try sink.flush()
    try sink.commit(checkpoint, counts: RunCounts())
    _ = try sink.write([Samples.notification(2)], before: 3)
    _ = try sink.flush()
  }

  @Test(arguments: Database.present)
  func anInterruptedRunGoesOnBehindItsCheckpointAndEndsLikeAnUninterruptedOne(_ database: Database) throws {
    try database.withEmpty { text in
      let location = try StoreLocation(text)
      try interrupt(location)
      let (sink, checkpoint) = try Store.open(location, run: Samples.run(), resume: true)
      #expect(checkpoint.map { String(decoding: $0, as: UTF8.self) } == "{\"block\":1}")
      #expect(try sink.fill([Samples.notification(2)]).stored == 1)
      #expect(try database.query("SELECT state FROM runs", at: text) == ["finished"])
      #expect(try database.query("SELECT place FROM notifications ORDER BY place", at: text) == ["1", "3"])
      let interrupted = try database.query("SELECT sha256 FROM runs", at: text)
      try database.withEmpty { other in
        let lines = [Samples.notification(1), Samples.history, Samples.notification(2)]
        _ = try Store.open(try StoreLocation(other), run: Samples.run()).sink.fill(lines)
        #expect(try database.query("SELECT sha256 FROM runs", at: other) == interrupted)
      }
    }
  }

  @Test func whatAKilledRunLeavesOnTheDiskIsTakenBackToTheLastCommit() throws {
    try Samples.withFolder { folder in
      let path = folder + "/a.sqlite"
      let sink = try Store.open(try StoreLocation(path), run: Samples.run()).sink
      _ = try sink.write([Samples.notification(1)])
      try sink.commit(Array("{}".utf8), counts: RunCounts())
      // More than the cache holds, so that pages of the open transaction are in the file.
      let large = ",\"storefront\":\"" + String(repeating: "x", count: 1_500_000) + "\""
      for number in 2...40 { _ = try sink.write([Samples.notification(number, extra: large)], before: number - 1) }
      let copy = folder + "/b.sqlite"
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      try FileManager.default.copyItem(atPath: path + "-journal", toPath: copy + "-journal")
      let size = try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int
      #expect((size ?? 0) > 10_000_000)

      let location = try StoreLocation(copy)
      #expect(try Store.reader(location)?.counts().notifications == 1)
      let (resumed, checkpoint) = try Store.open(location, run: Samples.run(), resume: true)
      #expect(checkpoint == Array("{}".utf8))
      #expect(try resumed.fill([Samples.notification(2)]).stored == 1)
      #expect(try Database.sqlite.query("PRAGMA integrity_check", at: copy) == ["ok"])
    }
  }

  @Test(arguments: Database.present)
  func aCheckpointOfAnyBytesComesBack(_ database: Database) throws {
    try database.withEmpty { text in
      let location = try StoreLocation(text)
      try interrupt(location, checkpoint: [0, 0xFF, 65])
      #expect(try Store.open(location, run: Samples.run(), resume: true).checkpoint == [0, 0xFF, 65])
    }
  }

  @Test(arguments: Database.present)
  func anotherRunIsNotResumed(_ database: Database) throws {
    try database.withEmpty { text in
      let location = try StoreLocation(text)
      try interrupt(location)
      let options = #expect(throws: StoreError.self) {
        try Store.open(location, run: Samples.run("other"), resume: true)
      }
      #expect(options?.kind == .cannotResume && options?.reason.contains("options") == true)
      let sources = #expect(throws: StoreError.self) {
        try Store.open(location, run: Samples.run("other", sources: "b.ndjson"), resume: true)
      }
      #expect(sources?.reason.contains("archive.ndjson") == true && sources?.reason.contains("b.ndjson") == true)
    }
  }

  @Test(arguments: Database.present)
  func withoutAnUnfinishedRunResumingBeginsAnew(_ database: Database) throws {
    try database.withEmpty { text in
      let location = try StoreLocation(text)
      #expect(try Store.open(location, run: Samples.run(), resume: true).checkpoint == nil)
      let again = try Store.open(location, run: Samples.run(), resume: true)
      #expect(again.checkpoint == nil)
      _ = try again.sink.fill([Samples.notification(1)])
      let last = try #require(try Store.reader(location)?.lastRun())
      #expect(last.state == "finished" && last.fingerprint == Samples.run().fingerprint)
    }
  }

  @Test(arguments: Database.present)
  func aChangedStoreIsNotResumed(_ database: Database) throws {
    for change in [
      "UPDATE notifications SET body = '{\"changed\":true}'", "DELETE FROM answers", "DELETE FROM rejects",
    ] {
      try database.withEmpty { text in
        let location = try StoreLocation(text)
        try interrupt(location)
        try database.execute(change, at: text)
        let error = #expect(throws: StoreError.self) { try Store.open(location, run: Samples.run(), resume: true) }
        #expect(error?.kind == .damaged)
      }
    }
  }

  @Test(arguments: Database.present)
  func aNewRunMarksAKilledOneAsInterrupted(_ database: Database) throws {
    try database.withEmpty { text in
      let location = try StoreLocation(text)
      try interrupt(location)
      _ = try Store.open(location, run: Samples.run()).sink.fill([Samples.notification(5)])
      #expect(try database.query("SELECT state FROM runs ORDER BY run", at: text) == ["interrupted", "finished"])
      // Later records follow those of the killed run now, so it is not resumed: a new run begins.
      #expect(try Store.open(location, run: Samples.run(), resume: true).checkpoint == nil)
    }
  }
}
