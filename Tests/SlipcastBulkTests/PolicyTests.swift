import SlipcastBulk
import SlipcastTestSupport
import Testing

@Suite struct PolicyTests {
  static let text = "\(Sample.line(1))\nx\n\(Sample.line(2))\n{\"a\":1}\n\(Sample.line(3))\n"

  @Test func byDefaultBrokenRecordsAreRejected() async throws {
    let run = try await Runs.convert(Self.text)
    #expect(run.end == .finished)
    #expect(run.numbers == [1, 2, 3])
    #expect(run.rejects.map(\.record) == [2, 4])
    #expect(run.rejects.map(\.stage) == [.json, .legacy])
  }

  @Test(arguments: [text, "[" + text.split(separator: "\n").joined(separator: ",") + "]"])
  func stopEndsWithTheFirstBrokenRecord(_ text: String) async throws {
    let run = try await Runs.convert(text) { $0.onError = .stop }
    #expect(run.end == .stopped)
    #expect(run.numbers == [1])
    #expect(run.rejects.map(\.record) == [2])
    #expect(run.counts.read == 2)
  }

  @Test func stopReadsNoFurtherFile() async throws {
    try await TemporaryFolder.with { folder in
      try folder.write("a.json", Self.text)
      try folder.write("b.json", Sample.line(9))
      let run = try await Runs.convert(files: [folder.path("a.json"), folder.path("b.json")]) { $0.onError = .stop }
      #expect(run.end == .stopped)
      #expect(run.numbers == [1])
    }
  }

  @Test func stopWithoutBrokenRecordsFinishes() async throws {
    let run = try await Runs.convert(Sample.lines(1...3)) { $0.onError = .stop }
    #expect(run.end == .finished)
    #expect(run.numbers == [1, 2, 3])
  }

  @Test func skipCountsBrokenRecordsAndGoesOn() async throws {
    let run = try await Runs.convert(Self.text) { $0.onError = .skip }
    #expect(run.end == .finished)
    #expect(run.numbers == [1, 2, 3])
    #expect(run.counts.rejected == 2)
  }

  @Test(arguments: [(0, RunEnd.tooManyRejects), (1, .tooManyRejects), (2, .finished), (3, .finished)])
  func aCountOfRejectsIsALimit(_ most: Int, _ end: RunEnd) async throws {
    let run = try await Runs.convert(Self.text) { $0.maxRejects = .count(most) }
    #expect(run.end == end)
  }

  @Test(arguments: [(0.0, RunEnd.tooManyRejects), (39.9, .tooManyRejects), (40, .finished), (100, .finished)])
  func aShareOfRejectsIsALimitAtTheEnd(_ most: Double, _ end: RunEnd) async throws {
    let run = try await Runs.convert(Self.text) { $0.maxRejects = .percent(most) }
    #expect(run.end == end)
  }

  @Test func aLimitWithoutRejectsIsNeverExceeded() async throws {
    for limit in [RejectLimit.count(0), .percent(0)] {
      #expect(try await Runs.convert(Sample.lines(1...3)) { $0.maxRejects = limit }.end == .finished)
      #expect(try await Runs.convert("") { $0.maxRejects = limit }.end == .finished)
    }
  }

  @Test func aRunGivesUpLongBeforeTheEndOfItsSource() async throws {
    let line = #"{"filler":"\#(String(repeating: "x", count: 1000))"}"# + "\n"
    let bad = String(repeating: line, count: 2000)
    let run = try await Runs.convert(bad) { $0.maxRejects = .count(10) }
    #expect(run.end == .tooManyRejects)
    #expect((11..<600).contains(run.counts.read))
    let share = try await Runs.convert(bad) { $0.maxRejects = .percent(1) }
    #expect(share.end == .tooManyRejects)
    #expect((1000..<1600).contains(share.counts.read))
  }

  static let limits: [(text: String, limit: RejectLimit?)] = [
    ("0", .count(0)), ("25", .count(25)), ("0.5%", .percent(0.5)), ("100%", .percent(100)), ("0%", .percent(0)),
    ("-1", nil), ("", nil), ("%", nil), ("101%", nil), ("-1%", nil), ("x", nil), ("1.5", nil), ("5 %", nil),
    ("nan%", nil), ("inf%", nil),
  ]

  @Test(arguments: limits)
  func aLimitIsANumberOrAShare(_ text: String, _ limit: RejectLimit?) {
    #expect(RejectLimit(text) == limit)
  }

  @Test func withoutKeepingRejectsTheirTextIsEmpty() async throws {
    let run = try await Runs.convert(Self.text) { $0.keepsRejects = false }
    #expect(run.rejects.map(\.input) == [[], []])
    #expect(run.rejects.map(\.record) == [2, 4])
  }

  @Test func withoutKeepingProvenanceThereIsNone() async throws {
    #expect(try await Runs.convert(Self.text) { $0.keepsProvenance = false }.provenance == [])
  }
}
