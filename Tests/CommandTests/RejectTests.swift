import SlipcastBulk
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

/// Bad input: one clear reject each, with code and position, and the run continues.
@Suite struct RejectTests {
  /// `expected.txt` of a case: one line a reject, `stage code line offset path`; `RECORD=1 make test` rewrites it.
  @Test(arguments: Fixture.cases("rejects"))
  func rejectsWithCodeAndPlace(_ fixture: Fixture) async throws {
    let file = fixture.exists("input.ndjson") ? "input.ndjson" : "input.json"
    let (sink, _, counts) = try await Harness.convert([], [fixture.path(file)])
    #expect(counts.read == counts.converted + counts.rejected)
    #expect(counts.rejected == sink.rejects.count)
    let lines = sink.rejects.map { reject in
      "\(reject.stage.rawValue) \(reject.code) line \(reject.line) offset \(reject.offset)\(reject.faultOffset.map { " fault \($0)" } ?? "") \(reject.path)"
    }
    let text = (lines + ["converted \(counts.converted)"]).joined(separator: "\n") + "\n"
    if Fixture.isRecording { try fixture.record(text, "expected.txt") }
    #expect(text == (try fixture.text("expected.txt")))
  }

  @Test(arguments: Fixture.cases("rejects"))
  func everyRejectSaysWhatWasExpected(_ fixture: Fixture) async throws {
    let file = fixture.exists("input.ndjson") ? "input.ndjson" : "input.json"
    let (sink, _, _) = try await Harness.convert([], [fixture.path(file)])
    for reject in sink.rejects {
      let says = ["expected", "cut off", "has no end"].contains { reject.message.contains($0) }
      #expect(says, "\(reject.message)")
      #expect(reject.record >= 1 && reject.line >= 1 && reject.offset >= 0 && reject.length >= 0)
    }
  }

  @Test(arguments: Fixture.cases("streams"))
  func readsEveryKindOfStream(_ stream: Fixture) async throws {
    let words =
      stream.name.contains("wrapped") ? ["--body", "/body", "--received-at", "/received_at", "--id", "/id"] : []
    let (sink, _, counts) = try await Harness.convert(words, [Folder.package("Fixtures/" + stream.name)])
    #expect(sink.rejects.isEmpty, "\(sink.rejects.map(\.description))")
    #expect(counts.converted >= 1)
  }

  @Test func wrappedRowsGiveTheReceivedTimeInEverySpelling() async throws {
    let path = Folder.package("Fixtures/streams/wrapped.ndjson")
    let words = ["--body", "/body", "--received-at", "/received_at", "--id", "/id", "--plain"]
    let (sink, _, _) = try await Harness.convert(words, [path])
    #expect(sink.lines.count == 3)
    for (line, time) in zip(sink.lines, ["1651399200000", "1654077547000", "1655019005000"]) {
      #expect(line.contains("\"signedDate\":\(time)"))
    }
    #expect(sink.provenanceLines.allSatisfy { $0.contains("\"id\":\"row-") })
  }

  @Test func rejectsCanBeFedAgain() async throws {
    let path = Folder.package("Fixtures/streams/wrapped.ndjson")
    let (first, _, _) = try await Harness.convert(["--body", "/nowhere"], [path])
    #expect(first.rejects.count == 3)
    // Without their place, the rows have no known form: only the file of raw rejects has them.
    try await Temporary.file(first.rejectLines.joined()) { file in
      let words = ["--body", "/body", "--received-at", "/received_at"]
      let (again, _, counts) = try await Harness.convert(words, [file])
      #expect(counts.rejected == 3 && again.rejects.allSatisfy { $0.code == "nothingKept" })
    }
  }
}
