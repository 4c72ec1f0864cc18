import Foundation
import SlipcastKit
import SlipcastTestSupport
import Testing

/// The library example of the README, word for word, on a real fixture.
@Suite struct ReadmeExampleTests {
  @Test func printsTypeFindingsAndUnmappedValues() throws {
    let body = try Fixture.named("notifications/price-increase-consent-0").text("v1.json")
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    // README: begin
    let converter = try LegacyConverter()
    let conversion = try converter.convert(body)
    switch conversion.value {
    case .notification(let event): print(event.notificationType?.rawValue ?? "", event.subtype?.rawValue ?? "")
    case .history(let history): print(history.transactions?.count ?? 0, "transactions")
    case .statuses(let statuses): print(statuses.data?.count ?? 0, "groups")
    case .appTransaction(let app): print(app.originalApplicationVersion ?? "")
    }
    for finding in conversion.findings { print(finding.code, finding.path, finding.message) }
    for value in conversion.account.lost { print("lost:", value.v1Path, value.reason) }
    for value in conversion.account.repeated { print("repeated:", value.v1Path, "held by", value.heldBy ?? "") }
    for object in conversion.account.elsewhere { print("elsewhere:", object.v1Path, object.reason) }
    // README: end

    #expect(printed.first == "PRICE_INCREASE PENDING")
    #expect(conversion.findings.map(\.code) == ["eventTimeUnknown"])
    #expect(printed.dropFirst().first?.hasPrefix("eventTimeUnknown  V1 gives this event no time") == true)
    #expect(printed.contains { $0.hasPrefix("lost: password ") })
    #expect(printed.contains { $0.hasPrefix("repeated: ") && $0.hasSuffix("held by data.renewalInfo.autoRenewStatus") })
    #expect(printed.count == 1 + conversion.findings.count + conversion.account.unmapped.count)
    #expect(!printed.contains { $0.contains("SECRET-SLIPCAST") })
    #expect(conversion.notification?.data?.renewalInfo?.priceIncreaseStatus?.known == .noResponse)
    #expect(conversion.notification?.signedDate == nil)
  }

  @Test func printsTheFieldsThatFail() throws {
    let pair = Fixture.named("pairs/date-expires-off-1-day")
    let (v1, v2) = (try pair.bytes("v1.json"), try pair.bytes("v2.json"))
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    // README: begin diff
    let comparison = try RecordComparer().compare(legacy: v1, server: v2)
    for field in comparison.fields where comparison.fails(field) { print(field.path, field.explanation) }
    // README: end diff

    #expect(printed.count == 1)
    #expect(printed.first?.hasPrefix("data.transactionInfo.expiresDate V2's date is 1 day before V1's") == true)
  }

  @Test func theReadmeShowsThisCode() throws {
    let readme = try String(contentsOfFile: Folder.package("README.md"), encoding: .utf8)
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    var shown = readme.components(separatedBy: "```swift\n").dropFirst().map { Self.lines($0, upTo: "```") }
    for suffix in ["", " diff"] {
      let parts = source.components(separatedBy: "// README: begin\(suffix)\n")
      let run = Self.lines(try #require(parts.dropFirst().first), upTo: "// README: end\(suffix)")
      #expect(!run.isEmpty && !shown.isEmpty)
      #expect(shown.removeFirst() == run)
    }
  }

  @Test func theReadmeShowsTheReportOfAPair() throws {
    let readme = try String(contentsOfFile: Folder.package("README.md"), encoding: .utf8)
    let report = try Fixture.named("pairs/price-consent-1-v2-1").text("diff.txt").split(separator: "\n")
    let block = try #require(readme.components(separatedBy: "```\n").first { $0.hasPrefix("V1  v1.json") })
    let shown = block.split(separator: "\n")
    #expect(shown.count > 10)
    for line in shown {
      let start = line.prefix { $0 != "…" }
      #expect(report.contains { start == line ? $0 == line : $0.hasPrefix(start) }, "\(line)")
    }
  }

  /// The lines of code in front of a line, without indentation, empty lines and imports.
  private static func lines(_ text: String, upTo end: String) -> [String] {
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    return lines.prefix { $0 != end }.filter { !$0.isEmpty && !$0.hasPrefix("import ") }
  }
}
