internal import SlipcastReports
internal import SlipcastStores
internal import SlipcastV2
internal import SlipcastWire

/// The first page: what is in the store, in numbers and charts.
struct OverviewView: Sendable {
  let overview: StoreOverview?
  let hasStore: Bool
  let reports: [ParityFile]
  let links: PageLinks
  let address: @Sendable (KeyValuePairs<String, String?>) -> String

  var charts: [Chart] {
    guard let overview else { return [] }
    var charts = [(StoreSide.v1, "months"), (.v2, "months-v2")].map { side, id in
      Chart(
        months: overview.months.filter { $0.side == side }.map { ($0.month, $0.name, $0.count) }, id: id,
        title: side == .v1 ? "Events per month by type, from V1" : "Events per month by type, from Apple's V2",
        about: Undated.words(overview.undated[side] ?? 0, "event") ?? "")
    }
    charts.append(confidence(overview))
    if !overview.active.isEmpty {
      charts.append(
        Chart(
          id: "active", title: "Active subscriptions",
          about:
            "Subscriptions with access at the end of each month, in the last one at the latest date of this store, by the "
            + "table states.", unit: "Month",
          labels: overview.active.map { PageTime.month($0.month) },
          series: [Chart.Series(name: "with access", values: overview.active.map(\.count))], measure: .states))
    }
    if !overview.differences.isEmpty { charts.append(DateDifferences.chart(overview.differences)) }
    let missing = reports.enumerated().compactMap { place, report in
      var chart = report.missingChart
      if place > 0 { chart?.id += "-\(place + 1)" }
      return chart
    }
    return charts + missing
  }

  /// The surest first.
  private func confidence(_ overview: StoreOverview) -> Chart {
    let order = Confidence.allCases.map(\.rawValue)
    let found = overview.confidence.sorted { left, right in
      (order.firstIndex(of: left.name) ?? order.count) < (order.firstIndex(of: right.name) ?? order.count)
    }
    var chart = Chart(
      id: "confidence", title: "How certain readings of V1 are", unit: "Confidence", labels: found.map(\.name),
      series: [Chart.Series(name: "records", values: found.map(\.count))],
      measure: .parts(of: Words.count(found.reduce(0) { $0 + $1.count }, "record")))
    chart.fullTable = counts("confidence", caption: chart.title, column: "Confidence", found) { links.rule($0) }
    return chart
  }

  private func counts(
    _ id: String, caption: String, column: String, _ rows: [(name: String, count: Int)], link: (String) -> String?
  ) -> DataTable {
    var table = DataTable(id: id, caption: caption, columns: [.words(column), .number("Records"), .number("Share")])
    let all = max(1, rows.reduce(0) { $0 + $1.count })
    table.rows = rows.map { row in
      let share = row.count * 1000 / all
      return DataTable.Row(cells: [
        .code(row.name, link: link(row.name)), .number(row.count), .words("\(share / 10).\(share % 10)\u{A0}%"),
      ])
    }
    table.empty = "None."
    return table
  }

  var tables: [DataTable] {
    guard let overview else { return [] }
    return [
      counts("ambiguous", caption: "Ambiguous events by V1 type", column: "V1 type", overview.ambiguous) {
        links.rule($0)
      },
      counts("rejects", caption: "Rejects by reason", column: "Reason", overview.rejects) {
        "/archive?view=rejects&code=\(PageAddress.encoded($0))"
      },
    ]
  }

  /// A table by its name.
  func table(_ name: String) -> DataTable? { (charts.map(\.table) + tables).first { $0.id == name } }

