import Foundation
import SlipcastBulk
import SlipcastNetwork
import SlipcastV2
import SlipcastWire
import Testing

@testable import SlipcastFetch

/// A file that is gone when the test is.
private final class TemporaryFile {
  let path = FileManager.default.temporaryDirectory.appendingPathComponent("slipcast-\(UUID().uuidString)").path

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func read() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
  func write(_ bytes: ArraySlice<UInt8>) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
}

/// The files from which a run is resumed.
@Suite struct StateTests {
  private static let page = FetchEvent(
    customer: 7, sequence: 2, environment: .sandbox, requests: 3, retries: 1,
    kind: .page(
      .init(
        page: 2, cursor: "r\"40", covers: [7, 9], events: [KnownIDs.ID(high: 1, low: .max)], isEmpty: false,
        digest: "abc")))
  private static let end = FetchEvent(
    customer: 7, sequence: 3, environment: .sandbox, kind: .end(outcome: .failed, code: 4_000_006, message: "no\n"))

  private func text(_ event: FetchEvent) -> String { "\(event)" }

  @Test func logsAreReadAsTheyWereWritten() throws {
    let file = TemporaryFile()
    let path = file.path
    let lines = Array("{\"a\":1}\n{\"b\":2}\n".utf8)
    do {
      let log = try FetchLog(path, of: "run")
      _ = try log.append([(Self.page, lines)])
      _ = try log.append([(Self.end, [])])
    }
    var found: [(event: FetchEvent, place: FetchLog.Place)] = []
    let log = try FetchLog(path, of: "run", resuming: { found.append(($0, $1)) })
    #expect(found.map { text($0.event) } == [text(Self.page), text(Self.end)])
    #expect(try log.read(found[0].place) == lines)
    let places = try log.keep([(Self.end, nil), (Self.page, found[0].place)])
    #expect(try log.read(places[1]) == lines)
  }

  /// A kill may cut the last event off at any byte.
  @Test func incompleteEventsAreCutOff() throws {
    let file = TemporaryFile()
    let path = file.path
    let lines = Array("{\"a\":1}\n".utf8)
    do {
      let log = try FetchLog(path, of: "run")
      _ = try log.append([(Self.end, [])])
      _ = try log.append([(Self.page, lines), (Self.end, [])])
    }
    let whole = try file.read()
    let first = try #require(whole.firstIndex(of: 0x0A)) + 1
    for count in [0, 1, first - 1, first, first + 1, first + 40, whole.count - first, whole.count - 1] {
      try file.write(whole.prefix(count))
      var found: [FetchEvent] = []
      _ = try FetchLog(path, of: "run", resuming: { event, _ in found.append(event) })
      #expect(found.count == (count < first ? 0 : 1))
      #expect(try file.read().count == (count < first ? 0 : first))
    }
  }

  @Test func checkpointsAreReadAsTheyWereWritten() throws {
    var checkpoint = FetchCheckpoint()
    (checkpoint.options, checkpoint.begin) = ("abc", 1_760_000_000_000)
    (checkpoint.done, checkpoint.sequence, checkpoint.isIncremental) = (12, 3, true)
    checkpoint.sources = [Checkpoint.SourceMark(name: "a \"b\"")]
    (checkpoint.sources[0].bytes, checkpoint.sources[0].sha256) = (5, "ff")
    checkpoint.covered = [15: .init(by: 2, environment: .production), 13: .init(by: 12, environment: .sandbox)]
    checkpoint.outputs = [OutputState(path: "v2.ndjson", bytes: 77, sha256: "00")]
    checkpoint.counts.requests = 99
    let read = try FetchCheckpoint(json: checkpoint.json)
    #expect(read.json == checkpoint.json)
    #expect(read.counts == checkpoint.counts && read.covered.count == 2)
    for broken in ["", "{}", "{\"slipcastFetch\":2}", "[1]"] {
      #expect(throws: StateFault.self) { try FetchCheckpoint(json: Array(broken.utf8)) }
    }
  }
}

/// The times of requests for notifications.
@Suite struct NotificationTimesTests {
  private static let day: Int64 = 86_400_000
  private static let now = Timestamp(milliseconds: 1_760_000_000_000)

