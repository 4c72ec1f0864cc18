import SlipcastComparison
import SlipcastMapping
import SlipcastReports
import Testing

@Suite struct ReportTests {
  @Test(arguments: ReportFormat.allCases)
  func theSameComparisonGivesTheSameBytes(_ format: ReportFormat) {
    #expect(Samples.full.report(format) == Samples.full.report(format))
  }

  @Test(arguments: ReportFormat.allCases)
  func everyDocumentEndsWithOneLineFeed(_ format: ReportFormat) {
    for comparison in Samples.all {
      let report = comparison.report(format)
      #expect(report.hasSuffix("\n") && !report.hasSuffix("\n\n"))
    }
  }

  @Test(arguments: ReportFormat.allCases)
  func anEmptyComparisonIsParity(_ format: ReportFormat) {
    let report = Samples.empty.report(format).lowercased()
    #expect(format == .junit ? report.contains("tests=\"0\" failures=\"0\"") : report.contains("parity"))
  }

  @Test(arguments: ReportFormat.allCases)
  func everyFormNamesBothSidesAndEveryConflict(_ format: ReportFormat) {
    let report = Samples.full.report(format)
    for part in [Samples.full.legacy.name, Samples.full.server.name, "revocationDate", "com.example.monthly"] {
      #expect(report.contains(part), "\(part)")
    }
  }

  @Test func reportsCanBeWrittenSideBySide() async {
    let expected = [Samples.full.report(.html), Samples.full.report(.junit)]
    await withTaskGroup { group in
      for _ in 0..<32 { group.addTask { [Samples.full.report(.html), Samples.full.report(.junit)] } }
      for await reports in group { #expect(reports == expected) }
    }
  }
}
