import Testing

// Messages that seem to settle a reading, and do not: they were written later, or are about something else.
extension SettledReadingTests {
  private static let minute = 1.0 / 1440

  /// The object of a flat body may be older than the renewal state beside it.
  @Test mutating func aLaterRefundOfAnOlderPeriodDoesNotShowHowItEnded() throws {
    year = 2019
    let old = Period(id: 2, product: "plus", days: 23...30)
    let back = Period(id: 3, product: "plus", days: 45...52)
    var refunded = old
    refunded.marks["cancellation_date_ms"] = Self.milliseconds(53, year)
    try tellFlat("INTERACTIVE_RENEWAL", 45, back)
    try add(
      [
        "notification_type": "CANCEL", "environment": "PROD", "bid": "com.example.slipcast",
        "auto_renew_product_id": "plus", "auto_renew_status": "false", "expiration_intent": "1",
        "cancellation_date_ms": Self.milliseconds(53, year), "latest_receipt_info": object(refunded),
      ], 53)
    try add(
      [
        "notification_type": "DID_CHANGE_RENEWAL_STATUS", "environment": "PROD", "bid": "com.example.slipcast",
        "auto_renew_product_id": "plus", "auto_renew_status": "false",
        "auto_renew_status_change_date_ms": Self.milliseconds(500, year),
        "unified_receipt": [
          "status": 0, "environment": "Production", "latest_receipt_info": [object(back), object(old)],
          "pending_renewal_info": [Any](),
        ] as [String: Any],
      ], 500)
    #expect(try reading(0, "") == "SUBSCRIBED/RESUBSCRIBE ambiguous")
  }

  /// An offer that was shown before, and not by the message in between, was redeemed again.
  @Test(arguments: [true, false])
  mutating func anOfferWasPendingOnlyIfTheLastMessageShowsIt(isGoneBetween: Bool) throws {
    let period = Period(id: 1, days: 0...300)
    let offer = ["promotional_offer_id": "stay"]
    try tell("INITIAL_BUY", 0, [period], renewal: offer)
    try tell("PRICE_INCREASE_CONSENT", 20, [period], renewal: isGoneBetween ? [:] : offer)
    try tell("DID_CHANGE_RENEWAL_PREF", 40, [period], renewal: offer)
    let confidence = isGoneBetween ? "ambiguous" : "corroborated"
    #expect(try reading(2, "") == "DID_CHANGE_RENEWAL_PREF \(confidence)")
  }

  /// An offer belongs to a product: one of the same name may have been redeemed for another one.
  @Test(arguments: [("plus", "corroborated"), ("pro", "inferred")])
  mutating func anOfferOfAnotherProductWasNotPending(next: String, sure: String) throws {
    let period = Period(id: 1, days: 0...300)
    let offer = ["promotional_offer_id": "stay"]
    try tell("INITIAL_BUY", 0, [period], next: "plus", renewal: offer)
    try tell("DID_CHANGE_RENEWAL_PREF", 40, [period], next: next, renewal: offer)
    #expect(try reading(1, "") == "DID_CHANGE_RENEWAL_PREF/DOWNGRADE \(sure)")
  }

  /// A period that ran until another product was bought does not run after that one was refunded.
  @Test(arguments: [true, false])
  mutating func aPeriodThatAnotherPurchaseEndedRunsNoMore(isReplaced: Bool) throws {
    year = 2018
    let plus = Period(id: 2, product: "plus", days: 100...465)
    try tellFlat("INITIAL_BUY", 0, Period(id: 1, days: 0...365))
    if isReplaced {
      try tellFlat("INTERACTIVE_RENEWAL", 100, plus)
      try tellFlat("CANCEL", 110, plus.cancelled(110, year: year))
    }
    try tellFlat("INTERACTIVE_RENEWAL", 120, Period(id: 3, product: "pro", days: 120...485))
    #expect(try reading(lines.count - 1, "").hasPrefix("DID_CHANGE_RENEWAL_PREF/UPGRADE") == !isReplaced)
  }

