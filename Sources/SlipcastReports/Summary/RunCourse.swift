@_spi(Slipcast) internal import SlipcastWire

/// Figures over the time of a run, in spans of equal length from its start.
public struct RunCourse: Hashable, Sendable {
  /// What one figure of each span is.
  public struct Column: Hashable, Sendable {
    /// One word: `requests`, `status200`.
    public var name: String
    /// What pages call it; `nil`: pages do not draw it.
    public var title: String?

    /// Names a column.
    public init(_ name: String, title: String? = nil) { (self.name, self.title) = (name, title) }
  }

  /// The seconds of one span.
  public var seconds: Int
  /// The figures of each span.
  public var columns: [Column]
  /// One row for each span: values as JSON spells numbers; `nil` if absent.
  public var rows: [[String?]]

  /// Describes figures over time.
  public init(seconds: Int, columns: [Column], rows: [[String?]]) {
    (self.seconds, self.columns, self.rows) = (seconds, columns, rows)
  }

  /// Rows in which something happened, each with the second of its start.
  private var shown: [(from: Int, row: [String?])] {
    rows.enumerated().filter { $0.element.contains { $0 != nil && $0 != "0" } }.map {
      ($0.offset * seconds, $0.element)
    }
  }

  /// A table in lines of text.
  public var text: String {
    let names = ["fromSecond"] + columns.map(\.name)
    let cells = shown.map { from, row in ["\(from)"] + row.map { $0 ?? "" } }
    let widths = names.indices.map { column in ([names] + cells).map { $0[column].count }.max() ?? 0 }
    return ([names] + cells).map { row in
      zip(row, widths).map { TextLayout.aligned($0, to: $1) }.joined(separator: "  ") + "\n"
    }.joined()
  }

  func write(to writer: JSONWriter) {
    writer.member("seconds", seconds)
    writer.list("spans", shown) { from, row in
      writer.member("from", from)
      for (column, value) in zip(columns, row) {
        guard let value else { continue }
        writer.key(column.name)
        writer.raw(value)
      }
    }
  }

  func add(to parent: Markup) {
    let list = parent.add("course", ["seconds": "\(seconds)"])
    for (from, row) in shown {
      let span = list.add("span", ["from": "\(from)"])
      for (column, value) in zip(columns, row) { if let value { span.set(column.name, value) } }
    }
  }

  var section: ReportSection {
    let drawn = columns.indices.filter { columns[$0].title != nil }
    let panels = drawn.map { column in
      ReportPeriods.Panel(
        title: columns[column].title ?? "", kind: "events",
        numbers: rows.map { $0[column].flatMap(Double.init).map { Int($0.rounded(.up)) } ?? 0 })
    }
    let spans = rows.indices.map { "from second \($0 * seconds)" }
    let periods = ReportPeriods(
      panels: panels, spans: spans, first: "start", last: "after \(rows.count * seconds) s")
    let table = ReportTable(
      caption: "Figures of each span of \(seconds) s",
      columns: [.name("from second")] + columns.map { .number($0.name) },
      rows: shown.map { from, row in [.words("\(from)")] + row.map { .number($0 ?? "–") } })
    return ReportSection(id: "course", title: "Over time", blocks: [.periods(periods), .table(table)])
  }
}
