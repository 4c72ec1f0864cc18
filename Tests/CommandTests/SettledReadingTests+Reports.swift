import Testing

// What other messages report about the same purchase, cancellation or choice.
extension SettledReadingTests {
  static let second = 1.0 / 86_400
  private static let retry = ["expiration_intent": "2", "is_in_billing_retry_period": "1"]

  /// The flat body of a CANCEL does not show an upgrade; a later list does, but a refund for the app (reason 1) is one.
  @Test(arguments: [
    (true, "0", "DID_CHANGE_RENEWAL_PREF/UPGRADE corroborated"), (true, "1", "REFUND inferred"),
    (false, "0", "REFUND corroborated"),
  ])
  mutating func aFlatCancellationIsAnUpgradeWhereALaterListMarksIt(
    isMarked: Bool, reason: String, expected: String
  ) throws {
    year = 2019
    let first = Period(id: 1, days: 0...30)
    let upgraded = Period(id: 2, product: "plus", days: 10...40)
    var ended = first.cancelled(10 + 5 * Self.second, upgraded: isMarked, year: year)
    ended.marks["cancellation_reason"] = reason
    try tellFlat("INITIAL_BUY", 0, first)
    try tellFlat("INTERACTIVE_RENEWAL", 10, upgraded)
    try tellFlat("CANCEL", 10 + 5 * Self.second, ended)
    try tell("DID_RENEW", 700, [ended, upgraded, Period(id: 3, product: "plus", days: 700...730)])
    #expect(try reading(2, "") == expected)
    #expect(try (converted(2, "").migration["absorbed"] != nil) == expected.hasPrefix("DID_CHANGE_RENEWAL_PREF"))
  }

  /// The flat CANCEL names another product as the next one; a later list marks the upgrade and shows its purchase.
  @Test(arguments: [
    (false, 10, "DID_CHANGE_RENEWAL_PREF/UPGRADE corroborated"), (true, 10, "OFFER_REDEEMED/UPGRADE corroborated"),
    (false, 12, "DID_CHANGE_RENEWAL_PREF/UPGRADE ambiguous"),
  ])
  mutating func aLaterListShowsWhetherTheUpgradeHadAnOffer(hasOffer: Bool, day: Double, expected: String) throws {
    year = 2020
    let first = Period(id: 1, days: 0...30)
    let marks = hasOffer ? ["promotional_offer_id": "up"] : [:]
    let upgraded = Period(id: 2, product: "plus", days: 10...40, marks: marks)
    let cancelled = first.cancelled(day + 5 * Self.second, upgraded: true, year: year)
    try add(
      [
        "notification_type": "CANCEL", "environment": "PROD", "bid": "com.example.slipcast",
        "auto_renew_product_id": "plus", "auto_renew_status": "true",
        "cancellation_date_ms": Self.milliseconds(day + 5 * Self.second, year),
        "latest_receipt_info": object(first.cancelled(day + 5 * Self.second, year: year)),
      ], day + 5 * Self.second)
    try tell("DID_RENEW", 40, [cancelled, upgraded, Period(id: 3, product: "plus", days: 40...70)])
    #expect(try reading(0, "") == expected)
  }

  /// The two messages of one recovery in the Sandbox have one reading.
  @Test(arguments: [(true, "DID_RENEW/BILLING_RECOVERY corroborated"), (false, "DID_RENEW corroborated")])
  mutating func aRenewalAfterALapseInTheSandboxIsTheRecoveryThatIsReported(isTold: Bool, expected: String) throws {
    environment = "Sandbox"
    let minute = 1.0 / 1440
    let periods = [Period(id: 1, days: 0...5 * minute), Period(id: 2, days: 9 * minute...14 * minute)]
    try tell("INITIAL_BUY", 0, [periods[0]])
    try tell("RENEWAL", 9 * minute, periods)
    if isTold { try tell("DID_RECOVER", 9 * minute, periods) }
    #expect(try reading(1, "") == expected)
  }

  /// A purchase by hand in billing retry is the recovery if V1 also sends DID_RECOVER.
  @Test(arguments: [(true, "DID_RENEW/BILLING_RECOVERY"), (false, "SUBSCRIBED/RESUBSCRIBE")])
  mutating func aPurchaseInBillingRetryIsTheRecoveryThatIsReported(isTold: Bool, expected: String) throws {
    let periods = [Period(id: 1, days: 0...30), Period(id: 2, days: 33...63)]
    try tell("INITIAL_BUY", 0, [periods[0]])
    try tell("DID_FAIL_TO_RENEW", 30, [periods[0]], renewal: Self.retry)
    try tell("INTERACTIVE_RENEWAL", 33, periods)
    if isTold { try tell("DID_RECOVER", 33, periods) }
    #expect(try reading(2) == "\(expected) corroborated")
  }

