import SlipcastReports
import Testing

@testable import SlipcastComparison
@testable import SlipcastMapping

@Suite struct HTMLReportTests {
  private let full = Samples.full.report(.html)

  /// Everything behind the style sheet and before the script, where the records' values stand.
  private func body(_ page: String) -> Substring {
    let end = page.firstRange(of: "</style>")?.upperBound ?? page.startIndex
    return page[end..<(page.firstRange(of: "<script>")?.lowerBound ?? page.endIndex)]
  }

  @Test func thePageIsWholeAndNeedsNothingElse() {
    #expect(full.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\"><head>"))
    #expect(full.hasSuffix("</html>\n"))
    #expect(full.contains("charset=UTF-8"))
    #expect(full.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\""))
    #expect(!full.contains(" src=\"") && !full.contains("url(") && !full.contains("@import"))
  }

  @Test func nothingOfARecordIsMarkup() {
    // One script: the page's own. What looks like other scripts is escaped.
    #expect(full.ranges(of: "<script").count == 1)
    #expect(!full.contains("<img") && !full.contains("]]>"))
    #expect(full.contains("&lt;script&gt;window.__pwned=1&lt;/script&gt;&lt;img src=x"))
    #expect(full.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" })
    #expect(!full.contains("\u{202E}"))
  }

  @Test func everyFieldIsARow() {
    #expect(body(full).ranges(of: "<details ").count == Samples.full.fields.count)
    for differenceClass in DifferenceClass.allCases {
      let number = Samples.full.counts[differenceClass, default: 0]
      #expect(body(full).ranges(of: "data-class=\"\(differenceClass.rawValue)\"").count == number + 1)
    }
  }

  @Test func whatNeedsALookIsOpenUnlessIgnored() {
    // Two conflicts, one that depends on the time, one of wider meaning; two more are ignored.
    #expect(body(full).ranges(of: " open>").count + body(full).ranges(of: " open=\"open\">").count == 4)
  }

  @Test func onlySecureAddressesAreLinks() {
    var pair = Samples.parity
    pair.fields[0].sources = [
      Citation(title: "Trick", locator: nil, url: "javascript:window.__pwned=1"),
      Citation(title: "Old", locator: nil, url: "http://example.com/"),
      Citation(title: "Seen", locator: "in 2019", url: nil),
    ]
    let page = pair.report(.html)
    let links = page.matches(of: #/<a href="([^"]*)"[^>]*>/#)
    #expect(!links.isEmpty)
    #expect(links.allSatisfy { $0.output.1.hasPrefix("https://") && $0.output.0.contains("rel=\"noreferrer\"") })
    #expect(page.contains("Trick, javascript:window.__pwned=1") && page.contains("Seen, in 2019"))
  }
}
