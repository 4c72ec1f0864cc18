import SlipcastMapping
import SlipcastReports
import Testing

@testable import SlipcastComparison

@Suite struct MarkdownReportTests {
  private let lines = Samples.full.report(.markdown).split(separator: "\n", omittingEmptySubsequences: false)
    .map(String.init)

  /// Cells of a table's line; a bar behind a backslash ends none.
  private func cells(_ line: String) -> Int { line.replacing("\\|", with: "").count { $0 == "|" } - 1 }

  @Test func theHeadingGivesTheVerdict() {
    #expect(lines.first == "## ❌ Conflict: 2 of 15 fields fail")
    #expect(Samples.parity.report(.markdown).hasPrefix("## ✅ Parity: 5 fields, none fails\n"))
  }

  @Test func aLineCountsEveryClassThatOccurs() {
    let words = "3 conflict (1 ignored), 1 timeDependent, 2 semantic (1 ignored), 1 derived, 2 legacyOnly, 3 serverOnly"
    #expect(lines.contains(words + ", 2 representation, 1 identical"))
  }

  @Test func everyLineOfATableHasTheCellsOfItsHead() {
    var width: Int?
    for line in lines {
      guard line.hasPrefix("|") else {
        width = nil
        continue
      }
      #expect(cells(line) == width ?? cells(line), "\(line)")
      width = cells(line)
    }
  }

  @Test func everyFieldHasALine() {
    // A table of fields that need a look and one for each of five classes that do not; each has a head and a rule.
    #expect(lines.count { $0.hasPrefix("|") } == 2 * 6 + Samples.full.fields.count)
    #expect(lines.count { $0 == "<details>" } == 5)
  }

  @Test func nothingOfARecordIsMarkup() {
    for line in lines where line.contains("pwned") {
      // What stands outside of code spans: spans of hostile text have a fence of two.
      let prose = line.replacing(#/``.+?``(?!`)/#, with: "").replacing(#/`[^`]*`/#, with: "").replacing(
        "<br>", with: "")
      #expect(!prose.contains("<"), "\(prose)")
      #expect(!prose.contains("@apple") && !prose.contains("#1"))
    }
  }

  @Test func aFieldThatFailsStandsInTheFirstTable() throws {
    var strict = Samples.parity
    strict.strict = [.identical]
    let report = strict.report(.markdown)
    let failing = try #require(report.firstRange(of: "**identical**"))
    let folded = try #require(report.firstRange(of: "<details>"))
    #expect(failing.lowerBound < folded.lowerBound)
  }
}
