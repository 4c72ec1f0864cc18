import SlipcastMapping
import SlipcastWire

/// Fields and findings on a terminal: a path, the values under each other, and what to make of them.
extension TextForm {
  private static let margin = "    "
  /// Longer values are cut.
  private var valueWidth: Int { columns == nil ? 60 : min(60, width - 12) }

  /// A row; of many pairs it shows one, or each with all details.
  ///
  /// Empty for a row of many pairs without samples.
  func lines(_ row: ReportRow) -> [String] {
    let path = row.isIgnored ? ink.dim(row.path) : ink.heading(row.path, as: row.differenceClass)
    guard row.number != nil else { return ["  " + path] + row.findings.flatMap(body) }
    let findings = isVerbose ? row.findings : Array(row.findings.prefix(1))
    guard !findings.isEmpty else { return [] }
    return ["  " + path, "  " + ink.dim(row.countWords)]
      + findings.flatMap { finding in
        let name = finding.differenceClass ?? row.differenceClass
        return ["  \(finding.records ?? ""): \(ink.heading(name.rawValue, as: name))"] + body(finding)
      }
  }

  func lines(_ finding: ReportFinding) -> [String] { ["  " + ink.bold(finding.records ?? "")] + body(finding) }

  private func body(_ finding: ReportFinding) -> [String] {
    var lines = valueLines(finding) + wrapped(finding.meaning, after: Self.margin)
    if let storekit = finding.storekit { lines += wrapped(storekit, after: Self.margin + "StoreKit  ") }
    if let ignored = finding.ignored { lines += wrapped(ignored, after: Self.margin).map(ink.dim) }
    return isVerbose && finding.records == nil ? lines + background(finding).map(ink.dim) : lines
  }

  private func valueLines(_ finding: ReportFinding) -> [String] {
    let width = max(4, finding.entries.map(\.label.count).max() ?? 0) + 2
    return finding.entries.map { entry in
      let value = isVerbose ? entry.value.text : entry.value.cut(to: valueWidth, showing: finding.sharedPrefix)
      let place = entry.place.map { "  " + ink.dim($0) } ?? ""
      return Self.margin + TextLayout.padded(entry.label, to: width) + value + place
    }
  }

  private func background(_ finding: ReportFinding) -> [String] {
    var lines: [String] = []
    if let rule = finding.rule { lines.append(Self.margin + "rule    " + rule) }
    if let trap = finding.trap { lines += wrapped(trap, after: Self.margin + "trap    ") }
    return lines + finding.sources.map { Self.margin + "source  " + $0.line }
  }
}
