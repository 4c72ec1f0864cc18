import Foundation
import SlipcastTestSupport
import Testing

// A grace period that only another message of the archive shows.
extension SettledReadingTests {
  /// In grace the subscription counts as running: a purchase then is never a sure return, whichever message tells it.
  @Test(arguments: [2022, 2025], [("plus", false), ("plus", true), ("basic", true), ("basic", false)])
  mutating func aPurchaseInTheGraceOfAnotherMessageIsNoSureReturn(year: Int, bought: (product: String, hasOffer: Bool))
    throws
  {
    try buyInGrace(year, bought.product, hasOffer: bought.hasOffer)
    for place in [2, 3] { #expect(try reading(place, "").hasSuffix("ambiguous")) }
    // Without the message that shows the grace period, the body alone is read.
    lines.remove(at: 1)
    #expect(try reading(1, "").hasSuffix("RESUBSCRIBE inferred"))
  }

  /// The purchase and its change of auto-renew are one event, whose readings stay open.
  @Test(arguments: ["plus", "basic"])
  mutating func aPurchaseInGraceAndItsChangeOfAutoRenewAreOneEvent(product: String) throws {
    try buyInGrace(2022, product, hasOffer: false)
    let folder = try TemporaryFolder(["archive.ndjson": lines.joined(separator: "\n") + "\n"])
    defer { folder.remove() }
    let file = folder.path("archive.ndjson")
    let run = try Program.shell("slipcast timeline --quiet --format json --body /body --received-at /at '\(file)'")
    let told = try run.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let purchases = told.filter { $0["notification_type"] as? String == "INTERACTIVE_RENEWAL" }
    #expect(purchases.map { $0["confidence"] as? String } == ["ambiguous"])
    let changes = told.filter { $0["notification_type"] as? String == "DID_CHANGE_RENEWAL_STATUS" }
    #expect(changes.map { $0["kind"] as? String } == ["companion"], "\(run.output)")
  }

  private mutating func buyInGrace(_ year: Int, _ product: String, hasOffer: Bool) throws {
    self.year = year
    let first = Period(id: 1, days: 0...30)
    let marks = hasOffer ? ["promotional_offer_id": "back"] : [:]
    let bought = Period(id: 2, product: product, days: 35...65, marks: marks)
    let grace = ["grace_period_expires_date_ms": Self.milliseconds(46, year), "is_in_billing_retry_period": "1"]
    try tell("INITIAL_BUY", 0, [first])
    try tell("DID_FAIL_TO_RENEW", 30, [first], renewal: grace.merging(["expiration_intent": "2"]) { $1 })
    try tell("INTERACTIVE_RENEWAL", 35, [first, bought])
    try tell("DID_CHANGE_RENEWAL_STATUS", 35, [first, bought], changed: 35)
  }
}
