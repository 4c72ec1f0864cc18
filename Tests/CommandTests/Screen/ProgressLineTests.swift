import SlipcastWire
import Testing

@testable import SlipcastCommand

/// The line that shows how far a run is.
@Suite struct ProgressLineTests {
  private static func line(
    done: Double, of all: Double?, count: Int, seconds: Double, name: String = "reading V1", rejected: Int = 3
  ) -> ProgressLine {
    let first = Stage(name: name, share: all.map { (0, $0) }, count: 0, bytes: 0)
    var stage = first
    stage.share = all.map { (done, $0) }
    (stage.count, stage.bytes) = (count, count * 2000)
    stage.others = [Stage.Other(count: rejected, name: "rejected")]
    return ProgressLine(stage: stage, first: first, seconds: seconds)
  }

  @Test(arguments: [8, 16, 20, 40, 60, 80, 100, 140], [0, 0.01, 0.5, 1])
  func itFitsIntoEveryTerminal(_ columns: Int, _ share: Double) {
    let line = Self.line(done: share * 1e9, of: 1e9, count: 123_456_789, seconds: 3600)
    #expect(line.text(fitting: columns) { $0 }.count <= columns)
  }

  @Test(arguments: [40, 60, 80, 140])
  func itShowsShareSpeedAndRemainingTime(_ columns: Int) {
    let text = Self.line(done: 25, of: 100, count: 5000, seconds: 10).text(fitting: columns) { $0 }
    #expect(text.contains("25%"))
    #expect(text.contains("500 records/s"))
    #expect(text.contains("ETA 0:30"))
  }

  @Test func aWideTerminalShowsAll() {
    let text = Self.line(done: 25, of: 100, count: 5000, seconds: 10).text(fitting: 140) { $0 }
    #expect(
      text
        == "reading V1  [======                  ]  25%  5,000 records  500 records/s  1.0 MB/s  3 rejected  ETA 0:30")
  }

  @Test func withoutALengthItShowsCountAndSpeed() {
    let text = Self.line(done: 0, of: nil, count: 5000, seconds: 10).text(fitting: 80) { $0 }
    #expect(text == "reading V1  5,000 records  500 records/s  1.0 MB/s  3 rejected")
  }

  @Test(arguments: [(2.0, 25.0), (60, 1)])
  func theRemainingTimeIsUnknownAtFirst(_ seconds: Double, _ done: Double) {
    #expect(!Self.line(done: done, of: 100, count: 50, seconds: seconds).text { $0 }.contains("ETA"))
  }

  @Test(arguments: [(59.2, "1:00"), (3599, "59:59"), (3600, "1:00:00"), (1e9, "99:59:59")])
  func timesHaveHoursWhereNeeded(_ seconds: Double, _ text: String) {
    #expect(ProgressLine.clock(seconds) == text)
  }

  /// A resumed run has done nothing of what an earlier one did.
  @Test func whatWasDoneBeforeDoesNotCountForTheSpeed() {
    let first = Stage(share: (900, 1000), count: 9000)
    let line = ProgressLine(stage: Stage(share: (950, 1000), count: 9500), first: first, seconds: 10)
    #expect(line.text { $0 } == "95%  9,500 records  50 records/s  ETA 0:10")
  }
}
