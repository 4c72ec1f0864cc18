import SlipcastComparison
internal import SlipcastMapping

/// The fields of one class on a terminal: blocks, compact lines, or one line for all.
struct TextGroup {
  let group: ReportGroup
  let ink: Ink
  let isVerbose: Bool

  /// Longer values are cut in compact lines.
  private static let compactWidth = 32

  /// The heading and its rows, blocks apart from each other; empty when one line says it all.
  var blocks: [[String]] {
    let shown = isCollapsed ? group.rows.filter { $0.fails || $0.isIgnored } : group.rows
    guard !shown.isEmpty else { return [] }
    var blocks = [[heading]]
    let compact = shown.filter(isCompact)
    // One long path or value does not push all the others to the right.
    let widths = (min(compact.map(\.path.count).max() ?? 0, 60), compact.map { value($0).count }.max() ?? 0)
    var isOpen = false
    for row in shown {
      guard isCompact(row) else {
        blocks.append(TextRow(row: row, ink: ink, isVerbose: isVerbose).lines)
        isOpen = false
        continue
      }
      let line = compactLine(row, widths)
      if isOpen { blocks[blocks.count - 1].append(line) } else { blocks.append([line]) }
      isOpen = true
    }
    return blocks
  }

  /// `representation  31 fields: the same fact, written in another way`, for a class that is not shown row by row.
  var collapsedLine: String? {
    let count = group.rows.count { !$0.fails && !$0.isIgnored }
    return isCollapsed && count > 0 ? title(count, width: 14) : nil
  }

  private var isCollapsed: Bool {
    !isVerbose && (group.differenceClass == .representation || group.differenceClass == .identical)
  }

  private var heading: String {
    let strict = group.differenceClass != .conflict && group.rows.contains(where: \.fails)
    let rows = isCollapsed ? group.rows.filter { $0.fails || $0.isIgnored } : group.rows
    return title(rows.count, remark: strict ? " (failing here)" : "")
  }

  private func title(_ count: Int, remark: String = "", width: Int = 0) -> String {
    let padded = TextLayout.padded(group.differenceClass.rawValue, to: width)
    let name = ink.heading(padded, as: group.differenceClass)
    return "\(name)  \(Comparison.words(count))\(remark): \(group.differenceClass.meaning)"
  }

  /// A row that agrees, or stands on one side only, has nothing to set against each other.
  private func isCompact(_ row: ReportRow) -> Bool {
    !isVerbose && !row.fails && !row.isIgnored && row.storekit == nil
      && [.derived, .legacyOnly, .serverOnly].contains(group.differenceClass)
  }

  private func compactLine(_ row: ReportRow, _ widths: (path: Int, value: Int)) -> String {
    let path = TextLayout.padded(row.path, to: widths.path)
    return "  \(path)  \(TextLayout.padded(value(row), to: widths.value))  \(ink.dim(row.meaning))"
  }

  private func value(_ row: ReportRow) -> String {
    let one = group.differenceClass == .legacyOnly ? row.before : row.v2
    return one.cut(to: Self.compactWidth)
  }
}
