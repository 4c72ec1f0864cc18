import SlipcastReports
import Testing

@testable import SlipcastPages

/// Addresses, dates, tables and folded events.
@Suite struct PageTests {
  @Test(arguments: [
    ("a b", "a%20b"), ("../x", "..%2Fx"), ("?&=#", "%3F%26%3D%23"), ("ü", "%C3%BC"), ("\"<", "%22%3C"),
    ("a-b_c.d~e", "a-b_c.d~e"),
  ]) func textsAreStepsOfAddresses(text: String, encoded: String) {
    #expect(PageAddress.encoded(text) == encoded)
  }

  @Test func anAddressKeepsOtherFiltersAndNoToken() {
    let request = PageRequest(
      path: "/parity", query: [("view", "missing"), ("find", "a b"), ("page", "3"), ("token", "secret")])
    #expect(request.address(["page": "4"]) == "/parity?view=missing&find=a%20b&page=4")
    #expect(request.address(["page": nil]) == "/parity?view=missing&find=a%20b")
    #expect(request["find"] == "a b")
  }

  @Test(arguments: [("  5 ", 5), ("-3", 1), ("x", 1), ("", 1), ("99999999999999999999", 1), ("2000000", 1_000_000)])
  func aNumberOfAPageHasBounds(text: String, number: Int) {
    #expect(PageRequest(path: "/", query: [("page", text)]).page() == number)
  }

  @Test(
    arguments: [
      (1_750_161_600_000, "17 June 2025, 12:00 UTC"), (1_750_161_605_000, "17 June 2025, 12:00:05 UTC"),
      (0, "1 January 1970, 00:00 UTC"), (-1, "31 December 1969, 23:59:59 UTC"),
    ] as [(Int64, String)]) func momentsAreInWords(milliseconds: Int64, words: String)
  {
    #expect(PageTime.moment(milliseconds) == words)
  }

  @Test(
    arguments: [
      (30, "1 month"), (31, "1 month"), (7, "7 days"), (365, "1 year"), (91, "3 months"), (1, "1 day"), (3, "3 days"),
    ] as [(Int64, String)]) func lengthsAreInWords(days: Int64, words: String)
  {
    #expect(PageTime.length(days * 86_400_000) == words)
  }

  @Test(
    arguments: [(1_735_689_599_999, "2024-12"), (1_735_689_600_000, "2025-01"), (951_782_400_000, "2000-02")]
      as [(Int64, String)])
  func monthsFollowTheCalendar(milliseconds: Int64, month: String) {
    #expect(PageTime.month(PageTime.monthNumber(milliseconds)) == month)
  }

  @Test func aTableAsCSVHasNoFormulas() {
    var table = DataTable(id: "t", caption: "T", columns: [.words("Name"), .time("Time")])
    table.rows = [DataTable.Row(cells: [.words("=1+1", details: ["a, b"]), .time(0)])]
    #expect(table.csv == "Name,Time\r\n\"'=1+1; a, b\",1970-01-01T00:00:00Z\r\n")
  }

  private func row(_ name: String, _ time: Int64, product: String = "p", tone: String = "plain") -> EventRow {
    var row = EventRow(time: time, sentence: name, name: name, reading: "documented")
    (row.product, row.tone) = (product, tone)
    return row
  }

  @Test func equalRenewalsAreOneRun() {
    let rows = [
      row("SUBSCRIBED", 0), row("DID_RENEW", 1), row("DID_RENEW", 2), row("DID_RENEW", 3),
      row("DID_RENEW", 4, product: "q"),
      row("DID_RENEW", 5, product: "q"), row("DID_RENEW", 6, product: "q", tone: "open"),
    ]
    let runs = EventRun.runs(rows)
    #expect(runs.map(\.rows.count) == [1, 3, 2, 1])
    #expect(runs.map(\.isFolded) == [false, true, false, false])
  }

  @Test func aHostileMonthMakesNoHugeChart() {
    let chart = Chart(
      months: [(month: 0, name: "a", count: 1), (month: 5_000_000, name: "a", count: 2)], id: "c", title: "C")
    #expect(chart.labels.count == 600)
    #expect(chart.panels.first?.series.first?.values.reduce(0, +) == 2)
  }

  @Test func quietDaysAreBetweenMessages() {
    let calendar = MessageCalendar([(10, 1), (11, 2), (15, 1), (16, 1), (18, 4)])
    #expect(calendar.quiet == [12...14, 17...17])
  }

  @Test(arguments: ["", "{}", "[]", "{\"verdict\":1,\"pairs\":{}}", "{\"verdict\":\"parity\"}", "not JSON"])
  func anotherFileIsNoReport(text: String) {
    #expect(throws: ParityFileError.self) { try ParityFile(Array(text.utf8), name: "x.json") }
  }
}