  /// Auto-renew that was turned off minutes after a return can be turned on again: that is no second return.
  ///
  /// Source: mapping A2 row 4, A3 (a resubscription is one event); contracts §6.
  @Test(arguments: ["a long lapse", "a refund", "another product"])
  mutating func onAgainAfterAReturnIsAChangeOfItsOwn(before: String) throws {
    var first = Period(id: 1, days: 0...30)
    if before == "a refund" { first = first.cancelled(5, year: year) }
    let (day, minute) = (before == "a refund" ? 6.0 : 110, 60 * Self.second)
    let list = [first, Period(id: 2, product: before == "another product" ? "plus" : "basic", days: day...(day + 30))]
    if before == "another product" { try tell("INTERACTIVE_RENEWAL", day, list) }
    try tell("DID_CHANGE_RENEWAL_STATUS", day, list, changed: day)
    try tell("DID_CHANGE_RENEWAL_STATUS", day + 2 * minute, list, isOn: false, changed: day + 2 * minute)
    try tell("DID_CHANGE_RENEWAL_STATUS", day + 4 * minute, list, changed: day + 4 * minute)
    let (event, migration) = try converted(lines.count - 1, "")
    #expect(event == "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED" && migration["absorbed"] == nil)
    #expect(migration["confidence"] as? String == "corroborated")
    #expect(try converted(lines.count - 3, "").event == "SUBSCRIBED/RESUBSCRIBE")
  }

  /// Until 2021-03-10 RENEWAL reports a recovery too, also for the product that was chosen as the next one.
  @Test mutating func aRenewalOfTheChosenProductIsNoReturn() throws {
    year = 2020
    let first = Period(id: 1, days: 0...30)
    let charged = Period(id: 2, product: "plus", days: 35...65)
    try tellFlat("INITIAL_BUY", 0, first)
    try tell("DID_CHANGE_RENEWAL_PREF", 20, [first], next: "plus")
    try tellFlat("INTERACTIVE_RENEWAL", 35, charged)
    try tell("RENEWAL", 35, [first, charged])
    #expect(try !reading(2).hasPrefix("SUBSCRIBED/RESUBSCRIBE corroborated"))
  }

  /// A flat RENEWAL does not show the gap before it; a later list does, also where the choice of the product is missing.
  @Test(arguments: [("basic", "DID_RENEW/BILLING_RECOVERY corroborated"), ("plus", "ambiguous")])
  mutating func aRenewalAfterAGapThatALaterListShowsIsARecovery(product: String, expected: String) throws {
    year = 2019
    let first = Period(id: 1, days: 0...30)
    let charged = Period(id: 2, product: product, days: 35...65)
    try tellFlat("INITIAL_BUY", 0, first)
    try tellFlat("INTERACTIVE_RENEWAL", 35, charged)
    try tellFlat("RENEWAL", 35, charged)
    try tell("DID_RENEW", 700, [first, charged, Period(id: 3, product: product, days: 700...730)])
    #expect(try reading(1, "").hasSuffix(expected))
  }

  /// Auto-renew that is on again weeks later does not show that it was on all the time.
  @Test mutating func offAfterAnUpgradeIsAChangeWhereALaterOneTurnsItOn() throws {
    let old = Period(id: 1, days: 0...30).cancelled(10, upgraded: true, year: year)
    let upgraded = Period(id: 2, product: "plus", days: 10...40)
    let off = 10 + 3 * Self.second
    try tell("INITIAL_BUY", 0, [Period(id: 1, days: 0...30)])
    try tell("INTERACTIVE_RENEWAL", 10, [old, upgraded])
    try tell("DID_CHANGE_RENEWAL_STATUS", off, [old, upgraded], isOn: false, changed: off)
    try tell("DID_CHANGE_RENEWAL_STATUS", 30, [old, upgraded], changed: 30)
    try tell("DID_RENEW", 40, [old, upgraded, Period(id: 3, product: "plus", days: 40...70)])
    #expect(try reading(2) == "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED corroborated")
    #expect(try reading(2, "").hasSuffix("ambiguous"))
  }

