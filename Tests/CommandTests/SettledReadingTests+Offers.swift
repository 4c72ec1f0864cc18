import Foundation
import SlipcastTestSupport
import Testing

// Offers that flat bodies do not show, companions of their upgrades, and changes after an upgrade.
extension SettledReadingTests {
  /// An upgrade of 2019 in three flat bodies, and what a list of the next winter shows of it.
  private mutating func tellFlatUpgrade(
    from day: Double = 100, refundAfter delay: Double = 0.0001, listed marks: [String: Any]? = nil
  ) throws {
    year = 2019
    let old = Period(id: 1, days: day...(day + 30))
    let new = Period(id: 2, product: "plus", days: (day + 10)...(day + 40))
    try tellFlat("INITIAL_BUY", day, old)
    try tellFlat("INTERACTIVE_RENEWAL", day + 10, new)
    try tellFlat("CANCEL", day + 10 + delay, old.cancelled(day + 10 + delay, year: year))
    guard let marks else { return }
    var shown = new
    shown.marks = marks
    let ended = old.cancelled(day + 10, upgraded: true, year: year)
    try tell("DID_RENEW", 340, [ended, shown, Period(id: 3, product: "plus", days: 340...370)])
  }

  /// Source: mapping A1, INTERACTIVE_RENEWAL with an offer; contracts §6.
  @Test mutating func anOfferThatALaterListShowsIsTheUpgrades() throws {
    try tellFlatUpgrade(listed: ["promotional_offer_id": "back"])
    #expect(try reading(1) == "OFFER_REDEEMED/UPGRADE corroborated")
    #expect(try reading(1, "") == "OFFER_REDEEMED/UPGRADE corroborated")
    let (event, migration) = try converted(2, "")
    #expect(event == "OFFER_REDEEMED/UPGRADE" && migration["absorbed"] != nil)
  }

  /// Source: evidence §1, a key that is absent in this era: at most inferred; mapping A1.
  @Test(arguments: [(100.0, true, "corroborated"), (100, false, "inferred"), (20, false, "corroborated")])
  mutating func anOfferThatNoListCouldShowStaysPossible(day: Double, isListed: Bool, confidence: String) throws {
    try tellFlatUpgrade(from: day, listed: isListed ? [:] : nil)
    for line in 1...2 {
      let (event, migration) = try converted(line, "--complete 2018-01-01..2027-01-01")
      #expect(event == "DID_CHANGE_RENEWAL_PREF/UPGRADE" && migration["confidence"] as? String == confidence)
      // Contracts §6: a settled line is corroborated.
      #expect((migration["settled"] == nil) == (confidence == "inferred"))
      #expect((migration["narrowed"] == nil) == (confidence != "inferred"))
      let accepts = (migration["accepts"] as? [[String: Any]] ?? []).compactMap { $0["notificationType"] as? String }
      #expect(accepts == (confidence == "inferred" ? ["OFFER_REDEEMED"] : []))
    }
    // The CANCEL came seconds after the purchase, which decides without a word on completeness.
    #expect(try reading(1, "") == "DID_CHANGE_RENEWAL_PREF/UPGRADE \(confidence)")
  }

  /// Source: evidence §3: within 10 minutes of the purchase in a form without `is_upgraded`.
  @Test(arguments: [(0.0001, true), (0.02, false)])
  mutating func theCancelOfAFlatUpgradeIsItsCompanion(delay: Double, isCompanion: Bool) throws {
    try tellFlatUpgrade(refundAfter: delay)
    let (event, migration) = try converted(2, "--complete 2018-01-01..2027-01-01")
    #expect((migration["absorbed"] != nil) == isCompanion)
    #expect((event == "DID_CHANGE_RENEWAL_PREF/UPGRADE") == isCompanion)
  }

