import SlipcastComparison
internal import SlipcastMapping
import SlipcastWire

/// One field on a terminal: its path, the values under each other, and what to make of them.
struct TextRow {
  /// Longer values are cut.
  static let valueWidth = 60

  let row: ReportRow
  let ink: Ink
  let isVerbose: Bool
  /// The sides under each other, with their labels.
  let values: [(label: String, value: ReportValue)]

  init(row: ReportRow, ink: Ink, isVerbose: Bool, values: [(label: String, value: ReportValue)]? = nil) {
    (self.row, self.ink, self.isVerbose, self.values) = (row, ink, isVerbose, values ?? row.values)
  }

  var lines: [String] {
    let path = row.isIgnored ? ink.dim(row.path) : ink.heading(row.path, as: row.differenceClass)
    return ["  " + path] + body
  }

  /// Everything under the path.
  var body: [String] {
    var lines = valueLines + TextLayout.wrapped(row.meaning, after: Self.margin)
    if let storekit = row.storekit { lines += TextLayout.wrapped(storekit, after: Self.margin + "StoreKit  ") }
    if let ignored = row.ignored { lines += TextLayout.wrapped(ignored, after: Self.margin).map(ink.dim) }
    return isVerbose ? lines + details.map(ink.dim) : lines
  }

  private static let margin = "    "

  private var valueLines: [String] {
    let start = row.sharedPrefix
    let texts = values.map {
      ($0.label, isVerbose ? $0.value.text : $0.value.cut(to: Self.valueWidth, showing: start))
    }
    // The V1 path follows its value; where V1 and V2 agree on the name it would only repeat the heading.
    let legacyPath = row.v1Path.flatMap { $0 == row.path ? nil : "  " + ink.dim($0) } ?? ""
    let width = max(4, texts.map(\.0.count).max() ?? 0) + 2
    return texts.map { label, text in
      Self.margin + TextLayout.padded(label, to: width) + text + (label == "V1" ? legacyPath : "")
    }
  }

  private var details: [String] {
    var lines: [String] = []
    if let rule = row.rule { lines.append(Self.margin + "rule    " + rule) }
    if let trap = row.trap { lines += TextLayout.wrapped(trap, after: Self.margin + "trap    ") }
    return lines + row.sources.map { Self.margin + "source  " + $0.line }
  }
}
