package import SlipcastComparison
internal import SlipcastMapping
import SlipcastWire

/// What fails in a comparison, for the output of a test: the fields first, then a short summary.
package struct FailureText {
  /// What the two sides are.
  package enum Kind: Sendable {
    /// A legacy record and what the server says.
    case parity
    /// A cast and what was expected of it.
    case expectation
  }

  /// More names than these make a line that nobody reads.
  private static let namesShown = 6

  private let comparison: Comparison
  private let kind: Kind
  private let failing: [FieldDifference]

  package init(_ comparison: Comparison, as kind: Kind = .parity) {
    (self.comparison, self.kind) = (comparison, kind)
    failing = comparison.fields.filter { comparison.fails($0) }
  }

  /// How many fields fail, and which: `1 of 51 fields conflicts: data.status`.
  package var headline: String {
    let conflicts = failing.filter { $0.differenceClass == .conflict }
    let others = failing.filter { $0.differenceClass != .conflict }
    let total = " of \(Comparison.words(comparison.fields.count)) "
    var parts: [String] = []
    if !conflicts.isEmpty {
      parts.append("\(conflicts.count)\(total)\(verb(conflicts.count)): \(Self.names(conflicts))")
    }
    if !others.isEmpty {
      let classes = Set(others.map(\.differenceClass)).sorted().map(\.rawValue).joined(separator: " and ")
      let count = conflicts.isEmpty ? "\(others.count)\(total)" : "\(others.count) more "
      parts.append("\(count)\(others.count == 1 ? "fails" : "fail") by strict \(classes): \(Self.names(others))")
    }
    return parts.joined(separator: "; ")
  }

  /// The failing fields as `slipcast diff` shows them, with blank lines between them.
  package var fields: String {
    failing.map { field in
      let row = ReportRow(field, of: comparison)
      let ink = Ink(isColored: false)
      let text = TextRow(row: row, ink: ink, isVerbose: false, values: kind == .parity ? row.values : row.expectation)
      return text.lines.joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// What the two sides are, what to know of the pair as a whole, and the number of fields per class.
  package var summary: String {
    let report = TextReport(comparison: comparison, style: ReportStyle())
    guard kind == .parity else { return report.notes.joined(separator: "\n") }
    return (report.sides + report.notes + TextLayout.wrapped(comparison.countWords, after: "")).joined(separator: "\n")
  }

  private func verb(_ count: Int) -> String {
    switch kind {
    case .parity: count == 1 ? "conflicts" : "conflict"
    case .expectation: "\(count == 1 ? "differs" : "differ") from \(comparison.server.shownName)"
    }
  }

  private static func names(_ fields: [FieldDifference]) -> String {
    let shown = fields.prefix(namesShown).map { SafeText.words($0.path) }.joined(separator: ", ")
    return fields.count > namesShown ? "\(shown) and \(fields.count - namesShown) more" : shown
  }
}

extension ReportRow {
  /// What was expected, what was found, and the V1 value that it was made of.
  fileprivate var expectation: [(label: String, value: ReportValue)] {
    [("expected", v2), ("found", cast)] + (v1 == .absent ? [] : [("V1", v1)])
  }
}
