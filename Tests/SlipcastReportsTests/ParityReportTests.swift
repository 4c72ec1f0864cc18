import SlipcastComparison
import SlipcastReports
import Testing

@Suite struct ParityReportTests {
  private static let names = ParitySamples.all.map(\.name)

  private func result(_ name: String) throws -> ParityResult {
    try #require(ParitySamples.all.first { $0.name == name }).result
  }

  @Test(arguments: names, ReportFormat.allCases)
  func everyDocumentEndsWithOneLineFeed(_ name: String, _ format: ReportFormat) throws {
    let report = try result(name).report(format)
    #expect(report.hasSuffix("\n") && !report.hasSuffix("\n\n"))
  }

  @Test(arguments: names, [ReportFormat.text, .markdown])
  func noLineEndsWithABlank(_ name: String, _ format: ReportFormat) throws {
    for isVerbose in [false, true] {
      let report = try result(name).report(format, style: ReportStyle(isVerbose: isVerbose))
      let lines = report.split(separator: "\n").filter { $0.hasSuffix(" ") }
      #expect(lines.isEmpty, "\(lines)")
    }
  }

  @Test(arguments: ReportFormat.allCases)
  func everyFormNamesBothArchivesAndEveryPathInConflict(_ format: ReportFormat) {
    let report = ParitySamples.findings.report(format)
    // The JSON form is about the numbers: its contract has no names.
    let names = format == .json ? [] : ["v1-notifications.ndjson.zst", "v2-notifications.ndjson.zst"]
    for part in names + ["priceIncreaseStatus", "expiresDate", "notificationType", "subtype"] {
      #expect(report.contains(part), "\(part)")
    }
  }

  @Test(arguments: [
    (ReportFormat.text, "ACCESS", ["gates  ", "records  ", "agreement  ", "types  "]),
    (.markdown, "Access: after the switch", ["`baseline`", "| path |", "<details>"]),
    (.junit, "slipcast.parity.entitlement", ["slipcast.parity.gate", "slipcast.parity.field"]),
    (.html, "id=\"access\"", ["id=\"gates\"", "id=\"records\"", "id=\"agreement\"", "id=\"fields\""]),
    (.json, "\"entitlement\": ", ["\"types\": ", "\"fields\": ", "\"gates\": "]),
  ])
  func whoWouldBeServedOtherwiseComesBeforeEveryOtherFinding(
    _ format: ReportFormat, _ access: String, _ others: [String]
  ) throws {
    let report = ParitySamples.findings.report(format)
    let first = try #require(report.firstRange(of: access)).lowerBound
    for other in others {
      let place = try #require(report.firstRange(of: other), "\(other)").lowerBound
      #expect(first < place, "\(other)")
    }
  }

  @Test(arguments: ReportFormat.allCases)
  func nothingMovesTheCursorOrTurnsTheWritingRound(_ format: ReportFormat) {
    let report = ParitySamples.hostile.report(format, style: ReportStyle(isVerbose: true))
    let dangerous = report.unicodeScalars.filter { scalar in
      scalar.value < 0x20 && scalar != "\n"
        || format != .json
          && ((0x7F...0x9F).contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
            || (0x2066...0x2069).contains(scalar.value))
    }
    #expect(dangerous.isEmpty)
  }

  @Test(arguments: ReportFormat.allCases)
  func anAgreementWithAConflictIsNeverAWholeOne(_ format: ReportFormat) {
    let result = ParitySamples.huge.with { result in
      result.fields.removeLast(200)
      result.periods = []
    }
    var report = result.report(format)
    // The style sheet knows widths of that much.
    if let style = report.firstRange(of: "</style>") { report.removeSubrange(..<style.lowerBound) }
    #expect(!report.contains("100%"))
    if format != .json { #expect(report.contains("99.9999%")) }
  }

  @Test func pagesCanBeWrittenSideBySide() async {
    let expected = ParitySamples.findings.report(.html)
    await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { ParitySamples.findings.report(.html) } }
      for await report in group { #expect(report == expected) }
    }
  }
}
