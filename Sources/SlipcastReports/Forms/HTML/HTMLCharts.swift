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
    let chart = parent.chart("stripe", text: words, width: Self.barLength, height: 20)
    var x = 0
    for (differenceClass, width) in segments(bar) {
      let isConflict = differenceClass == .conflict
      chart.rectangle(
        differenceClass.rawValue, x: x, y: isConflict ? 0 : 4, width: max(1, width - 3), height: isConflict ? 20 : 12)
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
    let figure = parent.add("figure", ["class": "time"])
    for panel in periods.panels { add(panel, periods, figure) }
    let axis = figure.add("p", ["class": "axis"])
    axis.add("span", text: periods.first)
    axis.add("span", text: periods.last)
  }

  private func add(_ panel: ReportPeriods.Panel, _ periods: ReportPeriods, _ figure: Markup) {
    let spans = periods.spans
    let most = panel.numbers.max() ?? 0
    let span = spans[panel.numbers.firstIndex(of: most) ?? 0]
    let peak =
      most == 0
      ? "none at any time"
      : periods.unit.isEmpty
        ? "at most \(most.grouped), in the span \(span)" : "\(most.grouped) of \(periods.unit): \(span)"
    let heading = figure.add("p", ["class": "panel-title"])
    heading.add("strong", text: panel.title)
    heading.add(text: " \(peak)")
    let without = panel.numbers.count { $0 == 0 }
    let words = "\(panel.title): \(peak); none in \(without.grouped) of \(Words.count(spans.count, "span"))"
    let chart = figure.chart("panel-chart \(panel.kind)", text: words, width: 10 * spans.count, height: 100)
    for (place, number) in panel.numbers.enumerated() where number > 0 {
      let height = max(3, Int(100 * Double(number) / Double(max(1, most))))
      let bar = chart.rectangle("column", x: place * 10 + 1, y: 100 - height, width: 8, height: height)
      bar.add("title", text: "\(spans[place]): \(number.grouped)")
    }
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

  /// An image drawn in lines: its text alternative, and the range of its coordinates.
  ///
  /// It fills the room that the style sheet gives it, whatever the proportions.
  fileprivate func chart(_ name: String, text: String, width: Int, height: Int) -> Markup {
    add(
      "svg",
      [
        "class": "chart \(name)", "role": "img", "aria-label": text, "viewBox": "0 0 \(width) \(height)",
        "preserveAspectRatio": "none", "focusable": "false",
      ])
  }

  /// A rectangle of such an image.
  @discardableResult
  fileprivate func rectangle(_ name: String, x: Int, y: Int, width: Int, height: Int) -> Markup {
    add(
      "rect",
      ["class": name, "x": String(x), "y": String(y), "width": String(width), "height": String(height)])
  }
}
