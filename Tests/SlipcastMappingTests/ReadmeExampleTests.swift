import Foundation
import SlipcastKit
import SlipcastTestSupport
import Testing

/// The library example of the README, word for word, on a real fixture.
@Suite struct ReadmeExampleTests {
  @Test func printsTypeFindingsAndLosses() throws {
    let body = try Fixture.named("notifications/price-increase-consent-0").text("v1.json")
    var printed: [String] = []
    func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }

    // README: begin
    let caster = try LegacyCaster()
    let cast = try caster.cast(body)
    switch cast.value {
    case .notification(let event): print(event.notificationType?.rawValue ?? "", event.subtype?.rawValue ?? "")
    case .history(let history): print(history.transactions?.count ?? 0, "transactions")
    case .statuses(let statuses): print(statuses.data?.count ?? 0, "groups")
    }
    for finding in cast.findings { print(finding.code, finding.message) }
    for loss in cast.account.lost { print(loss.v1Path, loss.reason) }
    // README: end

    #expect(printed.first == "PRICE_INCREASE PENDING")
    #expect(cast.findings.map(\.code) == ["eventTimeUnknown"])
    #expect(printed.dropFirst().first?.hasPrefix("eventTimeUnknown V1 gives this event no time") == true)
    #expect(printed.contains { $0.hasPrefix("password ") })
    #expect(printed.count == 1 + cast.findings.count + cast.account.lost.count)
    #expect(!printed.contains { $0.contains("SECRET-SLIPCAST") })
    #expect(cast.notification?.data?.renewalInfo?.priceIncreaseStatus?.known == .noResponse)
    #expect(cast.notification?.signedDate == nil)
  }

  @Test func theReadmeShowsThisCode() throws {
    let readme = try String(contentsOfFile: Folder.package("README.md"), encoding: .utf8)
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let shown = Self.lines(of: readme, between: "```swift", and: "```").filter { !$0.hasPrefix("import ") }
    let run = Self.lines(of: source, between: "// README: begin", and: "// README: end")
    #expect(!run.isEmpty)
    #expect(shown == run)
  }

  /// The lines that are not empty between two lines, without their indentation.
  private static func lines(of text: String, between start: String, and end: String) -> [String] {
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    guard let first = lines.firstIndex(of: start) else { return [] }
    return Array(lines[(first + 1)...].prefix { $0 != end }).filter { !$0.isEmpty }
  }
}