  /// The body lists the purchase at the very time, which a late message reports with a later one.
  @Test mutating func aPurchaseInTheBodyIsReportedSomehow() throws {
    let mark = ["is_upgraded": "true"]
    let old = Period(id: 1, days: 0...30, marks: mark)
    let upgraded = Period(id: 2, product: "plus", days: 10...40)
    let ended = Period(id: 2, product: "plus", days: 10...40, marks: mark)
    let again = Period(id: 3, product: "pro", days: (10 + Self.minute)...(17 + Self.minute))
    try tell("DID_CHANGE_RENEWAL_STATUS", 10, [old, upgraded], isOn: false, changed: 10)
    let change = 10 + Self.minute
    try tell("DID_CHANGE_RENEWAL_STATUS", change, [old, ended, again], isOn: false, changed: change)
    try tell("INTERACTIVE_RENEWAL", change, [old, ended, again])
    try tell("INTERACTIVE_RENEWAL", 10 + 5 * Self.minute, [old, ended, again])
    #expect(try reading(0) == "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED ambiguous")
  }

  /// A message of a failed renewal that shows the period as paid was written after the recovery.
  @Test mutating func theFailureOfTheRecoveredPeriodIsNotThatOfTheNext() throws {
    let first = Period(id: 1, days: 0...30)
    let recovered = Period(id: 2, days: 33...63)
    let gap = 40 * Self.minute
    let renewed = Period(id: 3, days: (63 + gap)...(93 + gap))
    try tell("INITIAL_BUY", 0, [first])
    try tell("DID_FAIL_TO_RENEW", 33.3, [first, recovered], renewal: ["is_in_billing_retry_period": "0"])
    try tell("DID_RENEW", 63 + gap, [first, recovered, renewed])
    #expect(try reading(2, "") == "DID_RENEW ambiguous")
  }

  /// An upgrade ended a renewal that was charged early; flat bodies do not show that it never began.
  @Test mutating func aRenewalThatNeverBeganDidNotRun() throws {
    year = 2019
    let first = Period(id: 1, product: "plus", days: 0...30)
    let early = Period(id: 2, product: "plus", days: 30...60)
    let upgrade = Period(id: 3, product: "pro", days: 29.5...59.5)
    let refunded = upgrade.cancelled(29.8, year: year)
    let back = Period(id: 4, product: "pro", days: 30.2...60.2)
    try tellFlat("INITIAL_BUY", 0, first)
    try tellFlat("RENEWAL", 29.2, early)
    try tellFlat("INTERACTIVE_RENEWAL", 29.5, upgrade)
    try tellFlat("CANCEL", 29.8, refunded)
    try tellFlat("INTERACTIVE_RENEWAL", 30.2, back)
    #expect(try !reading(4).hasPrefix("DID_CHANGE_RENEWAL_PREF/UPGRADE"))
  }

  /// A purchase inside a grace period that another message shows: the previous period counts as running (evidence §5).
  @Test(arguments: [
    ("plus", 35, "DID_CHANGE_RENEWAL_PREF/UPGRADE ambiguous"), ("basic", 35, "SUBSCRIBED/RESUBSCRIBE ambiguous"),
    ("plus", 33, "SUBSCRIBED/RESUBSCRIBE inferred"),
  ])
  mutating func aPurchaseInAGracePeriodThatAnotherMessageShowsIsDoubted(
    product: String, graceEnd: Double, expected: String
  ) throws {
    let old = Period(id: 1, days: 0...30)
    let grace = ["grace_period_expires_date_ms": Self.milliseconds(graceEnd, year), "is_in_billing_retry_period": "1"]
    try tell("DID_FAIL_TO_RENEW", 30, [old], renewal: grace)
    try tell("INTERACTIVE_RENEWAL", 34, [old, Period(id: 2, product: product, days: 34...64)])
    #expect(try reading(1, "") == expected)
  }
}
