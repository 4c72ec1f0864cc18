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

  private static let namesShown = 6

  private let comparison: Comparison
  private let kind: Kind
  private let failing: [FieldDifference]
  private let form = TextForm(ink: Ink(isColored: false), isVerbose: false)

  package init(_ comparison: Comparison, as kind: Kind = .parity) {
    (self.comparison, self.kind) = (comparison, kind)
    failing = comparison.fields.filter { comparison.fails($0) }
  }

  /// How many fields fail, and which: `1 of 51 fields conflicts: data.status`.
  package var headline: String {
    let conflicts = failing.filter { $0.differenceClass == .conflict }
    let others = failing.filter { $0.differenceClass != .conflict }
    let total = " of \(Words.count(comparison.fields.count, "field")) "
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
      var row = ReportRow(field, of: comparison)
      if kind == .expectation { row.findings[0].entries = Self.expectation(field) }
      return form.lines(row).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// What the two sides are, what to know of the pair as a whole, and the number of fields per class.
  package var summary: String {
    let document = ReportDocument(comparison, .upTo(0))
    let notes = document.notes.flatMap(form.lines)
    guard kind == .parity else { return notes.joined(separator: "\n") }
    let sides = form.lines(document.sides, after: "")
    return (sides + notes + TextLayout.wrapped(document.summary, after: "")).joined(separator: "\n")
  }

  private func verb(_ count: Int) -> String {
    switch kind {
    case .parity: count == 1 ? "conflicts" : "conflict"
    case .expectation: "\(count == 1 ? "differs" : "differ") from \(comparison.server.name.safe)"
    }
  }

  private static func names(_ fields: [FieldDifference]) -> String {
    let shown = fields.prefix(namesShown).map(\.path.safe).listed
    return fields.count > namesShown ? "\(shown) and \(fields.count - namesShown) more" : shown
  }

  /// What was expected, what was found, and the V1 value that it was made of.
  private static func expectation(_ field: FieldDifference) -> [ReportFinding.Entry] {
    let place = field.v1Path.flatMap { $0 == field.path ? nil : $0.safe }
    let entries = [
      ReportFinding.Entry(label: "expected", value: ReportValue(field.v2)),
      ReportFinding.Entry(label: "found", value: ReportValue(field.cast)),
    ]
    return field.v1 == nil ? entries : entries + [.init(label: "V1", value: ReportValue(field.v1), place: place)]
  }
}
