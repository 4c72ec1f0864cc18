import Foundation
import Testing

// What follows where no message reports something, and the owner says that none is missing.
extension SettledReadingTests {
  /// Auto-renew is on at a purchase after a failed renewal: Apple reports a recovery with a message of its own.
  @Test(arguments: [(false, "SUBSCRIBED/RESUBSCRIBE documented"), (true, "DID_RENEW/BILLING_RECOVERY corroborated")])
  mutating func onAfterAFailedRenewalIsAReturnWhereNoRecoveryIsReported(isTold: Bool, expected: String) throws {
    let first = Period(id: 1, days: 0...30)
    let second = Period(id: 2, days: 33...63)
    let retry = ["expiration_intent": "2", "is_in_billing_retry_period": "1"]
    try tell("INITIAL_BUY", 0, [first])
    try tell("DID_FAIL_TO_RENEW", 30, [first], renewal: retry)
    if isTold { try tell("DID_RECOVER", 33, [first, second]) }
    try tell("DID_CHANGE_RENEWAL_STATUS", 33, [first, second], changed: 33)
    try tell("DID_RENEW", 63, [first, second, Period(id: 3, days: 63...93)])
    #expect(try reading(lines.count - 2) == expected)
    if !isTold { #expect(try reading(lines.count - 2, "").hasSuffix("ambiguous")) }
  }

  /// Messages of another time range may be missing.
  @Test mutating func aRecoveryMayBeMissingOutsideTheCompleteRange() throws {
    year = 2022
    let first = Period(id: 1, days: 0...30)
    let second = Period(id: 2, days: 33...63)
    let retry = ["expiration_intent": "2", "is_in_billing_retry_period": "1"]
    try tell("DID_FAIL_TO_RENEW", 30, [first], renewal: retry)
    try tell("DID_CHANGE_RENEWAL_STATUS", 33, [first, second], changed: 33)
    #expect(try reading(1, "--complete 2022-03-01..2027-01-01").hasSuffix("ambiguous"))
  }

  /// A recovery a month before is about the period that ended now, not about its renewal.
  @Test mutating func theRecoveryOfThePeriodBeforeIsNoFailureOfItsRenewal() throws {
    let first = Period(id: 1, days: 0...30)
    let recovered = Period(id: 2, days: 33...63)
    let renewed = Period(id: 3, days: 63.02...93.02)
    let retry = ["expiration_intent": "2", "is_in_billing_retry_period": "1"]
    try tell("DID_FAIL_TO_RENEW", 30, [first], renewal: retry)
    try tell("DID_RECOVER", 33, [first, recovered])
    try tell("DID_RENEW", 63.02, [first, recovered, renewed])
    #expect(try reading(2) == "DID_RENEW corroborated")
  }

  /// Intent 1 after a failed renewal comes from a change in billing retry: Apple tried to renew, so it was on before.
  @Test(arguments: [false, true])
  mutating func offInBillingRetryDoesNotShowThatItWasOffBefore(isPurchaseTold: Bool) throws {
    let old = Period(id: 1, days: 0...30).cancelled(10, upgraded: true, year: year)
    let upgraded = Period(id: 2, product: "plus", days: 10...40)
    try tell("INITIAL_BUY", 0, [Period(id: 1, days: 0...30)])
    if isPurchaseTold { try tell("INTERACTIVE_RENEWAL", 10, [old, upgraded]) }
    try tell("DID_CHANGE_RENEWAL_STATUS", 10, [old, upgraded], isOn: false, changed: 10)
    let place = lines.count - 1
    let retry = ["expiration_intent": "2", "is_in_billing_retry_period": "1"]
    try tell("DID_FAIL_TO_RENEW", 40, [old, upgraded], renewal: retry)
    let over = ["expiration_intent": "1", "is_in_billing_retry_period": "0"]
    try tell("DID_CHANGE_RENEWAL_STATUS", 41, [old, upgraded], isOn: false, renewal: over, changed: 41)
    #expect(try reading(place) == "DID_CHANGE_RENEWAL_PREF/UPGRADE corroborated")
  }

  /// A record that lists several subscriptions and names none still reports the purchase of the only one that fits.
  @Test mutating func thePurchaseOfTheOnlyFittingSubscriptionIsReported() throws {
    let old = Period(id: 1, days: 0...30)
    let back = Period(id: 2, product: "plus", days: 95...125)
    var other = Period(id: 3, product: "cloud", days: 1...366)
    other.marks = ["original_transaction_id": "900000000000003", "subscription_group_identifier": "8"]
    let entry: [String: Any] = [
      "original_transaction_id": "900000000000003", "product_id": "cloud", "auto_renew_product_id": "cloud",
      "auto_renew_status": "1",
    ]
    try tell("INITIAL_BUY", 0, [old])
    try tell("INTERACTIVE_RENEWAL", 95, [other, old, back])
    try tell("DID_CHANGE_RENEWAL_STATUS", 95, [other, old, back], changed: 95)
    for place in 1...2 { lines[place] = try unnamed(lines[place], beside: entry) }
    #expect(try reading(1, "") == "SUBSCRIBED/RESUBSCRIBE inferred")
    #expect(try reading(2, "") == "SUBSCRIBED/RESUBSCRIBE corroborated")
  }

  /// V2 sends one notification for a purchase and its change of auto-renew, whatever settles the change.
  @Test(arguments: [true, false])
  mutating func aSettledChangeAtAReportedPurchaseIsPartOfIt(isReported: Bool) throws {
    year = 2019
    let first = Period(id: 1, days: 0...30)
    let back = Period(id: 2, product: "plus", days: 40...70)
    try tellFlat("INITIAL_BUY", 0, first)
    try tellFlat("DID_CHANGE_RENEWAL_STATUS", 40, back, changed: 40)
    if isReported { try tellFlat("INTERACTIVE_RENEWAL", 40, back) }
    try tell("DID_RENEW", 700, [first, back, Period(id: 3, product: "plus", days: 700...730)])
    let (event, migration) = try converted(1, "")
    let settled = try #require(migration["settled"] as? [String: Any])
    let facts = try #require(settled["facts"] as? [String])
    #expect(event == "SUBSCRIBED/RESUBSCRIBE")
    #expect(facts.contains("otherProductBefore"))
    #expect(facts.contains("purchaseReported") == isReported)
    #expect((migration["absorbed"] != nil) == isReported)
  }

  /// The line without the subscription's id at the top, and with the renewal entry of another one.
  private func unnamed(_ line: String, beside entry: [String: Any]) throws -> String {
    var object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    var body = try #require(object["body"] as? [String: Any])
    var receipt = try #require(body["unified_receipt"] as? [String: Any])
    body["original_transaction_id"] = nil
    receipt["pending_renewal_info"] = [entry] + (receipt["pending_renewal_info"] as? [[String: Any]] ?? [])
    body["unified_receipt"] = receipt
    object["body"] = body
    return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
  }
}
