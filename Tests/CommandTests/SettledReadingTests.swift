import Foundation
import SlipcastTestSupport
import Testing

/// What other messages of a subscription show, and what they do not show.
///
/// Times are days after the start of a year; the expected readings follow from `Mappings/rules/archive-facts.json`.
@Suite struct SettledReadingTests {
  /// A period in the lists of messages.
  struct Period {
    var id: Int
    var product = "basic"
    var days: ClosedRange<Double>
    var marks: [String: Any] = [:]

    func cancelled(_ day: Double, upgraded: Bool = false, year: Int) -> Period {
      var period = self
      period.marks["cancellation_date_ms"] = SettledReadingTests.milliseconds(day, year)
      period.marks["cancellation_reason"] = "0"
      if upgraded { period.marks["is_upgraded"] = "true" }
      return period
    }
  }

  var year = 2022
  var environment = "PROD"
  var lines: [String] = []

  static func milliseconds(_ day: Double, _ year: Int) -> String {
    let start = 1_546_300_800_000 + Int64(year - 2019) * 31_536_000_000
    return String(start + Int64(day * 86_400_000))
  }

  func object(_ period: Period) -> [String: Any] {
    let times = [
      "purchase_date_ms": period.days.lowerBound, "expires_date_ms": period.days.upperBound,
      "original_purchase_date_ms": 0,
    ].mapValues { Self.milliseconds($0, year) }
    let marks = period.marks.merging(times) { $1 }
    return marks.merging([
      "transaction_id": "90000000000000\(period.id)", "original_transaction_id": "900000000000001",
      "product_id": period.product, "subscription_group_identifier": "7", "quantity": "1",
      "is_trial_period": "false", "is_in_intro_offer_period": "false", "in_app_ownership_type": "PURCHASED",
    ]) { own, _ in own }
  }

  /// Adds a message that arrives some seconds after a day.
  mutating func tell(
    _ type: String, _ day: Double, _ periods: [Period], next: String? = nil, isOn: Bool = true,
    renewal: [String: Any] = [:], changed: Double? = nil, with more: [String: Any] = [:]
  ) throws {
    let product = next ?? periods.last?.product ?? ""
    var entry: [String: Any] = [
      "original_transaction_id": "900000000000001", "product_id": periods.last?.product ?? "",
      "auto_renew_product_id": product, "auto_renew_status": isOn ? "1" : "0",
    ]
    entry.merge(renewal) { $1 }
    var body: [String: Any] = [
      "notification_type": type, "environment": environment, "bid": "com.example.slipcast",
      "auto_renew_product_id": product,
      "auto_renew_status": isOn ? "true" : "false", "original_transaction_id": 900_000_000_000_001,
      "unified_receipt": [
        "status": 0, "environment": "Production", "latest_receipt_info": periods.reversed().map(object),
        "pending_renewal_info": [entry],
      ] as [String: Any],
    ]
    body.merge(more) { $1 }
    if let changed { body["auto_renew_status_change_date_ms"] = Self.milliseconds(changed, year) }
    try add(body, day)
  }

  /// Adds a message of 2019, which has only the object of its period.
  mutating func tellFlat(
    _ type: String, _ day: Double, _ period: Period, changed: Double? = nil, isOn: Bool = true
  ) throws {
    var flat = object(period)
    flat["is_upgraded"] = nil
    flat["bid"] = "com.example.slipcast"
    var body: [String: Any] = [
      "notification_type": type, "environment": "PROD", "auto_renew_product_id": period.product,
      "auto_renew_status": isOn ? "true" : "false", "latest_receipt_info": flat,
    ]
    if let changed { body["auto_renew_status_change_date_ms"] = Self.milliseconds(changed, year) }
    if type == "CANCEL" { body["cancellation_date_ms"] = flat["cancellation_date_ms"] }
    try add(body, day)
  }

  mutating func add(_ body: [String: Any], _ day: Double) throws {
    let at = Int64(Self.milliseconds(day, year)).map { $0 + 20_000 } ?? 0
    let line = try JSONSerialization.data(withJSONObject: ["at": at, "body": body] as [String: Any])
    lines.append(String(decoding: line, as: UTF8.self))
  }

