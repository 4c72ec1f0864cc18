import SlipcastReports
import Testing

@Suite struct ReportFormatTests {
  @Test(arguments: [
    ("a.html", ReportFormat.html), ("a/b.XML", .junit), ("x.md", .markdown), ("x.y.json", .json), ("r.txt", .text),
  ])
  func theExtensionChoosesTheForm(_ path: String, _ format: ReportFormat) {
    #expect(ReportFormat(path: path) == format)
  }

  @Test(arguments: ["report", "report.pdf", "html", ".html/x", ""])
  func anotherExtensionIsNoForm(_ path: String) { #expect(ReportFormat(path: path) == nil) }
}
