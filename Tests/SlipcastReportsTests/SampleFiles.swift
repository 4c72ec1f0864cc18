import Foundation
import SlipcastReports
import Testing

extension Samples {
  static let folder = ProcessInfo.processInfo.environment["SLIPCAST_REPORT_SAMPLES"].map { URL(fileURLWithPath: $0) }
}

/// Writes reports for checks outside of Swift (`Tests/end-to-end/reports`): SLIPCAST_REPORT_SAMPLES names the folder.
@Suite(.enabled(if: Samples.folder != nil)) struct SampleFiles {
  @Test func samplesAreWritten() throws {
    let folder = try #require(Samples.folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let names: [ReportFormat: String] = [.text: "txt", .json: "json", .markdown: "md", .junit: "xml", .html: "html"]
    for (name, comparison) in zip(["full", "parity", "empty"], Samples.all) {
      for (format, ending) in names {
        let file = folder.appendingPathComponent("\(name).\(ending)")
        try Data(comparison.report(format).utf8).write(to: file)
      }
      let style = ReportStyle(isColored: true, isVerbose: true)
      let file = folder.appendingPathComponent("\(name)-colored.txt")
      try Data(comparison.report(.text, style: style).utf8).write(to: file)
    }
  }
}