  func add(to main: Markup) {
    main.add("h1", text: "Who is this customer?")
    main.add(
      "p", ["class": "lead"],
      text: hasStore
        ? "Search by any id that a customer or a record has. The first match opens at once when there is one."
        : "Only reports of parity are open; customers need a store.")
    addReports(main)
    guard hasStore else { return }
    guard let overview else {
      main.add(
        "p", ["class": "about"], text: "The numbers of the store are being counted. Reload the page to see them.")
      return
    }
    guard overview.counts.notifications + overview.counts.answers + overview.counts.rejects > 0 else {
      main.add("p", ["class": "about"], text: "The store is empty: fill it with slipcast convert … --to STORE.")
      return
    }
    addFigures(overview, main)
    for chart in charts where !chart.isEmpty { chart.add(to: main, download: address(["csv": chart.id])) }
    if overview.active.isEmpty {
      main.add(
        "p", ["class": "about"],
        text:
          "Active subscriptions over time need the table states, which a run of slipcast convert into the store fills.")
    }
    for table in tables {
      let part = main.add("section", ["class": "part"])
      part.add("h2", text: table.caption)
      table.add(to: part, download: address(["csv": table.id]))
    }
  }

  private func addReports(_ main: Markup) {
    guard !reports.isEmpty else { return }
    let list = main.add("ul", ["class": "key"])
    for (place, report) in reports.enumerated() {
      let link = list.add("li", ["class": report.verdict == "parity" ? "parity" : "conflict"]).add(
        "a", ["href": PageAddress.with("/parity", ["file": place == 0 ? nil : String(place + 1)])])
      link.add("strong", text: report.verdict)
      link.append("span", text: links.redactor.isOn ? "report \(place + 1)" : report.name)
    }
  }

  private func addFigures(_ overview: StoreOverview, _ main: Markup) {
    let list = main.add("ul", ["class": "key"])
    func figure(_ number: Int, _ words: String, tone: String, link: String) {
      let item = list.add("li", ["class": tone]).add("a", ["href": link])
      item.add("strong", text: number.grouped)
      item.append("span", text: words)
    }
    let apple = overview.serverNotifications
    figure(overview.counts.notifications - apple, "V1 notifications", tone: "identical", link: "/archive")
    if apple > 0 { figure(apple, "V2 notifications", tone: "identical", link: "/archive") }
    if overview.counts.answers > 0 { figure(overview.counts.answers, "answers", tone: "identical", link: "/archive") }
    let open = overview.ambiguous.reduce(0) { $0 + $1.count }
    figure(open, "ambiguous", tone: open == 0 ? "parity" : "timeDependent", link: "/archive")
    let rejects = overview.counts.rejects
    figure(rejects, "rejects", tone: rejects == 0 ? "parity" : "conflict", link: "/archive?view=rejects")
    guard let first = overview.earliest, let last = overview.latest else { return }
    let line = main.add("p", ["class": "about"], text: "Records from ")
    line.add(moment: first)
    line.add(text: " to ")
    line.add(moment: last)
    line.add(text: ".")
  }
}

/// How far V1's ends of periods are from V2's, in classes that people can read.
enum DateDifferences {
  private static let bounds: [(limit: Int64, name: String)] = [
    (0, "equal"), (1_000, "up to 1 second"), (60_000, "up to 1 minute"), (3_600_000, "up to 1 hour"),
    (86_400_000, "up to 1 day"), (7 * 86_400_000, "up to 7 days"), (.max, "more than 7 days"),
  ]

  static func chart(_ differences: [(milliseconds: Int64, count: Int)]) -> Chart {
    var (earlier, later) = (Array(repeating: 0, count: bounds.count), Array(repeating: 0, count: bounds.count))
    for one in differences {
      let place = bounds.firstIndex { one.milliseconds.magnitude <= $0.limit.magnitude } ?? 0
      if one.milliseconds < 0 { earlier[place] += one.count } else { later[place] += one.count }
    }
    return Chart(
      id: "differences", title: "How far the end of a period in V2 is from V1's",
      about: "Transactions that both sides have. Earlier: V2 ends before V1.", unit: "Difference",
      labels: bounds.map(\.name),
      series: [Chart.Series(name: "equal or later", values: later), Chart.Series(name: "earlier", values: earlier)],
      measure: .parts(of: Words.count((later + earlier).reduce(0, +), "transaction")))
  }
}
