import Foundation
import SlipcastComparison
import SlipcastMapping
import SlipcastReports
import SlipcastTestSupport
import Testing

/// The golden reports next to some of the pairs; `PairTests` holds every pair to what its `source.txt` says.
///
/// `RECORD=1 make test` rewrites `diff.json` and `diff.txt`; the review is the difference in version control.
@Suite struct GoldenTests {
  static let rules = BuiltIn.rules

  private static func compare(_ pair: Fixture) throws -> Comparison {
    try RecordComparer(rules: rules).compare(
      legacy: try pair.bytes("v1.json"), server: try pair.bytes("v2.json"), names: ("v1.json", "v2.json"))
  }

  @Test(arguments: Fixture.cases("pairs", with: "diff.json"))
  func aPairIsReportedAsWhatStandsBesideIt(_ pair: Fixture) throws {
    let comparison = try Self.compare(pair)
    let (json, text) = (comparison.report(.json), comparison.report(.text))
    _ = try JSONSerialization.jsonObject(with: Data(json.utf8))
    if Fixture.isRecording {
      try pair.record(json, "diff.json")
      try pair.record(text, "diff.txt")
    }
    #expect(json == (try pair.text("diff.json")))
    #expect(text == (try pair.text("diff.txt")))
  }

  /// Every rule, every class and every form of records that a pair shows is in a golden report.
  @Test func everyRuleAndClassIsInAGoldenReport() throws {
    var (all, golden): (Set<String>, Set<String>) = ([], [])
    for pair in Fixture.cases("pairs") {
      let shown = try Self.shown(by: Self.compare(pair).report(.json))
      all.formUnion(shown)
      if pair.exists("diff.json") { golden.formUnion(shown) }
    }
    #expect(all.subtracting(golden).sorted() == [])
    #expect(all.count > 100)
  }

  private static func shown(by report: String) throws -> Set<String> {
    let report = try #require(JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any])
    var found: Set<String> = ["verdict \(report["verdict"] ?? "")", "notes \((report["notes"] as? [Any])?.count ?? 0)"]
    for side in ["legacy", "server"] {
      // The description ends with the type of a notification.
      let words = (report[side] as? [String: Any])?["description"] as? String ?? ""
      found.insert("\(side) " + words.split(separator: " ").filter { $0 != $0.uppercased() }.joined(separator: " "))
    }
    for field in report["fields"] as? [[String: Any]] ?? [] {
      for key in ["rule", "class", "confidence"] {
        if let word = field[key] as? String { found.insert("\(key) \(word)") }
      }
    }
    return found
  }

  @Test func thereAreHundredsOfPairs() { #expect(Fixture.cases("pairs").count >= 280) }
}
