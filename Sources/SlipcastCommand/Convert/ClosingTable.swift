import SlipcastBulk
import SlipcastMapping
import SlipcastTimeline
import SlipcastWire

/// The table that closes a run: what was read and what became of it.
struct ClosingTable {
  let counts: RunCounts
  var grouping: GroupingCounts?
  /// What --settle made of ambiguous readings.
  var settling: [(String, Int)] = []
  let files: Int
  let seconds: Double
  /// What an earlier run had done already; it does not count for the speed of this one.
  var before = RunCounts()

  func text(_ console: Console) -> String {
    var rows = RunCounts.ofRecords.map { ($0.name, counts[keyPath: $0.place].grouped) }
    for (name, value) in settling + groupingFigures { rows.append((name, value.grouped)) }
    let findings = counts.findings.byCode
    rows.append(("findings", counts.findings.total.grouped))
    for finding in findings { rows.append(("  \(finding.code)", finding.count.grouped)) }
    if counts.unreadBytes > 0 { rows.append(("bytes not read", counts.unreadBytes.grouped)) }
    if counts.skippedLines > 0 { rows.append(("skippedLines", counts.skippedLines.grouped)) }
    rows.append(("seconds", Self.decimal(seconds, 3)))
    rows.append(("records/s", recordsPerSecond.grouped))
    rows.append(("MB/s", Self.decimal(megabytesPerSecond, 1)))
    return zip(rows, Self.lines(rows)).map { row, line in
      (row.0 == "rejected" && counts.rejected > 0 ? console.red(line) : line) + "\n"
    }.joined()
  }

  static func lines(_ rows: [(String, String)]) -> [String] {
    let left = rows.map(\.0.count).max() ?? 0
    let right = rows.map(\.1.count).max() ?? 0
    return rows.map { TextLayout.padded($0.0, to: left) + "  " + TextLayout.aligned($0.1, to: right) }
  }

  var recordsPerSecond: Int { Int(Double(counts.read - before.read) / max(seconds, 1e-6)) }
  /// Of what was read, compression taken off.
  var megabytesPerSecond: Double { Double(counts.bytes - before.bytes) / 1e6 / max(seconds, 1e-6) }

  var groupingFigures: [(String, Int)] {
    guard let grouping else { return [] }
    return [
      ("events", grouping.leads), ("foldedIn", grouping.absorbed), ("decidedByGroup", grouping.reclassified),
      ("unmatched", grouping.unmatched), ("untimed", grouping.untimed),
    ]
  }

  /// A number with so many digits behind the point.
  static func decimal(_ value: Double, _ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let whole = Int((value * scale).rounded())
    let fraction = String(whole % Int(scale))
    return "\(whole / Int(scale))." + String(repeating: "0", count: places - fraction.count) + fraction
  }
}
