import SlipcastComparison
internal import SlipcastMapping
import SlipcastWire

/// The form that build servers read: a test case per field.
///
/// The elements and attributes are those of Jenkins' schema. There is no time and no host in it: the same comparison is
/// the same file.
struct JUnitReport {
  let comparison: Comparison

  var text: String {
    let rows = comparison.fields.map { ReportRow($0, of: comparison) }
    let (tests, failures) = (String(rows.count), String(rows.count(where: \.fails)))
    let name = "\(comparison.legacy.shownName) and \(comparison.server.shownName)"
    let writer = XMLDocumentWriter()
    writer.element(
      "testsuites", ["name": "slipcast diff", "tests": tests, "failures": failures, "errors": "0", "time": "0"]
    ) {
      writer.element(
        "testsuite",
        [
          "name": name, "tests": tests, "failures": failures, "errors": "0",
          "skipped": String(rows.count(where: \.isIgnored)), "time": "0",
        ]
      ) {
        for row in rows { test(row, writer) }
        if !comparison.notes.isEmpty { writer.element("system-out") { writer.text(notes) } }
      }
    }
    return writer.finished()
  }

  private func test(_ row: ReportRow, _ writer: XMLDocumentWriter) {
    let className = "slipcast.diff.\(row.differenceClass.rawValue)"
    writer.element("testcase", ["name": row.path, "classname": className, "time": "0"]) {
      if let reason = row.reason {
        writer.element("skipped", ["message": "ignored: \(reason)"])
      } else if row.fails {
        let message = row.meaning.isEmpty ? row.differenceClass.meaning : row.meaning
        writer.element("failure", ["message": message, "type": row.differenceClass.rawValue]) {
          writer.text(details(row))
        }
      } else if !row.meaning.isEmpty {
        writer.element("system-out") { writer.text(row.meaning) }
      }
    }
  }

  /// The row as the terminal shows it, whole.
  private func details(_ row: ReportRow) -> String {
    TextRow(row: row, ink: Ink(isColored: false), isVerbose: true).lines.map { $0 + "\n" }.joined()
  }

  private var notes: String { comparison.notes.map { "\($0.severity): \($0.shownMessage)\n" }.joined() }
}
