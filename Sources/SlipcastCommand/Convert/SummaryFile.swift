import SlipcastBulk
import SlipcastMapping
import SlipcastReports

/// The files of `--summary`.
enum SummaryFile {
  static func targets(_ arguments: Arguments) throws -> [(path: String, format: RunSummary.Format)] {
    try arguments.all("summary").map { path in
      guard let format = RunSummary.Format(path: path) else {
        let endings = RunSummary.Format.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
        throw UsageError("--summary \(path): the name ends with none of \(endings)")
      }
      return (path, format)
    }
  }

  static func write(_ table: ClosingTable, end: RunEnd, inputs: ConvertInputs, _ arguments: Arguments) throws {
    let counts = table.counts
    func figure(_ count: RunCounts.Named) -> RunSummary.Figure { .init(count.name, "\(counts[keyPath: count.place])") }
    var figures = RunCounts.ofRecords.map(figure) + [.init("findingsTotal", "\(counts.findings.total)")]
    figures += RunCounts.ofSources.map(figure)
    figures += [
      .init("seconds", ClosingTable.decimal(table.seconds, 3)),
      .init("records/s", "\(table.recordsPerSecond)"),
      .init("MB/s", ClosingTable.decimal(table.megabytesPerSecond, 1)),
    ]
    figures += (table.settling + table.groupingFigures).map { name, value in
      .init(name.hasPrefix(" ") ? "settle." + name.split(separator: " ").joined(separator: ".") : name, "\(value)")
    }
    var summary = RunSummary(
      end: end.rawValue, sources: inputs.names, figures: figures,
      findings: counts.findings.byCode.map { .init($0.code, "\($0.count)") })
    summary.reasons = table.reasons.map { .init($0.code, "\($0.count)") }
    summary.bySource = table.sources.map { .init($0.name, read: $0.counts.read, rejected: $0.counts.rejected) }
    (summary.made, summary.options) = (ReportClock.milliseconds, GivenOptions.list(arguments))
    for (path, format) in try targets(arguments) { try Files.write(summary.text(format), to: path) }
  }
}
