import SlipcastBulk
import SlipcastMapping
import SlipcastRunSupport
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

/// The held truth: every fixture converts to exactly the expected files next to it.
///
/// `RECORD=1 make test` rewrites `v2.json` and `findings.json`; the review is the difference in version control.
@Suite struct HeldTruthTests {
  @Test(arguments: Fixture.cases("notifications") + Fixture.cases("receipts"))
  func convertsToWhatStandsBesideIt(_ fixture: Fixture) async throws {
    let (sink, _, counts) = try await Harness.convert(try fixture.arguments, [fixture.path("v1.json")])
    #expect(counts.converted == counts.read, "\(sink.rejects.map(\.description))")
    let line = try #require(sink.lines.first)
    let v2 = try PrettyJSON.text(line.utf8)
    let findings = try PrettyJSON.text(Self.findings(try #require(sink.provenanceLines.first)).utf8)
    if Fixture.isRecording {
      try fixture.record(v2, "v2.json")
      try fixture.record(findings, "findings.json")
    }
    #expect(v2 == (try fixture.text("v2.json")))
    #expect(findings == (try fixture.text("findings.json")))
    #expect(!(try fixture.text("source.txt")).isEmpty)
  }

  /// The array `findings` of a line of provenance.
  static func findings(_ line: String) throws -> String {
    let bytes = Array(line.utf8) + [UInt8](repeating: 0, count: JSONReader.padding)
    let reader = JSONReader(names: [])
    return try bytes.withUnsafeBufferPointer { buffer throws in
      let base = try #require(buffer.baseAddress)
      let root = JSONElement(tape: try reader.read(base, count: line.utf8.count))
      return try #require(root["findings"]).json
    }
  }

  @Test func thereAreAtLeastEightyCases() {
    #expect(Fixture.cases("notifications").count + Fixture.cases("receipts").count >= 80)
  }
}