  /// The reading of a line, and how sure it is.
  func reading(_ line: Int, _ words: String = "--complete 2018-01-01..2027-01-01") throws -> String {
    let (event, migration) = try converted(line, words)
    return "\(event) \(migration["confidence"] as? String ?? "")"
  }

  /// The event of a line, and its `migration`.
  func converted(_ line: Int, _ words: String) throws -> (event: String, migration: [String: Any]) {
    let folder = try TemporaryFolder(["archive.ndjson": lines.joined(separator: "\n") + "\n"])
    defer { folder.remove() }
    let file = folder.path("archive.ndjson")
    let run = try Program.shell(
      "slipcast convert --quiet --body /body --received-at /at --settle \(words) '\(file)'")
    let output = run.output.split(separator: "\n")
    try #require(output.count == lines.count, "\(run.errors)")
    let found = try #require(try JSONSerialization.jsonObject(with: Data(output[line].utf8)) as? [String: Any])
    let migration = try #require(found["migration"] as? [String: Any])
    let names = [found["notificationType"], found["subtype"]].compactMap { $0 as? String }
    return (names.joined(separator: "/"), migration)
  }

  /// Which status the companion message of an upgrade has is not documented, and Apple tries to renew only what is on.
  @Test(arguments: [true, false])
  mutating func theCompanionOfAnUpgradeDoesNotShowAutoRenewOff(failureIsTold: Bool) throws {
    // No absence of a failure is evidence then.
    year = 2019
    let first = Period(id: 1, days: 0...30)
    let old = first.cancelled(10, upgraded: true, year: year)
    let upgraded = Period(id: 2, product: "plus", days: 10...40)
    try tell("INITIAL_BUY", 0, [first])
    try tell("INTERACTIVE_RENEWAL", 10, [old, upgraded])
    try tell("DID_CHANGE_RENEWAL_STATUS", 10, [old, upgraded], isOn: false, changed: 10)
    let retry = ["expiration_intent": "2", "is_in_billing_retry_period": "1"]
    if failureIsTold { try tell("DID_FAIL_TO_RENEW", 40, [old, upgraded], renewal: retry) }
    try tell("INTERACTIVE_RENEWAL", 45, [old, upgraded, Period(id: 3, product: "pro", days: 45...75)])
    #expect(try reading(lines.count - 1) == "SUBSCRIBED/RESUBSCRIBE inferred")
  }

