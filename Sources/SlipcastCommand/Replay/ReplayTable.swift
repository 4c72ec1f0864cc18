import SlipcastReports
import SlipcastServer
import SlipcastWire

/// The closing table of `replay`.
struct ReplayTable {
  let result: ReplayResult
  let read: Int
  /// Records for which nothing can be sent.
  let notSent: Int

  private var figures: [(name: String, value: String)] {
    var rows = [
      ("read", "\(read)"), ("rejected", "\(notSent)"), ("delivered", "\(result.delivered)"),
      ("missing", "\(result.missing.count)"), ("retries", "\(result.retries)"),
    ]
    for (status, count) in result.statuses.sorted(by: { $0.key < $1.key }) {
      rows.append((status == 0 ? "noResponse" : "status\(status)", "\(count)"))
    }
    for (name, share) in [("p50Milliseconds", 0.5), ("p99Milliseconds", 0.99)] {
      if let latency = result.latency(share) { rows.append((name, ClosingTable.decimal(latency, 3))) }
    }
    return rows + [("seconds", ClosingTable.decimal(result.seconds, 3))]
  }

  var text: String {
    let left = figures.map(\.name.count).max() ?? 0
    let right = figures.map(\.value.count).max() ?? 0
    return figures.map { row in
      TextLayout.padded(row.name, to: left) + "  " + TextLayout.aligned(row.value, to: right) + "\n"
    }.joined()
  }

  func summary(_ sources: [String]) -> RunSummary {
    let end = result.isInterrupted ? "interrupted" : "finished"
    var summary = RunSummary(
      end: end, sources: sources, figures: figures.map { .init($0.name, $0.value) }, findings: [])
    (summary.command, summary.subject) = ("slipcast replay", "An archive that was sent to an endpoint")
    let seconds = max(1, (result.course.count + 119) / 120)
    func course(_ title: String, _ value: (ArraySlice<(attempts: Int, failures: Int, longest: Int)>) -> Int)
      -> RunSummary.Course
    {
      let starts = stride(from: 0, to: result.course.count, by: seconds)
      return RunSummary.Course(
        title, starts.map { value(result.course[$0..<min($0 + seconds, result.course.count)]) }, seconds: seconds)
    }
    summary.course = [
      course("Requests") { $0.reduce(0) { $0 + $1.attempts } },
      course("Requests without success") { $0.reduce(0) { $0 + $1.failures } },
      course("Longest latency in milliseconds") { $0.map(\.longest).max() ?? 0 },
    ]
    return summary
  }
}
