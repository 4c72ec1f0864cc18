import SlipcastTestSupport
import SlipcastTesting
import Testing

@Suite struct IgnoreRuleTests {
  static let path = "data.renewalInfo.autoRenewStatus"

  @Test(arguments: [path, "/data/renewalInfo/autoRenewStatus", "**.autoRenewStatus", "data.*.auto*"])
  func anAcceptedConflictDoesNotFail(_ pattern: String) throws {
    let pair = Fixture.conflict
    var comparison: Comparison?
    let heard = Recorder.hear {
      comparison = expectParity(
        legacy: pair.legacy, server: pair.server,
        ignoring: [IgnoreRule(pattern, until: "2026-12-31", because: "switched off in the app")])
    }
    #expect(heard.isEmpty)
    let field = try #require(comparison?.fields.first { $0.v2Path == Self.path })
    #expect(field.ignored?.reason == "switched off in the app")
    #expect(field.ignored?.list == "IgnoreRuleTests.swift")
    #expect(field.ignored?.until == "2026-12-31")
  }

  @Test func aNeedlessRuleIsOneWarningThatNamesItsLine() throws {
    let pair = Fixture.parity
    let line = #line + 1
    let rules = [IgnoreRule("data.nothing", because: "a"), IgnoreRule("data.nothing.else", because: "b")]
    let heard = Recorder.hear { expectParity(legacy: pair.legacy, server: pair.server, ignoring: rules) }
    #expect(heard.map(\.severity) == [.warning])
    let start = "line \(line) of IgnoreRuleTests.swift matches no difference; it can be removed"
    #expect(heard.first?.text == "\(start)\n\(start)")
  }

  @Test func aSharedRuleMayBeNeedless() {
    let pair = Fixture.parity
    let heard = Recorder.hear {
      expectParity(
        legacy: pair.legacy, server: pair.server, ignoring: [IgnoreRule("x", isShared: true, because: "others do")])
    }
    #expect(heard.isEmpty)
  }

  @Test func anExpiredRuleCountsNoLonger() throws {
    let pair = Fixture.conflict
    let issue = try Recorder.failure {
      expectParity(
        legacy: pair.legacy, server: pair.server,
        ignoring: [IgnoreRule(Self.path, until: "2026-06-14", because: "until the new importer")])
    }
    #expect(issue.headline == "1 of 51 fields conflicts: \(Self.path)")
    let text = issue.text.replacing(/\s+/, with: " ")
    #expect(text.contains("IgnoreRuleTests.swift expired after 2026-06-14; its differences count again"))
  }

  @Test func anExpiredRuleThatNobodyNeedsIsAWarningEvenIfShared() {
    let pair = Fixture.parity
    let rule = IgnoreRule("data.nothing", until: "2020-01-01", isShared: true, because: "old")
    let heard = Recorder.hear { expectParity(legacy: pair.legacy, server: pair.server, ignoring: [rule]) }
    #expect(heard.map(\.severity) == [.warning])
    #expect(heard.first?.text.contains("expired after 2020-01-01 and matches no difference") == true)
  }

  @Test(arguments: [
    ("data.status", nil, "", "expected a pattern and a reason; the reason is missing"),
    ("data.status", nil, " \n", "expected a pattern and a reason; the reason is missing"),
    ("", nil, "why", "expected a pattern and a reason; the pattern is missing"),
    ("data.status", "soon", "why", "expected until=yyyy-MM-dd, the last day on which the line counts"),
  ])
  func aRuleThatSaysNothingFails(_ pattern: String, _ until: String?, _ reason: String, _ words: String) throws {
    let pair = Fixture.parity
    let line = #line + 1
    let rule = IgnoreRule(pattern, until: until, because: reason)
    let issue = try Recorder.failure { expectParity(legacy: pair.legacy, server: pair.server, ignoring: [rule]) }
    #expect(issue.text == "the ignore rule in IgnoreRuleTests.swift, line \(line): \(words)")
  }
}
