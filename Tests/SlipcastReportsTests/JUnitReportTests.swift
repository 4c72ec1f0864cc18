import SlipcastMapping
import SlipcastReports
import Testing

@testable import SlipcastComparison

@Suite struct JUnitReportTests {
  @Test func totalsAreThoseOfTheCases() throws {
    for comparison in Samples.all {
      let report = try ReadXML(comparison.report(.junit))
      let suites = try #require(report["testsuites"].first)
      let suite = try #require(report["testsuite"].first)
      #expect(report["testcase"].count == comparison.fields.count)
      for owner in [suites, suite] {
        #expect(owner["tests"] == String(report["testcase"].count))
        #expect(owner["failures"] == String(report["failure"].count))
        #expect(owner["errors"] == "0")
        #expect(owner["time"] == "0")
      }
      #expect(suite["skipped"] == String(report["skipped"].count))
      #expect(report["failure"].count == comparison.fields.count(where: comparison.fails))
      #expect(report["skipped"].count == comparison.ignoredCount)
    }
  }

  @Test func aCaseIsNamedByPathAndClass() throws {
    let cases = try ReadXML(Samples.full.report(.junit))["testcase"]
    let first = ["name": "data.renewalInfo.priceIncreaseStatus", "classname": "slipcast.diff.conflict", "time": "0"]
    #expect(cases.first == first)
    #expect(cases.map { $0["classname"] } == Samples.full.fields.map { "slipcast.diff.\($0.differenceClass.rawValue)" })
  }

  @Test func ignoredFieldsAreSkippedWithTheirReason() throws {
    let skipped = try ReadXML(Samples.full.report(.junit))["skipped"]
    #expect(skipped.first == ["message": "ignored: refunded by hand"])
  }

  @Test func theFailureTellsTheWholeStory() throws {
    let report = try ReadXML(Samples.full.report(.junit))
    #expect(report["failure"].allSatisfy { $0["type"] == "conflict" && $0["message"]?.isEmpty == false })
    for part in ["V1    \"0\"", "V2    1", "trap    Absent", "source  WWDC"] { #expect(report.text.contains(part)) }
  }

  @Test func hostileTextComesThroughAsText() throws {
    let report = try ReadXML(Samples.full.report(.junit))
    #expect(report["script"].isEmpty && report["img"].isEmpty)
    #expect(report["testcase"].contains { $0["name"]?.hasPrefix("<script>window.__pwned=1</script>") == true })
    #expect(report["testcase"].contains { $0["name"]?.contains("\u{FFFD}[31m") == true })
    #expect(report.text.contains("]]>"))
  }

  @Test func otherClassesFailWhenStrict() throws {
    var strict = Samples.full
    strict.strict = [.semantic, .identical]
    let failures = try ReadXML(strict.report(.junit))["failure"]
    #expect(failures.map { $0["type"] } == ["conflict", "conflict", "semantic", "identical"])
    #expect(failures.last?["message"] == DifferenceClass.identical.meaning)
  }
}
