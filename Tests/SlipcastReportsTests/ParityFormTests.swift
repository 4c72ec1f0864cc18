import Foundation
import SlipcastMapping
import SlipcastReports
import Testing

@testable import SlipcastComparison

@Suite struct ParityJUnitTests {
  @Test(arguments: ParitySamples.all.map(\.name))
  func aCaseEachForAccessGatesAndPaths(_ name: String) throws {
    let result = try #require(ParitySamples.all.first { $0.name == name }).result
    let report = try ReadXML(result.report(.junit))
    let kinds = report["testcase"].compactMap { $0["classname"] }
    let fields = result.fields.filter { $0.pairs > 0 }
    let expected =
      ["entitlement"] + (result.missing.kinds.isEmpty ? [] : ["missing"])
      + (result.pairs.rejected == .init() ? [] : ["unread"]) + result.gates.map { _ in "gate" }
      + fields.map { _ in "field" }
    #expect(kinds == expected.map { "slipcast.parity.\($0)" })
    #expect(report["testsuite"].first?["failures"] == String(report["failure"].count))
    #expect(report["failure"].isEmpty == (result.verdict == .parity))
  }

  @Test func aConflictThatABaselineAcceptsIsSkipped() throws {
    let report = try ReadXML(ParitySamples.findings.report(.junit))
    let message = "accepted by a baseline: 12 conflict, 684,299 derived; 12 accepted"
    #expect(report["skipped"].last == ["message": message] && report["skipped"].count == 3)
  }

  @Test func accessFailsOnlyWithAGateAboutIt() throws {
    let passed = ParitySamples.findings.with { result in
      result.gates = [.init(name: "minAgreement", holds: true, message: "99.87% agree; at least 99% have to.")]
    }
    #expect(try ReadXML(passed.report(.junit))["failure"].isEmpty)
    #expect(passed.report(.junit).contains("after the switch, access changes for 6 subscriptions or purchases"))
    let accepted = ParitySamples.findings.with { $0.gates.removeAll { $0.name == "access" } }
    #expect(try ReadXML(accepted.report(.junit))["failure"].allSatisfy { $0["type"] != "entitlement" })
    let failing = ParitySamples.findings.with { result in
      result.gates = [.init(name: "access", holds: false, message: "after the switch, access changes in 6 pairs")]
    }
    #expect(try ReadXML(failing.report(.junit))["failure"].contains { $0["type"] == "entitlement" })
  }

  @Test func onlyThePathOfAGateFailsByIt() throws {
    let result = ParitySamples.findings.with { result in
      result.gates = [.init(name: "minAgreement data.status", holds: false, message: "At least 100% have to.")]
      result.entitlement = EntitlementParity()
    }
    let failures = try ReadXML(result.report(.junit))["failure"]
    #expect(failures.map { $0["type"] } == ["gate", "timeDependent"])
  }
}

@Suite struct ParityMarkdownTests {
  /// Cells of a table's line; a bar behind a backslash ends none.
  private func cells(_ line: Substring) -> Int { line.replacing("\\|", with: "").count { $0 == "|" } - 1 }