  /// Off seconds after an upgrade, whose companion message may say so: only a later body shows which it was.
  @Test(arguments: [
    ("nothing later", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED ambiguous"),
    // A period also ends when the product is gone or a price is not accepted, and a return turns auto-renew on.
    ("a return", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED ambiguous"),
    ("a renewal", "DID_CHANGE_RENEWAL_PREF/UPGRADE corroborated"),
  ])
  mutating func onlyALaterStatusShowsWhatOffAtAnUpgradeMeans(later: String, expected: String) throws {
    let old = Period(id: 1, days: 0...30).cancelled(10, upgraded: true, year: year)
    let upgraded = Period(id: 2, product: "plus", days: 10...40)
    let renewed = Period(id: 3, product: "plus", days: 40...70)
    let back = Period(id: 4, product: "plus", days: 70...100)
    try tell("INITIAL_BUY", 0, [Period(id: 1, days: 0...30)])
    try tell("INTERACTIVE_RENEWAL", 10, [old, upgraded])
    try tell("DID_CHANGE_RENEWAL_STATUS", 10, [old, upgraded], isOn: false, changed: 10)
    if later == "a return" { try tell("DID_CHANGE_RENEWAL_STATUS", 70, [old, upgraded, back], changed: 70) }
    if later == "a renewal" { try tell("DID_RENEW", 40, [old, upgraded, renewed]) }
    #expect(try reading(2) == expected)
  }

  /// A renewal was charged early, an upgrade ended it before it began, and its dates lie ahead.
  @Test mutating func aPeriodThatAnUpgradeEndedBeforeItBeganDidNotRun() throws {
    year = 2019
    let first = Period(id: 1, product: "plus", days: 0...30)
    let ended = Period(id: 2, product: "year", days: 30...395).cancelled(29.5, upgraded: true, year: year)
    let upgrade = Period(id: 3, product: "plus.large", days: 29.5...59.5)
    let back = Period(id: 4, product: "plus", days: 70...100)
    try tellFlat("INITIAL_BUY", 0, first)
    try tellFlat("INTERACTIVE_RENEWAL", 29.5, upgrade)
    try tellFlat("CANCEL", 29.5, ended)
    try tellFlat("INTERACTIVE_RENEWAL", 70, back)
    try tell("DID_RENEW", 800, [first, ended, upgrade, back, Period(id: 5, product: "plus", days: 800...830)])
    #expect(try !reading(3).hasPrefix("DID_CHANGE_RENEWAL_PREF/UPGRADE"))
  }

  /// What was bought by hand after a refund is not a renewal that was charged early.
  @Test mutating func aPurchaseAfterARefundIsThePeriodBeforeAnUpgrade() throws {
    year = 2019
    let refunded = Period(id: 1, product: "plus", days: 0...30).cancelled(0.01, year: year)
    let bought = Period(id: 2, days: 0.02...30.02).cancelled(2.1, upgraded: true, year: year)
    let upgrade = Period(id: 3, product: "plus", days: 2...32)
    try tellFlat("INITIAL_BUY", 0, Period(id: 1, product: "plus", days: 0...30))
    try tellFlat("CANCEL", 0.01, refunded)
    try tellFlat("INTERACTIVE_RENEWAL", 0.02, bought)
    try tellFlat("INTERACTIVE_RENEWAL", 2, upgrade)
    try tell("DID_RENEW", 800, [refunded, bought, upgrade, Period(id: 4, product: "plus", days: 800...830)])
    #expect(try reading(3, "") == "DID_CHANGE_RENEWAL_PREF/UPGRADE corroborated")
  }

  /// V1 reports failed renewals since 2019-11-21: before, the absence of a message has no meaning.
  @Test(arguments: [(2019, "DID_RENEW ambiguous"), (2020, "DID_RENEW corroborated")])
  mutating func noMessageAboutAFailureIsEvidenceSinceV1SendsThem(year: Int, expected: String) throws {
    self.year = year
    let periods = [Period(id: 1, days: 0...30), Period(id: 2, days: 30...60)]
    try tell("INITIAL_BUY", 0, [periods[0]])
    try tell("RENEWAL", 30, periods)
    #expect(try reading(1) == expected)
    #expect(try reading(1, "").hasSuffix("ambiguous"))
  }

  /// A refund after an upgrade does not change what ran at the upgrade.
  @Test mutating func anotherProductThatWasTakenBackLaterRan() throws {
    year = 2019
    let first = Period(id: 1, days: 0...30)
    try tellFlat("INITIAL_BUY", 0, first)
    try tellFlat("INTERACTIVE_RENEWAL", 10, Period(id: 2, product: "plus", days: 10...40))
    try tellFlat("CANCEL", 10.3, first.cancelled(10.3, year: year))
    // The first message shows that its period ran: that needs no word on completeness.
    for words in ["", "--complete 2018-01-01..2027-01-01"] {
      #expect(try reading(1, words) == "DID_CHANGE_RENEWAL_PREF/UPGRADE corroborated")
    }
  }

  /// A message of the same period shows that no offer was pending before.
  @Test mutating func anOfferThatWasNotPendingBeforeIsRedeemedNow() throws {
    let periods = [Period(id: 1, days: 0...30), Period(id: 2, days: 30...60)]
    try tell("DID_CHANGE_RENEWAL_STATUS", 40, periods, isOn: false, changed: 40)
    try tell("DID_CHANGE_RENEWAL_STATUS", 41, periods, changed: 41)
    try tell("DID_CHANGE_RENEWAL_PREF", 45, periods, renewal: ["offer_code_ref_name": "AUTUMN"])
    try tell("DID_CHANGE_RENEWAL_STATUS", 50, periods, isOn: false, changed: 50)
    #expect(try reading(2) == "OFFER_REDEEMED corroborated")
    lines[1] = lines[1].replacingOccurrences(
      of: #""auto_renew_status":"1""#, with: #""auto_renew_status":"1","offer_code_ref_name":"AUTUMN""#)
    #expect(try reading(2) != "OFFER_REDEEMED corroborated")
  }

  // MARK: purchases that only later lists, or nothing, show the period before of

  private static let offer = ["promotional_offer_id": "back"]

  /// Apple charges a failed renewal neither for another product nor with an offer for a purchase.
  @Test(arguments: [("plus", false, "SUBSCRIBED"), ("basic", true, "OFFER_REDEEMED")])
  mutating func aPurchaseThatIsNoRenewalIsAReturnAfterALapse(product: String, hasOffer: Bool, type: String) throws {
    year = 2019
    let first = Period(id: 1, days: 0...30)
    let back = Period(id: 2, product: product, days: 40...70, marks: hasOffer ? Self.offer : [:])
    try tellFlat("INITIAL_BUY", 0, first)
    try tellFlat("INTERACTIVE_RENEWAL", 40, back)
    #expect(try reading(1, "").hasSuffix("ambiguous"))
    try tell("DID_RENEW", 800, [first, back, Period(id: 3, product: product, days: 800...830)])
    #expect(try reading(1, "") == "\(type)/RESUBSCRIBE corroborated")
  }

  /// A change of auto-renew at the purchase belongs to it, whether or not another message reports the purchase.
  @Test(arguments: [(true, "plus"), (true, "basic"), (false, "basic")])
  mutating func theChangeAtAReturnWithAnOfferIsPartOfIt(isReported: Bool, product: String) throws {
    year = 2019
    let first = Period(id: 1, days: 0...30)
    let back = Period(id: 2, product: product, days: 40...70, marks: Self.offer)
    try tellFlat("INITIAL_BUY", 0, first)
    if isReported { try tellFlat("INTERACTIVE_RENEWAL", 40, back) }
    try tellFlat("DID_CHANGE_RENEWAL_STATUS", 40, back, changed: 40)
    try tell("DID_RENEW", 800, [first, back, Period(id: 3, product: product, days: 800...830)])
    #expect(try reading(lines.count - 2, "") == "OFFER_REDEEMED/RESUBSCRIBE corroborated")
  }

  /// A refund ends the period; at an upgrade Apple cancels the old period within minutes of the purchase too.
  @Test(arguments: [
    ("basic", 10.002, "SUBSCRIBED/RESUBSCRIBE corroborated"), ("plus", 12, "SUBSCRIBED/RESUBSCRIBE corroborated"),
    ("plus", 10.002, "SUBSCRIBED/RESUBSCRIBE ambiguous"),
  ])
  mutating func aPurchaseAfterARefundIsAReturn(product: String, day: Double, expected: String) throws {
    year = 2019
    let first = Period(id: 1, days: 0...30)
    try tellFlat("INITIAL_BUY", 0, first)
    try tellFlat("CANCEL", 10, first.cancelled(10, year: year))
    try tellFlat("INTERACTIVE_RENEWAL", day, Period(id: 2, product: product, days: day...day + 30))
    #expect(try reading(2) == expected)
    #expect(try reading(2, "").hasSuffix("ambiguous"))
  }

  /// A refund near the end may come after Apple has charged the renewal, which V1 did not report then.
  @Test mutating func aRefundOnTheLastDayDoesNotShowThatThePeriodWasTheLast() throws {
    year = 2019
    let first = Period(id: 1, days: 0...30)
    try tellFlat("INITIAL_BUY", 0, first)
    try tellFlat("CANCEL", 29.5, first.cancelled(29.5, year: year))
    try tellFlat("INTERACTIVE_RENEWAL", 40, Period(id: 2, product: "plus", days: 40...70))
    // A day more, and the missing CANCEL would show that it was no upgrade.
    #expect(try reading(2, "--complete 2018-01-01..2019-02-14").hasSuffix("ambiguous"))
  }

  // MARK: changes of auto-renew near a purchase

  /// An upgrade has an INTERACTIVE_RENEWAL: without one, auto-renew off soon after a renewal is a separate change.
  @Test(arguments: [(false, "corroborated"), (true, "ambiguous")])
  mutating func offSoonAfterARenewalIsNoCompanionWhereNoPurchaseIsReported(isBought: Bool, sure: String) throws {
    let old = Period(id: 1, days: 0...30).cancelled(10, upgraded: true, year: year)
    let upgraded = Period(id: 2, product: "plus", days: 10...40)
    let next = Period(id: 3, days: 40...70)
    try tell("INITIAL_BUY", 0, [Period(id: 1, days: 0...30)])
    try tell("INTERACTIVE_RENEWAL", 10, [old, upgraded])
    try tell(isBought ? "INTERACTIVE_RENEWAL" : "DID_RENEW", 40, [old, upgraded, next])
    try tell("DID_CHANGE_RENEWAL_STATUS", 40.001, [old, upgraded, next], isOn: false, changed: 40.001)
    #expect(try reading(3) == "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED \(sure)")
    #expect(try reading(3, "").hasSuffix("ambiguous"))
  }

  /// Auto-renew that was turned off after a purchase can be turned on again.
  @Test(arguments: [(true, "AUTO_RENEW_ENABLED corroborated"), (false, "RESUBSCRIBE inferred")])
  mutating func onAfterOffIsAChangeOfItsOwn(wasTurnedOff: Bool, expected: String) throws {
    let periods = [Period(id: 1, days: 0...30), Period(id: 2, days: 40...70)]
    try tell("INITIAL_BUY", 0, [periods[0]])
    try tell("INTERACTIVE_RENEWAL", 40, periods)
    if wasTurnedOff { try tell("DID_CHANGE_RENEWAL_STATUS", 40.001, periods, isOn: false, changed: 40.001) }
    try tell("DID_CHANGE_RENEWAL_STATUS", 40.004, periods, changed: 40.004)
    #expect(try reading(lines.count - 1, "").hasSuffix(expected))
  }

  /// Apple's recovery is not a purchase by the customer.
  @Test(arguments: [("DID_RECOVER", "corroborated"), ("INTERACTIVE_RENEWAL", "ambiguous")])
  mutating func onDuringRetryIsNoReturnWhereNothingIsBoughtByHand(type: String, sure: String) throws {
    let first = Period(id: 1, days: 0...30)
    let second = Period(id: 2, days: 31.5...61.5)
    let retry = ["expiration_intent": "2", "is_in_billing_retry_period": "1"]
    try tell("INITIAL_BUY", 0, [first])
    try tell("DID_CHANGE_RENEWAL_STATUS", 31, [first], renewal: retry, changed: 31)
    try tell(type, 31.5, [first, second])
    try tell("DID_RENEW", 61.5, [first, second, Period(id: 3, days: 61.5...91.5)])
    #expect(try reading(1, "").hasSuffix(sure))
  }

  /// Flat bodies do not mark upgrades: off at the purchase of a period may be the companion message of one.
  @Test(arguments: [(10.0001, "ambiguous"), (12, "corroborated")])
  mutating func offAtThePurchaseOfAPeriodDoesNotShowThatItWasNotToRenew(day: Double, sure: String) throws {
    year = 2019
    let first = Period(id: 1, days: 0...30)
    let upgraded = Period(id: 2, product: "plus", days: 10...40)
    try tellFlat("INITIAL_BUY", 0, first)
    try tellFlat("INTERACTIVE_RENEWAL", 10, upgraded)
    try tellFlat("DID_CHANGE_RENEWAL_STATUS", day, upgraded, changed: day, isOn: false)
    try tellFlat("INTERACTIVE_RENEWAL", 50, Period(id: 3, product: "plus", days: 50...80))
    // A day more, and the missing CANCEL would show that it was no upgrade.
    #expect(try reading(3, "--complete 2018-01-01..2019-02-24") == "SUBSCRIBED/RESUBSCRIBE \(sure)")
  }

  /// A period may also end because its product is gone: then auto-renew can have been on.
  @Test(arguments: [(false, "ambiguous"), (true, "corroborated")])
  mutating func onlyTheIntentOfALapseShowsThatAutoRenewWasOff(isIntentShown: Bool, sure: String) throws {
    let oldest = Period(id: 1, days: -30...0)
    let old = Period(id: 2, days: 0...30).cancelled(10, upgraded: true, year: year)
    let upgraded = Period(id: 3, product: "plus", days: 10...40)
    let back = Period(id: 4, product: "plus", days: 45...75)
    try tell("DID_RENEW", 0, [oldest, Period(id: 2, days: 0...30)])
    try tell("INTERACTIVE_RENEWAL", 10, [oldest, old, upgraded])
    try tell("DID_CHANGE_RENEWAL_STATUS", 10.003, [oldest, old, upgraded], isOn: false, changed: 10.003)
    if isIntentShown {
      let over = ["expiration_intent": "1", "is_in_billing_retry_period": "0"]
      try tell("CANCEL", 42, [oldest.cancelled(42, year: year), old, upgraded], isOn: false, renewal: over)
    }
    try tell("INTERACTIVE_RENEWAL", 45, [oldest, old, upgraded, back])
    #expect(try reading(2) == "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED \(sure)")
  }

  /// The body of a renewal was written after an upgrade, of which no failed renewal is reported: it is not the renewal.
  @Test mutating func aPurchaseByHandShowsNothingAboutTheRenewalBeforeIt() throws {
    year = 2020
    let first = Period(id: 1, days: 160...167)
    let old = Period(id: 2, days: 170.9...174).cancelled(171.1, upgraded: true, year: year)
    let upgraded = Period(id: 3, product: "plus", days: 171...201)
    let retry = ["expiration_intent": "2", "is_in_billing_retry_period": "1"]
    try tell("DID_FAIL_TO_RENEW", 167, [first], renewal: retry)
    try tell("INTERACTIVE_RENEWAL", 171, [first, old, upgraded])
    try tell("RENEWAL", 171.2, [first, old, upgraded])
    #expect(try !reading(2).hasSuffix("DID_RENEW corroborated"))
  }

  // MARK: silent renewals, and family members

  /// A renewal takes the product that was chosen, so nothing is left to be reverted.
  @Test(arguments: [(false, "OFFER_REDEEMED corroborated"), (true, "ambiguous")])
  mutating func anOfferAfterASilentRenewalIsRedeemedNow(isChoiceTold: Bool, expected: String) throws {
    year = 2020
    let periods = [Period(id: 1, days: 0...30), Period(id: 2, days: 30...60)]
    try tell("INITIAL_BUY", 0, [periods[0]])
    if isChoiceTold { try tell("DID_CHANGE_RENEWAL_PREF", 35, periods, next: "plus") }
    try tell("DID_CHANGE_RENEWAL_PREF", 45, periods, renewal: ["offer_code_ref_name": "AUTUMN"])
    #expect(try reading(lines.count - 1).hasSuffix(expected))
    #expect(try reading(lines.count - 1, "").hasSuffix("ambiguous"))
  }

  /// V1 reports failed renewals to family members since 2021-03-10.
  @Test(arguments: [(2021, "DID_RENEW ambiguous"), (2022, "DID_RENEW corroborated")])
  mutating func aFamilyMembersRenewalDidNotFailWhereV1WouldTell(year: Int, expected: String) throws {
    self.year = year
    let marks = ["in_app_ownership_type": "FAMILY_SHARED"]
    let periods = [Period(id: 1, days: 0...30, marks: marks), Period(id: 2, days: 30.03...60.03, marks: marks)]
    try tell("DID_RENEW", 30.03, periods)
    #expect(try reading(0) == expected)
  }
}
