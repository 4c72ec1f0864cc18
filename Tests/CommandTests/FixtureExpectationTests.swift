import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

/// Holds every case to what it is about: the lines of its `source.txt`, which no command rewrites.
@Suite struct FixtureExpectationTests {
  @Test(arguments: ConvertedFixtures.cases) func convertsAsTheFactsSay(_ fixture: Fixture) async throws {
    let expectation = try FixtureExpectation(fixture)
    #expect(expectation.hasSource, "source.txt needs a line `source:` that names the facts")
    #expect(!expectation.lines.isEmpty, "source.txt needs lines that state what the case is about")
    let conversion = try await ConvertedFixtures.conversion(of: fixture)
    let (json, provenance) = (try ReadText(conversion.line), try ReadText(conversion.provenance))
    // Elements show the bytes of the texts.
    defer { withExtendedLifetime((json, provenance)) {} }
    let line = ConvertedLine(root: json.root, provenance: provenance.root, rules: Harness.rules)
    for expected in expectation.lines {
      let found = line.difference(from: expected)
      #expect(found == nil, "expected \(expected.text), found \(found ?? "")")
    }
  }

  @Test func thereAreHundredsOfCases() {
    #expect(ConvertedFixtures.cases.count >= 700)
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
