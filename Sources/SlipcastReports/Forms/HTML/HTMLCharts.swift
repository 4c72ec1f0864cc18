import SlipcastMapping
import SlipcastWire

/// What a page draws: bars, a matrix, and columns over time.
extension HTMLForm {
  private static let barLength = 1000
  /// Segments stay visible, however few pairs they are.
  private static let leastLength = (conflict: 14, other: 5)

  func legend(_ parent: Markup) {
    let list = parent.add("ul", ["class": "legend"])
    for differenceClass in DifferenceClass.allCases.reversed() {
      let item = list.add("li", ["class": differenceClass.rawValue])
      item.add("span", ["class": "swatch", "aria-hidden": "true"])
      item.add(text: differenceClass.rawValue)
    }
  }

  /// The classes of one path as lengths, conflicts at the right end and higher than the others.
  func add(_ bar: ReportBar, _ parent: Markup) {
    let words = "\(bar.agreement) of \(Words.count(bar.total, "pair")) agree: \(bar.words)"
    let chart = parent.drawing("stripe", text: words, width: Self.barLength, height: 20)
    var x = 0
    for (differenceClass, width) in segments(bar) {
      let isConflict = differenceClass == .conflict
      chart.box(
        differenceClass.rawValue, x: Double(x), y: isConflict ? 0 : 4, width: Double(max(1, width - 3)),
        height: isConflict ? 20 : 12)
      x += width
    }
  }

  /// Classes with their lengths, the least serious first; together the whole length.
  private func segments(_ bar: ReportBar) -> [(DifferenceClass, Int)] {
    guard bar.total > 0 else { return [] }
    var segments = bar.counts.reversed().map { entry in
      let least = entry.differenceClass == .conflict ? Self.leastLength.conflict : Self.leastLength.other
      // Twice as wide in between: counts have no bounds here.
      let length = bar.total.dividingFullWidth(entry.count.multipliedFullWidth(by: Self.barLength)).quotient
      return (entry.differenceClass, max(least, length))
    }
    let excess = segments.reduce(-Self.barLength) { $0 + $1.1 }
    if let longest = segments.indices.max(by: { segments[$0].1 < segments[$1].1 }) { segments[longest].1 -= excess }
    return segments
  }

  /// A table of how often names meet, which scrolls sideways.
  func add(_ matrix: ReportMatrix, _ parent: Markup) {
    let label = "Matrix, scrolls sideways"
    let box = parent.add("div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": label])
    let table = box.add("table", ["class": "matrix"])
    table.add("caption", text: matrix.caption)
    let head = table.add("thead").add("tr")
    head.add("th", ["scope": "col"], text: matrix.corner)
    for name in matrix.columns { head.add("th", ["scope": "col"]).add("span", ["class": "upright"]).add(name: name) }
    let most = matrix.cells.flatMap(\.self).compactMap { $0?.count }.max() ?? 1
    let body = table.add("tbody")
    for (row, cells) in zip(matrix.rows, matrix.cells) {
      let line = body.add("tr")
      line.add("th", ["scope": "row"]).add(name: row)
      for (column, cell) in zip(matrix.columns, cells) {
        let title = matrix.showsConflicts ? "\(row), \(column)" : "V1 \(row), V2 \(column)"
        add(cell, title, matrix, most: most, to: line)
      }
    }
  }

  private func add(_ cell: ReportMatrix.Cell?, _ title: String, _ matrix: ReportMatrix, most: Int, to row: Markup) {
    guard let cell else {
      row.add("td", ["class": "none"])
      return
    }
    // Each level has about as many binary digits more: counts differ by orders of magnitude.
    let level = 1 + 3 * cell.count.digits / max(1, most.digits)
    let element = row.add("td", ["class": cell.conflicts > 0 ? "clash" : "heat-\(level)"], text: cell.count.grouped)
    element.set("title", title)
    guard cell.conflicts > 0 else { return }
    let number = matrix.showsConflicts ? " ✕ \(cell.conflicts.grouped)" : " ✕"
    element.add("span", ["class": "cross", "aria-hidden": "true"], text: number)
    let words = matrix.showsConflicts ? "in conflict" : "with types in conflict"
    element.add("span", ["class": "unseen"], text: ", \(cell.conflicts.grouped) \(words)")
  }

  /// Columns over time, one panel below the other.
  func add(_ periods: ReportPeriods, _ parent: Markup) {
    var chart = Chart(
      id: "time", unit: periods.unit, labels: periods.spans,
      panels: periods.panels.map { panel in
        let measure: Chart.Measure =
          periods.whole.map(Chart.Measure.parts(of:)) ?? (panel.kind == .rates ? .rates : .events)
        return Chart.Panel(
          title: panel.title, series: [Chart.Series(name: "", values: panel.numbers)], measure: measure,
          isQuiet: panel.kind == .quiet)
      })
    (chart.ends, chart.preposition) = ((periods.first, periods.last), "in the span")
    chart.fullTable = periods.table.map(\.data)
    chart.add(to: parent)
  }
}

extension Int {
  fileprivate var digits: Int { bitWidth - leadingZeroBitCount }
}

extension Markup {
  /// A name in capitals that may break after underscores and slashes rather than within a word.
  package func add(name: String) {
    var step = ""
    for character in name {
      step.append(character)
      if character == "_" || character == "/" {
        add("span", ["class": "step"], text: step)
        step = ""
      }
    }
    if !step.isEmpty { add("span", ["class": "step"], text: step) }
  }
}