  /// A return minutes after the expiry is no renewal: it does not show that auto-renew was on.
  @Test mutating func aReturnSoonAfterTheExpiryDoesNotShowAutoRenewOn() throws {
    let old = Period(id: 1, days: 0...30).cancelled(10, upgraded: true, year: year)
    let upgraded = Period(id: 2, product: "plus", days: 10...40)
    let back = 40 + 180 * Self.second
    try tell("INITIAL_BUY", 0, [Period(id: 1, days: 0...30)])
    try tell("INTERACTIVE_RENEWAL", 10, [old, upgraded])
    try tell("DID_CHANGE_RENEWAL_STATUS", 10, [old, upgraded], isOn: false, changed: 10)
    let periods = [old, upgraded, Period(id: 3, product: "plus", days: back...(back + 30))]
    try tell("DID_CHANGE_RENEWAL_STATUS", back, periods, changed: back)
    #expect(try !reading(2).hasPrefix("DID_CHANGE_RENEWAL_PREF/UPGRADE"))
  }

  /// A flat body has one purchase; one that was written later shows a later one.
  @Test mutating func aLaterPurchaseInAFlatBodyDoesNotShowThatThereWasNoneBefore() throws {
    year = 2019
    let later = Period(id: 3, product: "plus", days: 40.004...70.004)
    try tellFlat("INITIAL_BUY", 0, Period(id: 1, days: 0...30))
    try tellFlat("DID_CHANGE_RENEWAL_STATUS", 40.004, later, changed: 40.004)
    try tellFlat("DID_CHANGE_RENEWAL_STATUS", 40.01, later, changed: 40)
    #expect(try !reading(2).hasPrefix("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED corroborated"))
  }

  // MARK: what is not reported

  /// A customer whose messages name one product only, and no recovery, came back.
  @Test(arguments: [(false, "SUBSCRIBED/RESUBSCRIBE inferred"), (true, "SUBSCRIBED/RESUBSCRIBE ambiguous")])
  mutating func aPurchaseOfTheOnlyProductIsNoUpgrade(isOtherChosen: Bool, expected: String) throws {
    let first = Period(id: 1, days: 0...30)
    try tellFlat("INITIAL_BUY", 0, first)
    if isOtherChosen { try tell("DID_CHANGE_RENEWAL_PREF", 20, [first], next: "plus") }
    try tellFlat("INTERACTIVE_RENEWAL", 40, Period(id: 2, days: 40...70))
    #expect(try reading(lines.count - 1) == expected)
    #expect(try reading(lines.count - 1, "").hasSuffix("ambiguous"))
  }

  /// Until 2021-03-16 the documents name a CANCEL of the old period as part of each upgrade.
  @Test(arguments: [(2019, false, true), (2022, false, false), (2019, true, false)])
  mutating func aPurchaseWithoutACancelIsNoUpgrade(year: Int, isCancelled: Bool, isReturn: Bool) throws {
    self.year = year
    let first = Period(id: 1, days: 0...30)
    try tellFlat("INITIAL_BUY", 0, first)
    try tellFlat("INTERACTIVE_RENEWAL", 40, Period(id: 2, product: "plus", days: 40...70))
    if isCancelled { try tellFlat("CANCEL", 40.001, first.cancelled(40.001, year: year)) }
    #expect(try (reading(1) == "SUBSCRIBED/RESUBSCRIBE corroborated") == isReturn)
  }

  /// The choice of another product was shown before, and the renewal shows that it was taken back.
  @Test(arguments: [(true, "corroborated"), (false, "ambiguous")])
  mutating func aChoiceThatWasShownBeforeIsTakenBack(isShown: Bool, sure: String) throws {
    let periods = [Period(id: 1, days: 0...30), Period(id: 2, product: "plus", days: 30...60)]
    try tell("DID_RENEW", 30, periods)
    if isShown { try tell("DID_CHANGE_RENEWAL_PREF", 30.2, periods, next: "pro") }
    try tell("DID_CHANGE_RENEWAL_PREF", 30.4, periods)
    let place = lines.count - 1
    try tell("DID_RENEW", 60, periods + [Period(id: 3, product: "plus", days: 60...90)])
    #expect(try reading(place) == "DID_CHANGE_RENEWAL_PREF \(sure)")
  }

  /// An upgrade cancels the old period once: a second cancellation is a refund.
  @Test(arguments: [(true, "REFUND corroborated"), (false, "REFUND ambiguous")])
  mutating func aSecondCancellationOfAnUpgradedPeriodIsARefund(isShownBefore: Bool, expected: String) throws {
    let first = Period(id: 1, days: 0...30)
    let upgraded = Period(id: 2, product: "plus", days: 10...40)
    let once = first.cancelled(10, upgraded: true, year: year)
    let twice = first.cancelled(25, upgraded: true, year: year)
    if isShownBefore { try tell("INTERACTIVE_RENEWAL", 10, [once, upgraded]) }
    try tell("CANCEL", 25, [twice, upgraded])
    #expect(try reading(lines.count - 1, "") == expected)
  }
}
