import SlipcastTestSupport
import Testing

@testable import SlipcastReports

/// The charts and tables of all pages: words for who does not see them, and the numbers.
@Suite struct ChartTests {
  private static func chart(_ values: [Int], _ measure: Chart.Measure) -> Chart {
    Chart(
      id: "t", title: "Events", unit: "Month", labels: ["a", "b", "c"],
      series: [Chart.Series(name: "DID_RENEW", values: values)], measure: measure)
  }

  private static func page(_ fill: (Markup) -> Void) -> String { Markup.html { fill($0.add("body")) } }

  @Test(
    arguments: [
      ([1200, 3, 0], Chart.Measure.events, "Events: 1,203 in all, at most 1,200 in a"),
      ([1, 7, 5], .states, "Events: 5 at last, at most 7 in b"), ([1, 7, 5], .rates, "Events: at most 7 in b"),
      ([0, 2, 5], .parts(of: "7 failing pairs"), "Events: 5 of 7 failing pairs: c"),
      ([0, 0, 0], .events, "Events: none"),
    ] as [([Int], Chart.Measure, String)])
  func aChartHasAWordForEverybody(values: [Int], measure: Chart.Measure, words: String) {
    let page = Self.page { Self.chart(values, measure).add(to: $0) }
    #expect(page.contains("role=\"img\" aria-label=\"\(words)\""), "\(page)")
  }

  @Test func theNumbersAreATableBelowIt() {
    let page = Self.page { Self.chart([1200, 3, 0], .events).add(to: $0, download: "?csv=t") }
    #expect(page.contains("<summary>The same as a table</summary>") && page.contains("<td class=\"number\">1,200</td>"))
    #expect(page.contains("href=\"?csv=t\""))
    #expect(Self.chart([1, 2, 3], .events).table.csv == "Month,DID_RENEW\r\na,1\r\nb,2\r\nc,3\r\n")
  }

  @Test func manySeriesAreJoinedInTheDrawingAndWholeInTheTable() {
    let series = (0..<9).map { Chart.Series(name: "T\($0)", values: [$0 + 1, 0, 0]) }
    let chart = Chart(id: "t", title: "Events", unit: "Month", labels: ["a", "b", "c"], series: series)
    let page = Self.page { chart.add(to: $0) }
    // The smallest three: 1 + 2 + 3.
    #expect(page.contains("a, others: 6") && !page.contains("a, T0: 1"))
    #expect(chart.table.columns.count == 10)
  }

  @Test func panelsShareTheirSpansAndTheirTable() {
    let panels = ["Requests", "Errors"].map { title in
      Chart.Panel(title: title, series: [Chart.Series(name: "", values: [1, 2])])
    }
    let table = Chart(id: "t", unit: "Span", labels: ["a", "b"], panels: panels).table
    #expect(table.csv == "Span,Requests,Errors\r\na,1,1\r\nb,2,2\r\n")
  }

  @Test func aTableNamesItsRowsWhereTheFirstColumnDoes() {
    var table = DataTable(id: "t", caption: "T", columns: [.words("Name"), .number("Count")])
    table.rows = [DataTable.Row(cells: [.code("a.b", link: "#x", remark: "new"), .number(3)], tone: "total")]
    table.namesRows = true
    let page = Self.page { table.add(to: $0) }
    #expect(page.contains("<th scope=\"row\" class=\"words\"><a href=\"#x\"><code>a."), "\(page)")
    #expect(page.contains("<tr class=\"total\">") && page.contains("<span class=\"remark\">new</span>"))
  }
}
