import Foundation
import SlipcastComparison
import SlipcastMapping
import SlipcastReports
import SlipcastTestSupport
import Testing

/// The golden reports next to each pair.
///
/// `RECORD=1 make test` rewrites `diff.json` and `diff.txt`; the review is the difference in version control.
@Suite struct GoldenTests {
  private static let rules: RuleSet = {
    do { return try RuleSet.builtIn() } catch { fatalError("\(error)") }
  }()

  @Test(arguments: Fixture.cases("pairs"))
  func aPairIsReportedAsWhatStandsBesideIt(_ pair: Fixture) throws {
    let comparison = try RecordComparer(rules: Self.rules).compare(
      legacy: try pair.bytes("v1.json"), server: try pair.bytes("v2.json"), names: ("v1.json", "v2.json"))
    let (json, text) = (comparison.report(.json), comparison.report(.text))
    _ = try JSONSerialization.jsonObject(with: Data(json.utf8))
    if Fixture.isRecording {
      try pair.record(json, "diff.json")
      try pair.record(text, "diff.txt")
    }
    #expect(json == (try pair.text("diff.json")))
    #expect(text == (try pair.text("diff.txt")))
  }

  @Test func thereAreAtLeastSixtyPairs() { #expect(Fixture.cases("pairs").count >= 60) }
}
