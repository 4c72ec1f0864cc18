import Foundation
import SlipcastReports
import SlipcastTestSupport
import SlipcastTesting
import Testing

@Suite struct ParityExpectationTests {
  /// The pairs are in `Fixtures/pairs`; the report is what the command prints of them.
  @Test(arguments: Fixture.cases("pairs"))
  func aPairIsJudgedAndShownAsByTheCommand(_ fixture: Fixture) throws {
    var comparison: Comparison?
    let heard = Recorder.hear { comparison = expectParity(legacy: fixture.legacy, server: fixture.server) }
    let judged = try #require(comparison)
    #expect(heard.count == (judged.verdict == .parity ? 0 : 1))
    let report = judged.report(.text)
    let failing = judged.fields.filter(judged.fails)
    #expect(report.contains("\nCONFLICT") == !failing.isEmpty)
    guard let issue = heard.first else { return }
    #expect(issue.headline.hasPrefix("\(failing.count) of \(judged.fields.count) field"))
    let blocks = issue.text.components(separatedBy: "\n\n").filter { $0.hasPrefix("  ") }
    #expect(blocks.count == failing.count)
    for block in blocks { #expect(report.contains("\n\n\(block)\n"), "\(block)") }
    #expect(!issue.text.contains("SECRET-SLIPCAST"))
  }

  @Test func aConflictBeginsWithHowManyFieldsConflictAndWhich() throws {
    let pair = Fixture.conflict
    let issue = try Recorder.failure {
      expectParity(legacy: pair.legacy, server: pair.server, "the renewal of March")
    }
    let parts = issue.text.components(separatedBy: "\n\n")
    #expect(parts[0] == "1 of 51 fields conflicts: data.renewalInfo.autoRenewStatus\nthe renewal of March")
    #expect(parts[1].hasPrefix("  data.renewalInfo.autoRenewStatus\n    V1    \"1\"  unified_receipt."))
    #expect(parts[2].hasPrefix("V1  Fixtures/") || parts[2].hasPrefix("V1  /"))
    let counts = "1 conflict, 7 derived, 3 legacyOnly, 13 serverOnly, 1 elsewhere, 7 repeated, 19 representation"
    #expect(parts[2].hasSuffix(counts))
    #expect(parts[3].hasPrefix("slipcast diff --verbose "))
    #expect(parts.count == 4)
  }

  @Test func anIssueStandsAtTheCallersLine() throws {
    let pair = Fixture.conflict
    let line = #line + 1
    let issue = try Recorder.failure { expectParity(legacy: pair.legacy, server: pair.server) }
    #expect(issue.site.line == line)
    #expect(issue.site.column > 0)
    #expect("\(issue.site.fileID)" == #fileID)
    #expect("\(issue.site.filePath)" == #filePath)
  }

  @Test func aRecordMayBeTextBytesDataAFileOrAValue() throws {
    let pair = Fixture.parity
    let (legacy, server) = (try pair.bytes("v1.json"), try pair.text("v2.json"))
    let model = try ResponseBodyV2DecodedPayload(json: server)
    let heard = try Recorder.hear {
      expectParity(legacy: legacy, server: server)
      expectParity(legacy: Data(legacy), server: server[...])
      expectParity(legacy: legacy[...], server: model)
      expectParity(legacy: .file("../../Fixtures/pairs/price-consent-1-v2-1/v1.json"), server: pair.server)
      expectParity(legacy: legacy, server: try #require(model.data?.transactionInfo))
      expectParity(legacy: try LegacyConverter().convert(legacy), server: server)
    }
    #expect(heard.isEmpty)
  }

  @Test func aStrictClassFailsToo() throws {
    let pair = Fixture.parity
    let issue = try Recorder.failure { expectParity(legacy: pair.legacy, server: pair.server, strict: [.semantic]) }
    #expect(issue.headline == "1 of 50 fields fails by strict semantic: data.renewalInfo.priceIncreaseStatus")
    let other = Fixture.named("pairs/auto-renew-differs")
    let mixed = try Recorder.failure { expectParity(legacy: other.legacy, server: other.server, strict: [.derived]) }
    #expect(mixed.headline.contains("conflicts: data.renewalInfo.autoRenewStatus; 7 more fail by strict derived: "))
    #expect(mixed.headline.hasSuffix(" and 1 more"))
  }

  @Test func receivedTimeRulesAndOptionsReachTheCast() throws {
    let pair = Fixture.parity
    let converter = try Recorder.failure {
      expectParity(
        legacy: pair.legacy, server: pair.server, strict: [.derived, .representation],
        receivedAt: Timestamp(milliseconds: 1_723_626_766_168), rules: BuiltIn.rules,
        options: ConversionOptions(appAppleId: 1))
    }
    #expect(converter.text.contains("data.appAppleId"))
  }

  @Test func theSecretIsNeverShown() throws {
    let pair = Fixture.conflict
    let legacy = try pair.text("v1.json")
    let server = try pair.text("v2.json")
    let heard = Recorder.hear {
      expectParity(legacy: legacy, server: legacy)
      expectParity(legacy: server, server: legacy)
      expectParity(legacy: String(legacy.dropLast(20)), server: server)
      expectParity(legacy: legacy, server: legacy.replacing("notification_type", with: "notificationType"))
      expectParity(legacy: legacy, server: server, strict: Set(DifferenceClass.allCases))
    }
    #expect(heard.count == 5)
    for issue in heard { #expect(!issue.text.contains("SECRET-SLIPCAST"), "\(issue.text)") }
  }
}