  /// The start that is expected is in days before now; what Apple keeps ends ten minutes later.
  @Test(
    arguments: [
      (Environment.production, nil, nil, 180.0), (.sandbox, nil, nil, 30), (.production, 3, nil, 4),
      (.sandbox, 40, nil, 30),
      (.production, 200, nil, 180), (.production, 3, 100, 100), (.sandbox, nil, 100, 30), (.sandbox, nil, 20, 20),
    ] as [(Environment, Int64?, Int64?, Double)])
  func timesBeginWhereAnEarlierRunEnded(environment: Environment, earlier: Int64?, from: Int64?, start: Double) {
    var options = FetchOptions(.notifications)
    options.from = from.map { Timestamp(milliseconds: Self.now.milliseconds - $0 * Self.day) }
    let times = options.times(environment, now: Self.now, after: earlier.map { Self.now.milliseconds - $0 * Self.day })
    let found = Double(Self.now.milliseconds - times.lowerBound.milliseconds) / Double(Self.day)
    #expect(abs(found - start) < 0.01 && times.upperBound == Self.now)
    options.environment = environment
    if from != nil {
      #expect(options.times(environment, now: Self.now, after: nil).lowerBound == options.from)
    }
  }
}

extension NotificationTimesTests {
  /// What Apple kept when the run began may be too early when a window begins again; a start that was named stays.
  @Test func timesFollowTheClockOfALongRun() {
    var options = FetchOptions(.notifications)
    let later = Timestamp(milliseconds: Self.now.milliseconds + Self.day / 10)
    let first = options.times(.production, now: Self.now, after: nil, sentAt: Self.now)
    #expect(options.times(.production, now: Self.now, after: nil).lowerBound == first.lowerBound)
    let moved = options.times(.production, now: Self.now, after: nil, sentAt: later)
    #expect(moved.lowerBound == FetchOptions.earliest(.production, now: later) && moved.upperBound == Self.now)
    options.from = Timestamp(milliseconds: Self.now.milliseconds - 200 * Self.day)
    #expect(options.times(.production, now: Self.now, after: nil, sentAt: later).lowerBound == options.from)
  }

  @Test(arguments: [
    (Environment.production, 179, true), (.production, 180, false), (.sandbox, 29, true), (.sandbox, 30, false),
  ])
  func whatNobodyKeepsIsNotAsked(_ environment: Environment, _ days: Int64, _ isKept: Bool) {
    var options = FetchOptions(.notifications)
    #expect(options.mayHold(environment, now: Self.now))
    options.until = Timestamp(milliseconds: Self.now.milliseconds - days * Self.day)
    #expect(options.mayHold(environment, now: Self.now) == isKept)
    options.endpoint = .history
    #expect(options.mayHold(environment, now: Self.now))
  }
}

/// The ids of an archive.
@Suite struct CustomerListTests {
  private func found(_ id: String, _ others: [String] = [], bundle: String? = "a", count: Int = 1) -> FoundIds {
    FoundIds(primary: id, others: others, bundleId: bundle, environment: nil, transactions: count)
  }

  @Test func idsAreListedOnceInTheirOrder() {
    var list = CustomerList()
    list.add(found("3", bundle: nil))
    list.add(found("1", count: 45))
    list.add(found("3", bundle: "b"))
    list.add(FoundIds())
    #expect(list.customers.map(\.id) == ["3", "1"] && list.withoutId == 1)
    #expect(list.bundles == ["a", "b"])
    #expect(list.customers[0].bundle == 1, "a later record states the app")
    #expect(FetchEstimate(list, FetchOptions(.history)).requests == 4, "one page, and three pages of 20")
  }

  @Test func idsOfOneRecordWaitForEachOther() {
    var list = CustomerList()
    list.add(found("1", ["2", "3"]))
    list.add(found("2"))
    list.add(found("4"))
    #expect(list.customers.map(\.leader) == [nil, 0, nil])
  }

  @Test func idsWithoutAnAppAreCounted() {
    var list = CustomerList()
    list.add(found("1", bundle: nil))
    list.add(id: "x")
    list.add(id: "2")
    #expect(list.complete(with: nil) == 2, "an id that is not a number is not sent")
    #expect(list.complete(with: "a") == 0)
  }
}