  @Test(arguments: ParitySamples.all.map(\.name))
  func everyTableIsWholeAndEverythingThatUnfoldsIsClosed(_ name: String) throws {
    let report = try #require(ParitySamples.all.first { $0.name == name }).result.report(.markdown)
    var width: Int?
    for line in report.split(separator: "\n", omittingEmptySubsequences: false) {
      width = line.hasPrefix("|") ? width ?? cells(line) : nil
      if let width { #expect(cells(line) == width, "\(line)") }
    }
    #expect(report.ranges(of: "<details>").count == report.ranges(of: "</details>").count)
    // A longer text is not a comment.
    #expect(report.utf16.count < 65_536)
  }

  @Test func nothingOfARecordIsMarkup() {
    for line in ParitySamples.hostile.report(.markdown).split(separator: "\n") where line.contains("pwned") {
      let prose = line.replacing(#/``.+?``(?!`)/#, with: "").replacing("<br>", with: "")
      #expect(!prose.contains("<") && !prose.contains("@apple") && !prose.contains("#1"), "\(prose)")
    }
  }

  @Test func theHeadingGivesTheVerdict() {
    #expect(ParitySamples.green.report(.markdown).hasPrefix("## ✅ Parity: all 1,240 events agree\n"))
    #expect(ParitySamples.findings.report(.markdown).hasPrefix("## ❌ Conflict: 99.87% of 984,311 events agree"))
  }
}

@Suite struct ParityPageTests {
  private let page = ParitySamples.findings.report(.html)

  @Test(arguments: ParitySamples.all.map(\.name))
  func thePageIsWholeAndNeedsNothingElse(_ name: String) throws {
    let page = try #require(ParitySamples.all.first { $0.name == name }).result.report(.html)
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\"><head>") && page.hasSuffix("</html>\n"))
    #expect(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\""))
    #expect(!page.contains(" src=\"") && !page.contains("url(") && !page.contains("@import"))
    #expect(page.ranges(of: "<script").count == 1 && !page.contains("<img"))
  }

  @Test func everyChartHasWords() {
    #expect(page.ranges(of: "<svg ").count > 10)
    #expect(page.ranges(of: "<svg ").count == page.matches(of: #/<svg [^>]*role="img" aria-label="[^"]{20,}"/#).count)
  }

  @Test func samplesLeadToTheirPairInFull() {
    let targets = Set(page.matches(of: #/href="#(pair-\d+)"/#).map { String($0.output.1) })
    #expect(targets == ["pair-1", "pair-2"])
    for target in targets { #expect(page.ranges(of: "id=\"\(target)\"").count == 1) }
    // A pair that is not there has no link: the hostile samples name the tenth of one.
    #expect(!ParitySamples.hostile.report(.html).contains("#pair-10"))
  }

  @Test func aPairShowsTheFieldsThatNeedALook() throws {
    let pair = try #require(page.firstRange(of: "id=\"pair-1\"")).lowerBound
    let end = try #require(page.firstRange(of: "id=\"pair-2\"")).lowerBound
    let rows = page[pair..<end].ranges(of: "<details class=\"row ").count
    #expect(rows > 3 && rows < Samples.full.fields.count)
    #expect(
      page[pair..<end].contains("\(Samples.full.fields.count - rows) fields without a contradiction are left out."))
  }

  @Test func aPageOfEndlessPathsShowsTheWorstAndSaysSo() {
    let result = ParitySamples.findings.with { result in
      for number in 0..<3000 { result.fields.append(ParitySamples.field("data.unknown\(number)", [.serverOnly: 1])) }
      result.unpaired += (0..<300).map {
        .init(reason: .legacyWithoutServer, event: "KIND_\($0)", count: 1, records: [$0], explanation: "Unknown.")
      }
    }
    let page = result.report(.html)
    #expect(page.ranges(of: "<details class=\"row field ").count == 1000)
    #expect(page.contains("2,022 paths that agree at least as well are left out"))
    #expect(page.contains("102 more entries are left out."))
    #expect(page.contains("id=\"field-4\""))
    let links = Set(page.matches(of: #/href="#(field-\d+)"/#).map { String($0.output.1) })
    let targets = Set(page.matches(of: #/id="(field-\d+)"/#).map { String($0.output.1) })
    #expect(links.isSubset(of: targets))
  }

  @Test func aConflictIsDrawnHoweverSmallItsShare() throws {
    let huge = ParitySamples.huge.report(.html)
    let bars = huge.matches(of: #/<rect class="conflict" x="(\d+)" y="0" width="(\d+)" height="20"/#)
    #expect(bars.count == 3 && bars.allSatisfy { (Int($0.output.2) ?? 0) > 10 })
  }
}
