internal import SlipcastReports
internal import SlipcastWire

/// Columns over time or over classes, one or several series on top of each other, with the same as a table.
struct Chart: Sendable {
  struct Series: Sendable {
    var name: String
    var values: [Int]
  }

  /// One word: the name of its table.
  var id: String
  var title: String
  var about = ""
  /// What a column is: `Month`.
  var unit: String
  var labels: [String]
  var series: [Series]
  /// The numbers are states at the end of a span, not events in it, and have no sum.
  var isStock = false

  /// More series are joined to one.
  static let mostSeries = 7
  private static let height = 100
  private static let mostLabels = 8

  var isEmpty: Bool { series.allSatisfy { $0.values.allSatisfy { $0 == 0 } } }

  var totals: [Int] { labels.indices.map { place in series.reduce(0) { $0 + $1.values[place] } } }

  /// The series with the largest sums, and one for all others.
  var shortened: Chart {
    guard series.count > Self.mostSeries else { return self }
    var chart = self
    let order = series.sorted { ($1.sum, $0.name) < ($0.sum, $1.name) }
    let rest = order[(Self.mostSeries - 1)...]
    let sums = labels.indices.map { place in rest.reduce(0) { $0 + $1.values[place] } }
    chart.series = order.prefix(Self.mostSeries - 1) + [Series(name: "others", values: sums)]
    return chart
  }

  var table: PageTable {
    var table = PageTable(
      id: id, caption: title, columns: [.words(unit)] + series.map { PageTable.Column.number($0.name) })
    table.rows = labels.indices.map { place in
      PageTable.Row(cells: [.words(labels[place])] + series.map { .number($0.values[place]) })
    }
    return table
  }

  /// - Parameter download: the address of the table as CSV.
  func add(to parent: Markup, download: String?) {
    let chart = shortened
    let figure = parent.add("figure", ["class": "time"])
    let heading = figure.add("p", ["class": "panel-title"])
    heading.add("strong", text: title)
    heading.add(text: " \(chart.peak)")
    if !about.isEmpty { figure.add("p", ["class": "about"], text: about) }
    let picture = figure.add(
      "svg",
      [
        "class": "chart panel-chart series", "role": "img", "aria-label": "\(title): \(chart.peak)",
        "viewBox": "0 0 \(10 * max(1, labels.count)) \(Self.height)", "preserveAspectRatio": "none",
        "focusable": "false",
      ])
    chart.draw(picture)
    // A few columns have each its label; of many the first and the last one.
    let isShort = labels.count <= Self.mostLabels
    let axis = figure.add("p", ["class": isShort ? "axis each" : "axis"])
    for label in isShort ? labels : [labels.first ?? "", labels.last ?? ""] { axis.add("span", text: label) }
    if chart.series.count > 1 { chart.addLegend(figure) }
    let details = figure.add("details", ["class": "more"])
    details.add("summary", text: "The same as a table")
    var table = table
    let rest = table.rows.count - Self.mostRows
    if rest > 0 { table.rows = Array(table.rows.suffix(Self.mostRows)) }
    table.add(to: details, download: download)
    if rest > 0 { details.add("p", ["class": "about"], text: "\(rest) earlier rows are in the download.") }
  }

  private static let mostRows = 120

  private var peak: String {
    let totals = totals
    guard let most = totals.max(), most > 0, let place = totals.firstIndex(of: most) else { return "none" }
    let sum = isStock ? "\(totals.last?.grouped ?? "0") at last" : "\(totals.reduce(0, +).grouped) in all"
    return "\(sum), at most \(most.grouped) in \(labels[place])"
  }

  private func draw(_ picture: Markup) {
    let most = max(1, totals.max() ?? 1)
    for place in labels.indices {
      var y = Double(Self.height)
      for (number, one) in series.enumerated() where one.values[place] > 0 {
        let height = max(1, Double(Self.height) * Double(one.values[place]) / Double(most))
        y = max(0, y - height)
        let box = picture.add(
          "rect",
          [
            "class": "s\(number)", "x": String(place * 10 + 1), "y": Self.text(y), "width": "8",
            "height": Self.text(height),
          ])
        box.add("title", text: "\(labels[place]), \(one.name): \(one.values[place].grouped)")
      }
    }
  }

  private func addLegend(_ figure: Markup) {
    let list = figure.add("ul", ["class": "keys-of-chart"])
    for (number, one) in series.enumerated() {
      let item = list.add("li")
      let swatch = item.add(
        "svg", ["class": "chart series swatch-of", "viewBox": "0 0 12 12", "aria-hidden": "true", "focusable": "false"])
      swatch.add("rect", ["class": "s\(number)", "width": "12", "height": "12"])
      item.add(text: " ")
      item.add("span").add(code: one.name)
    }
  }

  private static func text(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }
}

extension Chart.Series {
  fileprivate var sum: Int { values.reduce(0, +) }
}

extension Chart {
  /// A chart of months from the first to the last one that has something.
  init(months cells: [(month: Int, name: String, count: Int)], id: String, title: String, about: String = "") {
    let all = cells.map(\.month)
    // A hostile date would make a chart of millions of columns.
    let last = all.max() ?? 0
    let first = max(all.min() ?? 0, last - 599)
    let months = all.isEmpty ? [] : Array(first...last)
    var values: [String: [Int]] = [:]
    for cell in cells where cell.month >= first {
      values[cell.name, default: Array(repeating: 0, count: months.count)][cell.month - first] += cell.count
    }
    self.init(
      id: id, title: title, about: about, unit: "Month", labels: months.map { PageTime.month($0) },
      series: values.keys.sorted().map { Series(name: $0, values: values[$0] ?? []) })
  }
}
