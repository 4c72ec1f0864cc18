import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

/// The held truth: the golden cases convert to exactly the expected files next to them.
///
/// `RECORD=1 make test` rewrites `v2.json` and `findings.json`; the review is the difference in version control. What
/// the other cases are about stands in their `source.txt` (`FixtureExpectationTests`).
@Suite struct HeldTruthTests {
  @Test(arguments: ConvertedFixtures.golden)
  func convertsToWhatStandsBesideIt(_ fixture: Fixture) async throws {
    let conversion = try await ConvertedFixtures.conversion(of: fixture)
    let v2 = try PrettyJSON.text(conversion.line.utf8)
    let findings = try PrettyJSON.text(try conversion.findings.utf8)
    if Fixture.isRecording {
      try fixture.record(v2, "v2.json")
      try fixture.record(findings, "findings.json")
    }
    #expect(v2 == (try fixture.text("v2.json")))
    #expect(findings == (try fixture.text("findings.json")))
  }
}

/// What any case shows, a golden case shows: no reading is without a whole output that a person can look at.
@Suite struct GoldenCoverageTests {
  @Test func everyRuleMemberAndFindingIsInAGoldenCase() async throws {
    var (all, golden): (Set<String>, Set<String>) = ([], try Self.rulesOfGoldenReports())
    for fixture in ConvertedFixtures.cases {
      let shown = try Self.shown(by: try await ConvertedFixtures.conversion(of: fixture))
      all.formUnion(shown)
      if fixture.exists("v2.json") { golden.formUnion(shown) }
    }
    #expect(all.subtracting(golden).sorted() == [])
    #expect(all.count > 400)
  }

  /// A correction of one reading is reviewed file by file, so these files are few.
  @Test func theGoldenCasesAreFew() {
    let cases = ["pairs": "diff.json", "receipts/signed": "inspect.json", "archives": "grouped.ndjson"]
    let others = cases.map { Fixture.cases($0.key, with: $0.value).count }.reduce(0, +)
    #expect(ConvertedFixtures.golden.count + others <= 262)
  }

  /// A golden report shows the whole conversion of its V1 record beside V2.
  private static func rulesOfGoldenReports() throws -> Set<String> {
    var found: Set<String> = []
    for pair in Fixture.cases("pairs", with: "diff.json") {
      let report = try ReadText(try pair.text("diff.json"))
      defer { withExtendedLifetime(report) {} }
      for field in report.root["fields"]?.children ?? [] {
        if let rule = field["rule"]?.string { found.insert("rule \(rule)") }
      }
    }
    return found
  }

  /// The rules that made the line, its members and words of fixed sets, and the findings.
  private static func shown(by conversion: ConvertedFixtures.Conversion) throws -> Set<String> {
    let (line, account) = (try ReadText(conversion.line), try ReadText(conversion.provenance))
    // Elements show the bytes of the texts.
    defer { withExtendedLifetime((line, account)) {} }
    var found: Set<String> = []
    func members(_ element: JSONElement, _ path: String) {
      for child in element.children {
        let name = element.kind == .array ? path + "[]" : "\(path).\(child.name)"
        found.insert("member \(name)")
        if name != ".migration" { members(child, name) }
      }
    }
    members(line.root, "")
    for key in ["rule", "confidence"] {
      if let word = account.root[key]?.string { found.insert("\(key) \(word)") }
    }
    for member in line.root["migration"]?.children ?? [] { found.insert("migration \(member.name)") }
    for list in ["fields", "unmapped", "absent"] {
      for entry in account.root[list]?.children ?? [] {
        if let rule = entry["rule"]?.string { found.insert("\(list) \(rule)") }
      }
    }
    for finding in account.root["findings"]?.children ?? [] {
      if let code = finding["code"]?.string { found.insert("finding \(code)") }
    }
    return found
  }
}
