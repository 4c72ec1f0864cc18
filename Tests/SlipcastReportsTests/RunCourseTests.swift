import SlipcastReports
import SlipcastTestSupport
import Testing

/// Figures over the time of a run, in each form of a summary.
@Suite struct RunCourseTests {
  private var summary: RunSummary {
    var summary = RunSummary(end: "finished", sources: ["a.ndjson"], figures: [.init("read", "3")], findings: [])
    summary.course = RunCourse(
      seconds: 2,
      columns: [.init("requests", title: "Requests"), .init("status200"), .init("p50Milliseconds", title: "Median")],
      rows: [["2", "2", "1.5"], ["0", "0", nil], ["1", "0", "12.25"]])
    return summary
  }

  @Test func jsonHasEachSpanWithRequests() {
    let expected =
      #""course":{"seconds":2,"spans":[{"from":0,"requests":2,"status200":2,"p50Milliseconds":1.5},"#
      + #"{"from":4,"requests":1,"status200":0,"p50Milliseconds":12.25}]},"findings":{}"#
    #expect(summary.text(.json).contains(expected))
  }

  @Test func textAlignsColumns() {
    #expect(
      summary.course?.text == """
        fromSecond  requests  status200  p50Milliseconds
                 0         2          2              1.5
                 4         1          0            12.25

        """)
  }

  @Test func thePageDrawsBars() {
    let page = summary.text(.html)
    #expect(page.contains("Requests") && page.contains("Median") && page.contains("from second 4: 13"))
    #expect(page.contains("<svg"))
    #expect(page.contains("12.25"))
  }

  @Test func otherFormsHaveATable() {
    #expect(summary.text(.md).contains("| 4 |"))
    #expect(summary.text(.xml).contains(#"<course seconds="2">"#))
    #expect(summary.text(.xml).contains(#"requests="1""#))
  }
}
