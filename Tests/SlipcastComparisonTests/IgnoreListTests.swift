import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport
import SlipcastWire
import Testing

@Suite struct IgnoreListTests {
  static let day = Timestamp(day: "2026-06-15") ?? Timestamp(milliseconds: 0)

  /// A pair with exactly one conflict, at `data.renewalInfo.autoRenewStatus`.
  private func conflicting() throws -> Comparison {
    try Shared.compare(Fixture.named("pairs/auto-renew-differs"))
  }

  @Test(arguments: [
    "data.renewalInfo.autoRenewStatus", "/data/renewalInfo/autoRenewStatus", "**.autoRenewStatus", "data.**",
    "data.*.autoRenewStatus", "data.renewalInfo.auto*", "**", "**.renewalInfo.*", "data.renewalInfo.**.autoRenewStatus",
    "unified_receipt.pending_renewal_info[0].auto_renew_status",
    "/unified_receipt/pending_renewal_info/0/auto_renew_status",
    "unified_receipt.pending_renewal_info[*].auto_renew_status",
  ])
  func anIgnoredConflictIsShownAndCountedButDoesNotFail(_ pattern: String) throws {
    let comparison = try conflicting()
    #expect(comparison.verdict == .conflict)
    let list = try IgnoreList("\n# accepted\n\(pattern) until=2026-12-31 switched off in the app\n")
    let after = comparison.ignoring(list, now: Self.day)
    #expect(after.verdict == .parity)
    #expect(after.counts == comparison.counts)
    let field = try #require(after.fields.first { $0.v2Path == "data.renewalInfo.autoRenewStatus" })
    #expect(field.differenceClass == .conflict)
    #expect(field.ignored?.reason == "switched off in the app")
    #expect(field.ignored?.line == 3)
    #expect(after.ignoredCount >= 1)
    #expect(after.notes == comparison.notes)
  }

  @Test(arguments: [
    "data.renewalInfo", "autoRenewStatus", "data.renewalInfo.autoRenewStatus.x", "*", "data.*", "data.renewalinfo.*",
    "data.renewalInfo.autoRenewStatus[0]", "[*]", "/data/renewalInfo/autoRenew",
  ])
  func aPatternFitsWholePathsOnly(_ pattern: String) throws {
    let after = try conflicting().ignoring(try IgnoreList("\(pattern) some reason"), now: Self.day)
    #expect(after.verdict == .conflict)
  }

  @Test func anUnusedLineIsAWarning() throws {
    let after = try conflicting().ignoring(try IgnoreList("data.nothing.like.it a reason"), now: Self.day)
    #expect(after.notes.contains { $0.code == "ignoreUnused" && $0.isWarning && $0.message.contains("line 1") })
  }

  @Test(arguments: [("2026-06-15", true), ("2026-06-14", false), ("2030-01-01", true), ("1999-12-31", false)])
  func aLineCountsUpToTheEndOfItsDay(_ until: String, _ counts: Bool) throws {
    let list = try IgnoreList("**.autoRenewStatus until=\(until) a reason")
    let after = try conflicting().ignoring(list, now: Timestamp(milliseconds: Self.day.milliseconds + 86_399_999))
    #expect((after.verdict == .parity) == counts)
    #expect(after.notes.contains { $0.code == "ignoreExpired" } == !counts)
  }

  @Test(arguments: [
    ("data.status", 1), ("ok reason\n\ndata.status until=2026-12-31", 3), ("a until=2026-13-01 reason", 1),
    ("# fine\na until=soon reason", 2), ("a until= reason", 1),
  ])
  func aLineWithoutReasonOrWithAWrongDayIsRefused(_ text: String, _ line: Int) {
    #expect { _ = try IgnoreList(text) } throws: { ($0 as? IgnoreList.Fault)?.line == line }
  }

  /// With backtracking this would not end.
  @Test func aPatternOfManyStarsIsJudgedAllTheSame() throws {
    let pattern = String(repeating: "**.", count: 200) + String(repeating: "*a", count: 200)
    #expect(try conflicting().ignoring(IgnoreList(pattern + " reason"), now: Self.day).verdict == .conflict)
  }

  @Test func aStrictClassFailsAndCanBeIgnored() throws {
    var comparison = try Shared.compare(Fixture.named("pairs/price-increase-no-consent"))
    #expect(comparison.verdict == .parity)
    comparison.strict = [.semantic]
    #expect(comparison.verdict == .conflict)
    let list = try IgnoreList("**.priceIncreaseStatus known")
    #expect(comparison.ignoring(list, now: Self.day).verdict == .parity)
  }
}