  /// The first message shows that the old period ran at the purchase: the purchase is an upgrade.
  ///
  /// What was cancelled and changed within its window belongs to it. A period that was cancelled before the purchase may
  /// have been refunded.
  ///
  /// Source: evidence §3, flat bodies; mapping A3, three messages and one event; A2 row 2, a refund turns auto-renew off.
  @Test(arguments: [(5.0, true), (60, true), (-60, false)])
  mutating func theThreeFlatMessagesOfAnUpgradeAreOneEvent(seconds: Double, isOne: Bool) throws {
    year = 2019
    let old = Period(id: 1, days: 100...130)
    let new = Period(id: 2, product: "plus", days: 110...140)
    try tellFlat("INITIAL_BUY", 100, old)
    try tellFlat("CANCEL", 110, old.cancelled(110 + seconds * Self.second, year: year))
    try tellFlat("DID_CHANGE_RENEWAL_STATUS", 110, new, changed: 110)
    try tellFlat("INTERACTIVE_RENEWAL", 110, new)
    for line in 1...3 {
      let (event, migration) = try converted(line, "")
      #expect((event == "DID_CHANGE_RENEWAL_PREF/UPGRADE") == isOne, "\(lines[line])")
      if isOne { #expect((migration["absorbed"] != nil) == (line < 3)) }
    }
    let events = try grouped()
    // The first purchase of these archives is an earlier one.
    if isOne { #expect(events == ["SUBSCRIBED/RESUBSCRIBE", "DID_CHANGE_RENEWAL_PREF/UPGRADE"]) }
  }

  /// Source: mapping B6, status 5 needs a cancellation that is not an upgrade's; evidence §3, no `revocationDate`.
  @Test mutating func theOldPeriodOfASettledUpgradeIsNotRevoked() throws {
    try tellFlatUpgrade(listed: [:])
    let folder = try TemporaryFolder(["archive.ndjson": lines.joined(separator: "\n") + "\n"])
    defer { folder.remove() }
    let file = folder.path("archive.ndjson")
    let convert = "slipcast convert --quiet --body /body --received-at /at '\(file)'"
    let alone = try Program.shell("\(convert) | sed -n 3p").output
    #expect(alone.contains("revocationDate") && alone.contains(#""status":5"#))
    let settled = try Program.shell("\(convert) --settle | sed -n 3p").output
    #expect(!settled.contains("revocation") && settled.contains(#""status":1"#), "\(settled)")
  }

  /// The events of `--group`.
  private func grouped() throws -> [String] {
    let folder = try TemporaryFolder(["archive.ndjson": lines.joined(separator: "\n") + "\n"])
    defer { folder.remove() }
    let file = folder.path("archive.ndjson")
    let run = try Program.shell(
      "slipcast convert --quiet --body /body --received-at /at --group --settle '\(file)'")
    return try run.output.split(separator: "\n").map { line in
      let event = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      return [event["notificationType"], event["subtype"]].compactMap { $0 as? String }.joined(separator: "/")
    }
  }

  /// Apple repeats a message for 80 hours: a body that came longer before shows that the offer is older, and a later one
  /// makes this the better reading.
  ///
  /// Source: mapping A1, compare the offer with the previous message's; mapping D, retries; evidence §1.
  @Test(arguments: [(36.0, "corroborated"), (41, "inferred")])
  mutating func aChoiceDoesNotRedeemAnOfferThatWasShownBefore(day: Double, confidence: String) throws {
    let (list, pending) = ([Period(id: 1, days: 30...60)], ["promotional_offer_id": "stay"])
    try tell("DID_CHANGE_RENEWAL_STATUS", day, list, isOn: false, renewal: pending, changed: day)
    try tell("DID_CHANGE_RENEWAL_STATUS", day + 0.1, list, renewal: pending, changed: day + 0.1)
    try tell("DID_CHANGE_RENEWAL_PREF", 42, list, next: "plus", renewal: pending)
    try tell("DID_CHANGE_RENEWAL_PREF", 43, list, renewal: pending)
    // An offer of the same name may have been redeemed for the other product.
    let lines = [(2, "DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "inferred"), (3, "DID_CHANGE_RENEWAL_PREF", confidence)]
    for (line, expected, confidence) in lines {
      let (event, migration) = try converted(line, "")
      #expect(event == expected && migration["confidence"] as? String == confidence)
      let accepts = (migration["accepts"] as? [[String: Any]] ?? []).compactMap { $0["notificationType"] as? String }
      #expect(accepts == (confidence == "inferred" ? ["OFFER_REDEEMED"] : []))
      #expect((migration["narrowed"] != nil) == (confidence == "inferred"))
    }
  }

  /// Source: mapping A1, the offer appears with the choice.
  @Test mutating func aChoiceRedeemsAnOfferThatTheMessageBeforeDoesNotShow() throws {
    let list = [Period(id: 1, days: 30...60)]
    try tell("DID_CHANGE_RENEWAL_STATUS", 41, list, isOn: false, changed: 41)
    try tell("DID_CHANGE_RENEWAL_STATUS", 41.1, list, changed: 41.1)
    try tell("DID_CHANGE_RENEWAL_PREF", 42, list, next: "plus", renewal: ["promotional_offer_id": "stay"])
    #expect(try reading(2, "") == "OFFER_REDEEMED/DOWNGRADE inferred")
  }

  /// A refund leaves a cancellation date, which a list of the next month would show.
  ///
  /// Source: mapping A1, CANCEL of an upgraded period; v1.md 2a, an upgraded period without a cancellation date.
  @Test(arguments: [(false, "DID_CHANGE_RENEWAL_PREF/UPGRADE corroborated"), (true, "ambiguous")])
  mutating func theCancelOfAnUpgradedPeriodThatStaysUncancelledIsItsCompanion(
    isCancelledLater: Bool, expected: String
  ) throws {
    let marks: [String: Any] = ["is_upgraded": "true", "web_order_line_item_id": "7001"]
    let old = Period(id: 1, days: 0...30, marks: marks)
    let new = Period(id: 2, product: "plus", days: 10...40)
    try tell("CANCEL", 10, [old, new], with: ["web_order_line_item_id": "7001"])
    let shown = isCancelledLater ? old.cancelled(35, upgraded: true, year: year) : old
    try tell("DID_RENEW", 40, [shown, new, Period(id: 3, product: "plus", days: 40...70)])
    #expect(try reading(0, "").hasSuffix(expected))
  }

  /// The new product that the upgrade's own messages name had not been chosen before it.
  ///
  /// Source: mapping A1, the previous period runs and the product differs.
  @Test(arguments: [10.0, 28, 29.2])
  mutating func anUpgradeOnTheLastDayIsOne(after days: Double) throws {
    year = 2018
    let old = Period(id: 1, days: 0...30)
    try tellFlat("INITIAL_BUY", 0, old)
    try tellFlat("INTERACTIVE_RENEWAL", days, Period(id: 2, product: "plus", days: days...(days + 30)))
    var ended = old.cancelled(days + 0.0001, year: year)
    ended.product = "basic"
    try tellFlat("CANCEL", days + 0.0001, ended)
    #expect(try reading(1) == "DID_CHANGE_RENEWAL_PREF/UPGRADE corroborated")
  }

  /// Source: evidence §3 and contracts §6: a message reports the change in between.
  @Test mutating func onAgainAfterTheUpgradeIsNotItsCompanion() throws {
    let old = Period(id: 1, days: 0...30).cancelled(10, upgraded: true, year: year)
    let list = [old, Period(id: 2, product: "plus", days: 10...40)]
    let minute = 60 * Self.second
    try tell("INTERACTIVE_RENEWAL", 10, list)
    try tell("DID_CHANGE_RENEWAL_STATUS", 10, list, changed: 10)
    try tell("DID_CHANGE_RENEWAL_STATUS", 10 + 3 * minute, list, isOn: false, changed: 10 + 3 * minute)
    try tell("DID_CHANGE_RENEWAL_STATUS", 10 + 4 * minute, list, changed: 10 + 4 * minute)
    let (event, migration) = try converted(3, "")
    #expect(event == "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED" && migration["absorbed"] == nil)
    #expect(try converted(1, "").migration["absorbed"] != nil)
  }

  /// Source: evidence §5, BILLING_RECOVERY did not occur in the Sandbox.
  @Test mutating func aReturnInTheSandboxIsNoRecovery() throws {
    environment = "Sandbox"
    let (first, minute) = (Period(id: 1, days: 0...(300 * Self.second)), 60 * Self.second)
    let back = Period(id: 2, days: (12 * minute)...(17 * minute))
    try tell("INITIAL_BUY", 0, [first])
    try tell("DID_CHANGE_RENEWAL_STATUS", 4 * minute, [first], isOn: false, changed: 4 * minute)
    try tell("DID_CHANGE_RENEWAL_STATUS", 12 * minute, [first, back], changed: 12 * minute)
    #expect(try reading(2, "") == "SUBSCRIBED/RESUBSCRIBE documented")
  }
}
