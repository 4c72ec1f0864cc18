import Foundation
import SlipcastTestSupport
import Testing

/// Events that only lists and later bodies show, in timelines and states.
///
/// Source: evidence §13 and §14. Days are counted from the start of 2022.
@Suite struct UntoldEventTests {
  private typealias Period = SettledReadingTests.Period
  private static let year = 2022
  private static var first: Period { Period(id: 1, days: 0...30) }
  private static var second: Period { Period(id: 2, days: 30...60) }

  /// Lines of `timeline --format json`, or of its states.
  private func told(_ archive: SettledReadingTests, _ words: String = "--format json") throws -> [[String: Any]] {
    let folder = try TemporaryFolder(["archive.ndjson": archive.lines.joined(separator: "\n") + "\n"])
    defer { folder.remove() }
    let file = folder.path("archive.ndjson")
    let run = try Program.shell("slipcast timeline --quiet --body /body --received-at /at \(words) '\(file)'")
    return try run.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  private func words(_ lines: [[String: Any]]) -> [String] {
    lines.filter { ["event", "gap"].contains($0["kind"] as? String) }.map { line in
      let event = [line["notificationType"], line["subtype"]].compactMap { $0 as? String }.joined(separator: "/")
      return line["kind"] as? String == "gap" ? "(\(event))" : event
    }
  }

  private static func milliseconds(_ day: Double) -> Int64 {
    Int64(SettledReadingTests.milliseconds(day, year)) ?? 0
  }

  /// A list shows the refund of the newest or of an older period; the message about it is missing, or there.
  @Test(arguments: [true, false], [false, true])
  func aRefundThatOnlyListsShowIsAGap(isOfNewest: Bool, isTold: Bool) throws {
    var archive = SettledReadingTests()
    let (one, two) = (Self.first, Self.second)
    let listed =
      isOfNewest ? [one, two.cancelled(45, year: Self.year)] : [one.cancelled(45, year: Self.year), two]
    try archive.tell("INITIAL_BUY", 0, [one])
    try archive.tell("DID_RENEW", 30, [one, two])
    if isTold {
      try archive.tell(
        "CANCEL", 45, listed, with: ["cancellation_date_ms": SettledReadingTests.milliseconds(45, Self.year)])
    }
    try archive.tell("DID_CHANGE_RENEWAL_PREF", 50, listed, next: "plus")
    let lines = try told(archive)
    let expected = ["SUBSCRIBED/INITIAL_BUY", "DID_RENEW", isTold ? "REFUND" : "(REFUND)"]
    #expect(Array(words(lines).prefix(3)) == expected)
    #expect(words(lines).filter { $0.contains("REFUND") }.count == 1)
    guard !isTold else { return }
    let gap = try #require(lines.first { $0["kind"] as? String == "gap" })
    #expect(gap["time"] as? Int64 == Self.milliseconds(45) && gap["confidence"] as? String == "inferred")
    #expect(gap["rule"] as? String == "server.REFUND")
    // The states say the same.
    let states = try told(archive, "--to /dev/null --states -")
    let refunded = states.first { $0["reason"] as? String == "refunded" }
    if isOfNewest { #expect(refunded?["validFrom"] as? Int64 == Self.milliseconds(45)) }
  }

  /// Who cancels for an upgrade gets nothing back.
  @Test func anUpgradeThatOnlyAListShowsIsNoRefund() throws {
    var archive = SettledReadingTests()
    let old = Self.first.cancelled(10, upgraded: true, year: Self.year)
    let dear = Period(id: 3, product: "plus", days: 10...40)
    try archive.tell("INITIAL_BUY", 0, [Self.first])
    try archive.tell("DID_CHANGE_RENEWAL_PREF", 20, [old, dear], next: "basic")
    #expect(try words(told(archive)).allSatisfy { !$0.contains("REFUND") })
  }

  /// A message that reports a refund and names none of two purchases may be about either.
  @Test func aReportThatNamesNoPurchaseMayBeAboutTheListedRefund() throws {
    var archive = SettledReadingTests()
    let both = [Self.first.cancelled(45, year: Self.year), Self.second.cancelled(45, year: Self.year)]
    try archive.tell("INITIAL_BUY", 0, [Self.first])
    try archive.tell("CANCEL", 45, both)
    let lines = try words(told(archive))
    #expect(lines.filter { $0 == "(REFUND)" }.isEmpty, "\(lines)")
  }

  /// The renewal has no message; a later body shows that the customer agreed, before it where they had been asked then.
  @Test(arguments: [true, false]) func aConsentComesBeforeTheRenewalThatItMadePossible(isAsked: Bool) throws {
    var archive = SettledReadingTests()
    try archive.tell("INITIAL_BUY", 0, [Self.first])
    if isAsked { try archive.tell("PRICE_INCREASE_CONSENT", 10, [Self.first], renewal: ["price_consent_status": "0"]) }
    try archive.tell(
      "DID_CHANGE_RENEWAL_STATUS", 45, [Self.first, Self.second], isOn: false,
      renewal: ["price_consent_status": "1"], changed: 45)
    let lines = try words(told(archive))
    let expected =
      isAsked
      ? ["PRICE_INCREASE/PENDING", "(PRICE_INCREASE/ACCEPTED)", "(DID_RENEW)"]
      : ["(DID_RENEW)", "(PRICE_INCREASE/ACCEPTED)", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"]
    #expect(Array(lines[1...3]) == expected, "\(lines)")
  }
}
