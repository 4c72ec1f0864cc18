import SlipcastWire

/// Columns over time or over classes, in one panel or in several below each other, with the same as a table: the charts
/// of all pages.
package struct Chart: Sendable {
  package struct Series: Sendable {
    package var name: String
    package var values: [Int]

    package init(name: String, values: [Int]) { (self.name, self.values) = (name, values) }
  }

  /// What the numbers of a panel are: decides how they are summed up in words.
  package enum Measure: Sendable {
    /// Events in each span, which have a sum.
    case events
    /// States at the end of each span: the last one counts.
    case states
    /// Rates, which have neither.
    case rates
    /// Parts of a whole: `12 failing pairs`.
    case parts(of: String)
  }

  package struct Panel: Sendable {
    package var title: String
    package var about = ""
    package var series: [Series]
    package var measure = Measure.events
    /// It is lower than others, and without color: what others are compared with.
    package var isQuiet = false
  }

  /// One word: the name of its table.
  package var id: String
  /// What a column is: `Month`.
  package var unit: String
  package var labels: [String]
  package var panels: [Panel]
  /// The labels of the two ends; `nil`: the labels of the columns.
  package var ends: (first: String, last: String)?
  /// The word before the label of a span in a sentence.
  package var preposition = "in"
  /// A table that has more than the chart; `nil`: the numbers of the chart.
  package var fullTable: DataTable?

  /// A chart with one panel.
  package init(
    id: String, title: String, about: String = "", unit: String, labels: [String], series: [Series],
    measure: Measure = .events
  ) {
    (self.id, self.unit, self.labels) = (id, unit, labels)
    panels = [Panel(title: title, about: about, series: series, measure: measure)]
  }

  /// A chart with panels over the same spans.
  package init(id: String, unit: String, labels: [String], panels: [Panel]) {
    (self.id, self.unit, self.labels, self.panels) = (id, unit, labels, panels)
  }

  package var title: String { panels.map(\.title).joined(separator: "; ") }
  package var isEmpty: Bool { panels.allSatisfy(\.isEmpty) }

  package var table: DataTable {
    if let fullTable { return fullTable }
    let columns = panels.flatMap { panel in
      panel.series.map { ($0.name.isEmpty ? panel.title : $0.name, $0.values) }
    }
    var table = DataTable(
      id: id, caption: title, columns: [.words(unit)] + columns.map { DataTable.Column.number($0.0) })
    table.rows = labels.indices.map { place in
      DataTable.Row(cells: [.words(labels[place])] + columns.map { .number($0.1[place]) })
    }
    return table
  }
}

extension Chart {
  private static let mostLabels = 8
  /// More rows of a table are only in its download.
  private static let mostRows = 120

  /// - Parameter download: the address of the table as CSV.
  package func add(to parent: Markup, download: String? = nil) {
    let figure = parent.add("figure", ["class": "time"])
    for panel in panels { panel.shortened.add(to: figure, labels, preposition) }
    // A few columns have each its label; of many the first and the last one.
    let isShort = ends == nil && labels.count <= Self.mostLabels
    let axis = figure.add("p", ["class": isShort ? "axis each" : "axis"])
    let ends = ends ?? (labels.first ?? "", labels.last ?? "")
    for label in isShort ? labels : [ends.first, ends.last] { axis.add("span", text: label) }
    for panel in panels where panel.series.count > 1 {
      figure.colorKeys("series", panel.shortened.series.enumerated().map { ("s\($0)", $1.name) }, areCode: true)
    }
    let details = figure.add("details", ["class": "more"])
    details.add("summary", text: "The same as a table")
    var table = table
    let rest = download == nil ? 0 : table.rows.count - Self.mostRows
    if rest > 0 { table.rows = Array(table.rows.suffix(Self.mostRows)) }
    table.add(to: details, download: download)
    if rest > 0 { details.add("p", ["class": "about"], text: "\(rest) earlier rows are in the download.") }
  }
}

extension Chart.Panel {
  /// More series are joined to one.
  private static let mostSeries = 7
  private static let height = 100.0

  fileprivate var isEmpty: Bool { series.allSatisfy { $0.values.allSatisfy { $0 == 0 } } }

  private var totals: [Int] {
    let count = series.map(\.values.count).max() ?? 0
    return (0..<count).map { place in series.reduce(0) { $0 + $1.values[place] } }
  }

  /// The series with the largest sums, and one for all others.
  fileprivate var shortened: Self {
    guard series.count > Self.mostSeries else { return self }
    var panel = self
    let sums = series.map { ($0, $0.values.reduce(0, +)) }.sorted { ($1.1, $0.0.name) < ($0.1, $1.0.name) }
    let rest = sums[(Self.mostSeries - 1)...].map(\.0)
    let others = totals.indices.map { place in rest.reduce(0) { $0 + $1.values[place] } }
    panel.series = sums.prefix(Self.mostSeries - 1).map(\.0) + [Chart.Series(name: "others", values: others)]
    return panel
  }

  fileprivate func add(to figure: Markup, _ labels: [String], _ preposition: String) {
    let peak = peak(labels, preposition)
    let heading = figure.add("p", ["class": "panel-title"])
    heading.add("strong", text: title)
    heading.add(text: " \(peak)")
    if !about.isEmpty { figure.add("p", ["class": "about"], text: about) }
    let picture = figure.drawing(
      isQuiet ? "panel-chart series quiet" : "panel-chart series", text: "\(title): \(peak)",
      width: 10 * max(1, labels.count), height: Int(Self.height))
    draw(picture, labels)
  }

  /// What a person reads of it: the text alternative.
  private func peak(_ labels: [String], _ preposition: String) -> String {
    let totals = totals
    guard let most = totals.max(), most > 0, let place = totals.firstIndex(of: most) else { return "none" }
    let highest = "at most \(most.grouped) \(preposition) \(labels[place])"
    switch measure {
    case .events: return "\(totals.reduce(0, +).grouped) in all, \(highest)"
    case .states: return "\((totals.last ?? 0).grouped) at last, \(highest)"
    case .rates: return highest
    case .parts(let whole): return "\(most.grouped) of \(whole): \(labels[place])"
    }
  }

  private func draw(_ picture: Markup, _ labels: [String]) {
    let most = Double(max(1, totals.max() ?? 1))
    for place in labels.indices {
      var y = Self.height
      for (number, one) in series.enumerated() where one.values[place] > 0 {
        // What is there can be seen, however little it is.
        let height = max(2, Self.height * Double(one.values[place]) / most)
        y = max(0, y - height)
        let name = one.name.isEmpty ? "" : ", \(one.name)"
        picture.box(
          "s\(number)", x: Double(place * 10 + 1), y: y, width: 8, height: height,
          title: "\(labels[place])\(name): \(one.values[place].grouped)")
      }
    }
  }
}
