import SlipcastBulk
import SlipcastMapping
import SlipcastRunSupport
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

/// Holds the conversion to what a person derived from the facts, independently of the recorded `v2.json`.
@Suite struct FixtureExpectationTests {
  static let cases = (Fixture.cases("notifications") + Fixture.cases("receipts")).filter(FixtureExpectation.isPresent)

  @Test(arguments: cases) func convertsAsTheFactsSay(_ fixture: Fixture) async throws {
    let expectation = try FixtureExpectation(fixture)
    #expect(expectation.hasSource, "source.txt needs a line `source:` that names the facts")
    let (sink, _, _) = try await Harness.convert(try fixture.arguments, [fixture.path("v1.json")])
    let json = try ReadText(try #require(sink.lines.first))
    let provenance = try ReadText(try #require(sink.provenanceLines.first))
    let line = ConvertedLine(root: json.root, provenance: provenance.root, rules: Harness.rules)
    for expected in expectation.lines {
      let found = line.difference(from: expected)
      #expect(found == nil, "expected \(expected.text), found \(found ?? "")")
    }
  }

  @Test func atLeastSeventyCasesStateExpectations() {
    #expect(Self.cases.count >= 70)
  }

  /// An expectation that cannot fail would prove nothing: each kind of line fails on a line that contradicts it.
  @Test(arguments: [
    "event: REFUND", "confidence: inferred", "at-most: ambiguous", "at-least: documented", "candidates: DID_RENEW",
    "absorbed: yes", "accepts: REVOKE", "status: 4", "finding: *", "no-finding: drift", "findings: none", "has: data.x",
    "lacks: data.status", "inferred: version", "not-inferred: data.status", "not-documented: version",
    "value: version 3",
  ])
  func everyKindOfLineCanFail(_ text: String) throws {
    let finding = text.hasPrefix("finding: ") ? "" : #"{"code":"drift"}"#
    let json = try ReadText(
      #"{"notificationType":"DID_RENEW","version":"2.0","data":{"status":1},"#
        + #""migration":{"confidence":"corroborated","inferred":["data.status"]}}"#)
    let provenance = try ReadText(#"{"findings":[\#(finding)]}"#)
    let line = ConvertedLine(root: json.root, provenance: provenance.root, rules: Harness.rules)
    let words = text.split(separator: " ").map(String.init)
    let kind = try #require(FixtureExpectation.Kind(rawValue: String(words[0].dropLast())))
    #expect(line.difference(from: .init(kind: kind, words: Array(words.dropFirst()))) != nil)
  }
}
