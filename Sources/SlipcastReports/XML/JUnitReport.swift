import SlipcastComparison
internal import SlipcastMapping
import SlipcastWire

/// The form that build servers read: a test case per field.
struct JUnitReport {
  let comparison: Comparison

  var text: String {
    JUnitSuite(
      command: "slipcast diff", name: "\(comparison.legacy.shownName) and \(comparison.server.shownName)",
      cases: comparison.fields.map { test(ReportRow($0, of: comparison)) },
      properties: comparison.originWords?.properties ?? [], output: comparison.notes.lines
    ).text
  }

  private func test(_ row: ReportRow) -> JUnitCase {
    JUnitCase(name: row.path, className: "slipcast.diff.\(row.differenceClass.rawValue)", outcome: outcome(row))
  }

  private func outcome(_ row: ReportRow) -> JUnitCase.Outcome {
    if let reason = row.reason { return .skipped("ignored: \(reason)") }
    guard row.fails else { return .passed(row.meaning.isEmpty ? nil : row.meaning) }
    let message = row.meaning.isEmpty ? row.differenceClass.meaning : row.meaning
    return .failed(message: message, type: row.differenceClass.rawValue, details: details(row))
  }

  /// The row as the terminal shows it, whole.
  private func details(_ row: ReportRow) -> String {
    TextRow(row: row, ink: Ink(isColored: false), isVerbose: true).lines.map { $0 + "\n" }.joined()
  }
}

extension [Comparison.Note] {
  /// A line for each.
  var lines: String { map { "\($0.severity): \($0.shownMessage)\n" }.joined() }
}
