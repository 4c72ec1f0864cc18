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
  /// The names of the sources, in order.
  let names: [String]
  let seconds: Double
  /// What an earlier run had done already; it does not count for the speed of this one.
  var before = RunCounts()

  func text(_ console: Console) -> String {
    var rows: [(String, String)] = []
    for (name, place) in RunCounts.ofRecords {
      rows.append((name, counts[keyPath: place].grouped))
      if place == \RunCounts.rejected {
        for reason in reasons { rows.append(("  \(reason.code)", reason.count.grouped)) }
      }
    }
    for (name, value) in settling + groupingFigures { rows.append((name, value.grouped)) }
    let findings = counts.findings.byCode
    rows.append(("findings", counts.findings.total.grouped))
    for finding in findings { rows.append(("  \(finding.code)", finding.count.grouped)) }
    if counts.unreadBytes > 0 { rows.append(("bytes not read", counts.unreadBytes.grouped)) }
    if counts.skippedLines > 0 { rows.append(("skippedLines", counts.skippedLines.grouped)) }
    rows.append(("seconds", Self.decimal(seconds, 3)))
    rows.append(("records/s", recordsPerSecond.grouped))
    rows.append(("MB/s", Self.decimal(megabytesPerSecond, 1)))
    return ofSources
      + zip(rows, Self.lines(rows)).map { row, line in
        (row.0 == "rejected" && counts.rejected > 0 ? console.red(line) : line) + "\n"
      }.joined()
  }

  // MARK: parts

  /// The reasons of rejects, the most frequent first.
  var reasons: [(code: String, count: Int)] {
    counts.reasons.map { (code: $0.key, count: $0.value) }.sorted { ($1.count, $0.code) < ($0.count, $1.code) }
  }

  /// The counts of each source.
  var sources: [(name: String, counts: RunCounts.OfSource)] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
      .map { ($0, counts.bySource[$0] ?? RunCounts.OfSource()) }
  }

  private static let mostSources = 20

  /// The records of several sources, a line for each; of many, only those with rejects.
  private var ofSources: String {
    var shown = sources
    guard shown.count > 1 else { return "" }
    let all = shown.count
    if all > Self.mostSources { shown = Array(shown.filter { $0.counts.rejected > 0 }.prefix(Self.mostSources)) }
    if shown.isEmpty { return "" }
    let rows =
      [("source", "read", "rejected")]
      + shown.map {
        (Console.harmless(InputFile.title($0.name)), $0.counts.read.grouped, $0.counts.rejected.grouped)
      }
    let (left, middle) = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
    let lines = rows.map { row in
      TextLayout.padded(row.0, to: left) + "  " + TextLayout.aligned(row.1, to: middle) + "  "
        + TextLayout.aligned(row.2, to: 8) + "\n"
    }
    let rest = all - shown.count
    return lines.joined() + (rest > 0 ? "… and \(rest.grouped) more sources\n\n" : "\n")
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
