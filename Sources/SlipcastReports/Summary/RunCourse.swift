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
  public var text: String { text(columns: nil) }

  /// A table in lines of text; on a terminal with few columns it becomes several, one below the other.
  ///
  /// - Parameter columns: those of the terminal; `nil` for none.
  package func text(columns limit: Int?) -> String {
    let names = ["fromSecond"] + columns.map(\.name)
    let rows = [names] + shown.map { from, row in ["\(from)"] + row.map { $0 ?? "" } }
    let widths = names.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var tables: [[Int]] = []
    for column in names.indices.dropFirst() {
      let width = (tables.last ?? []).reduce(widths[0]) { $0 + 2 + widths[$1] }
      if tables.isEmpty || width + 2 + widths[column] > limit ?? .max { tables.append([]) }
      tables[tables.count - 1].append(column)
    }
    return tables.map { table in
      rows.map { row in
        ([0] + table).map { TextLayout.aligned(row[$0], to: widths[$0]) }.joined(separator: "  ") + "\n"
      }.joined()
    }.joined(separator: "\n")
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
        title: columns[column].title ?? "", kind: .rates,
        numbers: rows.map { $0[column].flatMap(Double.init).map { Int($0.rounded(.up)) } ?? 0 })
    }
    let spans = rows.indices.map { "from second \($0 * seconds)" }
    let table = ReportTable(
      caption: "Figures of each span of \(seconds) s",
      columns: [.name("from second")] + columns.map { .number($0.name) },
      rows: shown.map { from, row in [.words("\(from)")] + row.map { .number($0 ?? "–") } })
    let periods = ReportPeriods(
      panels: panels, spans: spans, first: "start", last: "after \(rows.count * seconds) s", table: table)
    return ReportSection(id: "course", title: "Over time", blocks: [.periods(periods)])
  }
}
