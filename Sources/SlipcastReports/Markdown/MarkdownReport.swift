import SlipcastComparison
internal import SlipcastMapping

/// The form for a comment on a pull request.
struct MarkdownReport {
  let comparison: Comparison

  var text: String {
    let rows = comparison.groups.flatMap(\.rows)
    let open = rows.filter { $0.fails || $0.differenceClass < .derived }
    let oneSided = rows.filter { !$0.fails && ($0.differenceClass == .legacyOnly || $0.differenceClass == .serverOnly) }
    let elsewhere = rows.filter { $0.differenceClass == .elsewhere }
    let alike = rows.filter { !$0.fails && ($0.differenceClass >= .representation || $0.differenceClass == .derived) }
    let parts = [
      [heading], sides + notes, counts, differences(open), folded("one side alone says", oneSided, isOneSided: true),
      folded("other messages report", elsewhere, isOneSided: true),
      folded("both sides say alike", alike, isOneSided: false),
      comparison.originWords.map(MarkdownText.origin) ?? [],
    ]
    return TextLayout.blocks(parts)
  }

  private var heading: String {
    "## \(comparison.verdict.coloredMark) \(comparison.verdict.title): \(comparison.verdictWords)"
  }

  private var sides: [String] {
    zip(comparison.labels, [comparison.legacy, comparison.server]).map { label, side in
      "- \(label) \(MarkdownText.code(side.shownName)): \(MarkdownText.prose(side.shownDescription))"
    }
  }

  private var notes: [String] {
    comparison.notes.map(MarkdownText.note)
  }

  private var counts: [String] {
    let counts = comparison.counts
    let names = DifferenceClass.allCases.map(\.rawValue) + ["unreadable", "ignored"]
    let numbers =
      DifferenceClass.allCases.map { counts[$0, default: 0] } + [comparison.unreadableCount, comparison.ignoredCount]
    return MarkdownText.table(names, numbersFrom: 0, [numbers.map(String.init)])
  }

  private func differences(_ rows: [ReportRow]) -> [String] {
    guard !rows.isEmpty else { return [] }
    guard comparison.isFromVersion1 else { return both(rows) }
    return table(["field", "V1", "cast", "V2", "class", "meaning"], rows) { row in
      [
        paths(row), MarkdownText.value(row.v1, of: row), cast(row),
        MarkdownText.value(row.v2, of: row), name(row), meaning(row),
      ]
    }
  }

  /// A table of the two sides.
  private func both(_ rows: [ReportRow]) -> [String] {
    table(["field"] + comparison.labels + ["class", "meaning"], rows) { row in
      [
        paths(row), MarkdownText.value(row.before, of: row), MarkdownText.value(row.v2, of: row), name(row),
        meaning(row),
      ]
    }
  }

  private func folded(_ title: String, _ rows: [ReportRow], isOneSided: Bool) -> [String] {
    guard !rows.isEmpty else { return [] }
    let table =
      isOneSided
      ? table(["field", "value", "class", "meaning"], rows) { row in
        let value = row.differenceClass == .serverOnly ? row.v2 : row.before
        return [paths(row), MarkdownText.value(value, of: row), name(row), meaning(row)]
      }
      : both(rows)
    return MarkdownText.folded("\(Comparison.words(rows.count)) that \(title)", table)
  }

  private func paths(_ row: ReportRow) -> String {
    let legacy = row.v1Path.flatMap { $0 == row.path ? nil : "<br>V1 \(MarkdownText.code($0))" } ?? ""
    return MarkdownText.code(row.path) + legacy
  }

  private func cast(_ row: ReportRow) -> String {
    if row.showsCast { return MarkdownText.value(row.cast, of: row) }
    return row.cast == .absent ? "" : "as V1"
  }

  private func name(_ row: ReportRow) -> String {
    row.fails ? "**\(row.differenceClass.rawValue)**" : row.differenceClass.rawValue
  }

  private func meaning(_ row: ReportRow) -> String {
    let storekit = row.storekit.map { "StoreKit " + $0 }
    return [row.meaning, storekit, row.ignored].compactMap(\.self).filter { !$0.isEmpty }.map(MarkdownText.prose)
      .joined(separator: "<br>")
  }

  private func table(_ names: [String], _ rows: [ReportRow], _ cells: (ReportRow) -> [String]) -> [String] {
    MarkdownText.table(names, rows.map(cells))
  }
}
