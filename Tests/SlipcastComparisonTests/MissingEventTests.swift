import SlipcastMapping
import SlipcastWire
import Testing

@testable import SlipcastComparison

/// Which events count as missing, and which of them a baseline accepts.
@Suite struct MissingEventTests {
  /// What is said to count events counts them.
  @Test(arguments: [(false, true), (true, false)])
  func theNoteNamesOnlyWhatHelps(_ isSameSpan: Bool, _ advises: Bool) throws {
    var result = GateTests.result(conflicting: 0, of: 100)
    result.coverage.time = CommonTime(
      0...1_000_000_000, 0...1_000_000_000, tolerance: 0, margin: 3_600_000, isSameSpan: isSameSpan)
    result.coverage.server.all = ParityCoverage.Count(events: 200, missing: 3)
    result.coverage.server.undated = 1
    ParityGates().judge(&result)
    let note = try #require(result.notes.first { $0.code == "missingOutside" })
    #expect(note.message.contains("--same-span") == advises)
    #expect(
      note.message.contains("2 missing events outside") && note.message.contains("1 missing event without a date"))
  }

  /// A refund that may lie in the common time is not lost silently; another event without a date is.
  @Test(arguments: [(true, true), (false, false)])
  func aRefundWithoutADateCounts(_ isRefund: Bool, _ counts: Bool) {
    let time = CommonTime(common: 0...1_000)
    #expect(time.counts(nil, isRefund: isRefund) == counts)
    #expect(!time.counts(2_000...2_000, isRefund: isRefund))
    #expect(!CommonTime(common: nil).counts(nil, isRefund: isRefund), "nothing can be judged")
  }

  /// Of events that nothing distinguishes, a baseline accepts as many as it lists.
  @Test(arguments: [(0, 0), (1, 1), (2, 2), (3, 2)])
  func eachLineOfABaselineAcceptsOneEvent(_ lines: Int, _ accepted: Int) throws {
    let entry = KnownEvent(type: "REFUND", originalTransactionId: "1", time: 5, reason: "r", until: nil)
    let baseline = Baseline(
      name: "b", differences: [], events: Array(repeating: entry, count: lines), now: GateTests.now)
    let again = try Baseline(json: Array(baseline.json.utf8), name: "b", now: GateTests.now)
    var tally = MissingTally(again.events)
    var subject = RecordSubject()
    subject.originalTransactionId = "1"
    for record in 1...2 {
      let place = RecordPlace(source: "v1", record: record)
      _ = tally.add(
        MissingEvent(side: .legacy, type: "REFUND", isRefund: true, subject: subject, time: 5, place: place))
    }
    #expect(tally.kinds.first?.accepted == accepted && tally.found.count == accepted)
  }

  private static func event(_ side: MissingEvent.Side, _ transaction: String?, record: Int = 1) -> MissingEvent {
    var subject = RecordSubject()
    (subject.originalTransactionId, subject.transactionId) = ("1", transaction)
    return MissingEvent(
      side: side, type: "REFUND", isRefund: true, subject: subject, time: 5,
      place: RecordPlace(source: "", record: record))
  }

  /// What is recorded of one refund accepts neither that of the other side nor that of another transaction at that time.
  @Test(arguments: [
    (event(.legacy, "2"), true), (event(.server, "2"), false), (event(.legacy, "3"), false),
    (event(.legacy, nil), false),
  ])
  func aRecordedEventIsThatOfItsSideAndTransaction(missing: MissingEvent, isAccepted: Bool) throws {
    let recorded = KnownEvent(Self.event(.legacy, "2"), reason: "r", until: nil)
    let baseline = Baseline(name: "b", differences: [], events: [recorded], now: GateTests.now)
    let again = try Baseline(json: Array(baseline.json.utf8), name: "b", now: GateTests.now)
    #expect(again.events == [recorded])
    var tally = MissingTally(again.events)
    #expect(tally.add(missing).isAccepted == isAccepted)
    // A line that states neither, as a person may write it, accepts either.
    var loose = MissingTally([KnownEvent(type: "REFUND", originalTransactionId: "1", time: 5, reason: "r", until: nil)])
    #expect(loose.add(missing).isAccepted)
  }

  /// The line that states most of an event is used up first, so that the others remain for what they alone accept.
  @Test func theLineThatStatesMostAcceptsFirst() {
    let loose = KnownEvent(type: "REFUND", originalTransactionId: "1", time: 5, reason: "r", until: nil)
    let exact = KnownEvent(Self.event(.legacy, "2"), reason: "r", until: nil)
    for lines in [[loose, exact], [exact, loose]] {
      var tally = MissingTally(lines)
      #expect(tally.add(Self.event(.legacy, "2")).isAccepted)
      #expect(tally.add(Self.event(.server, "3", record: 2)).isAccepted)
      #expect(!tally.add(Self.event(.server, "4", record: 3)).isAccepted)
    }
  }

  @Test func aSideThatDoesNotExistIsNamedWithThoseThatDo() {
    let json =
      #"{"schema":1,"differences":[],"missing":[{"type":"REFUND","side":"v1","originalTransactionId":"1","reason":"r"}]}"#
    let fault = #expect(throws: Baseline.Fault.self) {
      try Baseline(json: Array(json.utf8), name: "b", now: GateTests.now)
    }
    #expect(fault?.description == "missing[0]: \"side\" is one of legacy, server")
  }
}
