import SlipcastReports
import SlipcastServer
import SlipcastWire

/// The closing table of `replay`.
struct ReplayTable {
  let result: ReplayResult
  let read: Int
  /// Records for which nothing can be sent.
  let notSent: Int
  private static let mostLines = 12

  private var figures: [(String, String)] {
    var rows = [
      ("read", "\(read)"), ("rejected", "\(notSent)"), ("delivered", "\(result.delivered)"),
      ("missing", "\(result.missing.count)"), ("retries", "\(result.retries)"),
    ]
    for (status, count) in result.total.statuses.sorted(by: { $0.key < $1.key }) {
      rows.append((Self.name(of: status), "\(count)"))
    }
    for (name, share) in [("p50Milliseconds", 0.5), ("p99Milliseconds", 0.99)] {
      if let latency = result.total.latency(share) { rows.append((name, ClosingTable.decimal(latency, 3))) }
    }
    return rows + [("seconds", ClosingTable.decimal(result.seconds, 3))]
  }

  var text: String {
    ClosingTable.lines(figures).map { $0 + "\n" }.joined()
      + (result.course.spans.count > 1 ? "\n" + courseText : "")
  }

  private var courseText: String { course(atMost: Self.mostLines).text(columns: Screen.columns(of: 2)) }

  func summary(_ sources: [String]) -> RunSummary {
    let end = result.isInterrupted ? "interrupted" : "finished"
    var summary = RunSummary(
      end: end, sources: sources, figures: figures.map { .init($0, $1) }, findings: [])
    (summary.command, summary.subject) = ("slipcast replay", "An archive that was sent to an endpoint")
    summary.course = course(atMost: .max)
    return summary
  }

  private func course(atMost count: Int) -> RunCourse {
    let course = result.course.shortened(to: count)
    let statuses = result.total.statuses.keys.sorted()
    let columns =
      [RunCourse.Column("requests", title: "Requests"), .init("failed", title: "Requests without success")]
      + statuses.map { RunCourse.Column(Self.name(of: $0)) }
      + [
        .init("p50Milliseconds", title: "Median latency in milliseconds"),
        .init("p99Milliseconds", title: "99th percentile of the latency in milliseconds"),
      ]
    let rows = course.spans.map { span in
      ["\(span.attempts)", "\(span.failures)"] + statuses.map { "\(span.statuses[$0] ?? 0)" }
        + [0.5, 0.99].map { span.latency($0).map { ClosingTable.decimal($0, 3) } }
    }
    return RunCourse(seconds: course.seconds, columns: columns, rows: rows)
  }

  private static func name(of status: Int) -> String { status == 0 ? "noResponse" : "status\(status)" }
}
