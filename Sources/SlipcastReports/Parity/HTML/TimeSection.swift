import SlipcastComparison
import SlipcastWire

/// Conflicts over time: whether they are over, or have just begun.
struct TimeSection {
  let result: ParityResult
  private var periods: [ParityResult.Period] { result.periods }

  var part: ParityPart? {
    guard let first = periods.first, let last = periods.last else { return nil }
    let about = "Pairs by the time of their event, in \(Words.count(periods.count, "span")) of equal length."
    return ParityPart(id: "time", title: "Over time", about: about) { section in
      let figure = section.add("figure", ["class": "time"])
      panel("Pairs in conflict", "conflict", figure) { $0.conflicting }
      panel("All pairs", "pairs", figure) { $0.matched + $0.conflicting }
      let axis = figure.add("p", ["class": "axis"])
      axis.add("span", text: name(first.start))
      axis.add("span", text: name(last.end))
      table(section.folded("The numbers behind it"))
    }
  }

  private func panel(
    _ title: String, _ kind: String, _ figure: HTMLElement, _ count: (ParityResult.Period) -> Int
  ) {
    let counts = periods.map(count)
    let most = counts.max() ?? 0
    let when = periods[counts.firstIndex(of: most) ?? 0]
    let peak = most == 0 ? "none at any time" : "at most \(most.grouped), in the span from \(name(when.start))"
    let heading = figure.add("p", ["class": "panel-title"])
    heading.add("strong", text: title)
    heading.add(text: " \(peak)")
    let without = counts.count { $0 == 0 }
    let text = "\(title) per span: \(peak); none in \(without.grouped) of \(Words.count(counts.count, "span"))"
    let chart = figure.chart("panel-chart \(kind)", text: text, width: 10 * counts.count, height: 100)
    for (place, number) in counts.enumerated() where number > 0 {
      // What is there must be seen, however little it is.
      let height = max(3, Int(100 * Double(number) / Double(max(1, most))))
      let bar = chart.rectangle("column", x: place * 10 + 1, y: 100 - height, width: 8, height: height)
      bar.add("title", text: "\(span(periods[place])): \(number.grouped)")
    }
  }

  private func table(_ parent: HTMLElement) {
    let rows = periods.map { period in
      let all = period.matched + period.conflicting
      return [
        span(period), all.grouped, period.conflicting.grouped, Share.percent(period.matched, of: all),
      ]
    }
    HTMLTable(
      caption: "Pairs and conflicts per span of time (UTC)", columns: ["Span", "Pairs", "Conflicts", "Agreement"],
      rows: rows
    ).add(to: parent)
  }

  /// Days, unless the spans are shorter.
  private func name(_ milliseconds: Int64) -> String {
    let isShort = periods.contains { $0.end - $0.start < 86_400_000 }
    return isShort ? Words.moment(milliseconds) : Words.day(milliseconds)
  }

  private func span(_ period: ParityResult.Period) -> String {
    "\(name(period.start)) to before \(name(period.end))"
  }
}
