import Foundation
import SlipcastComparison
import SlipcastReports
import SlipcastTestSupport
import Testing

/// The held truth of the reports of two archives: `Fixtures/parity/reports`.
///
/// `RECORD=1` rewrites all forms; the review is the difference in version control. Pages name their style sheet and
/// script, which are in the sources: `{page.css}`.
@Suite struct ParityGoldenTests {
  private static let files: [ReportFormat: String] = [
    .text: "report.txt", .json: "report.json", .markdown: "report.md", .junit: "report.xml", .html: "report.html",
  ]

  @Test(arguments: ParitySamples.all.map(\.name), ReportFormat.allCases)
  func aResultIsReportedAsWhatStandsInItsFolder(_ name: String, _ format: ReportFormat) throws {
    let result = try #require(ParitySamples.all.first { $0.name == name }).result
    let file = try #require(Self.files[format])
    let fixture = Fixture.named("parity/reports/\(name)")
    let report = try Self.bare(result.report(format))
    if Fixture.isRecording {
      try FileManager.default.createDirectory(at: fixture.folder, withIntermediateDirectories: true)
      try fixture.record(report, file)
    }
    // Not as an expectation of two texts: pages are long.
    let expected = try fixture.text(file)
    let same = zip(report.split(separator: "\n"), expected.split(separator: "\n")).prefix { $0 == $1 }.count
    #expect(report == expected, "differs behind line \(same)")
  }

  /// A page with the names of its style sheets and scripts where these stand.
  private static func bare(_ page: String) throws -> String {
    var page = page
    for path in ["page.css", "page.js"] {
      let text = try String(
        contentsOfFile: Folder.package("Sources/SlipcastReports/Forms/HTML/\(path)"), encoding: .utf8)
      page = page.replacing(text, with: "{\(path)}")
    }
    return page
  }

  @Test func everyFolderIsOfAResult() {
    #expect(Set(Folder.names(Fixture.named("parity/reports").folder.path)) == Set(ParitySamples.all.map(\.name)))
  }
}
