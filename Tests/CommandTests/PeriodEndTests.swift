import Foundation
import SlipcastTestSupport
import Testing

/// The end of a period, which V1 does not report: any record of the archive may show that it was another one.
///
/// Source: contracts §6, implied by `timeline`: evidence is every snapshot of the subscription, and it is never wrong.
@Suite struct PeriodEndTests {
  private typealias Period = SettledReadingTests.Period
  private static var first: Period { Period(id: 1, days: 0...30) }
  private static var next: Period { Period(id: 2, days: 30...60) }
  private var archive = SettledReadingTests()

  /// Adds the verifyReceipt response at the start of a day.
  private mutating func answer(
    _ day: Double, _ periods: [Period], isOn: Bool = true, renewal: [String: Any] = [:]
  ) throws {
    var entry: [String: Any] = [
      "original_transaction_id": "900000000000001", "product_id": "basic", "auto_renew_product_id": "basic",
      "auto_renew_status": isOn ? "1" : "0",
    ]
    entry.merge(renewal) { $1 }
    let receipt: [String: Any] = [
      "receipt_type": "Production", "bundle_id": "com.example.slipcast", "in_app": [] as [Any],
      "request_date_ms": SettledReadingTests.milliseconds(day, archive.year),
    ]
    let body: [String: Any] = [
      "status": 0, "environment": "Production", "receipt": receipt, "pending_renewal_info": [entry],
      "latest_receipt_info": periods.reversed().map(archive.object),
    ]
    try archive.add(body, day)
  }

  /// The events that V1 never sent, up to a day.
  private func gaps(until day: Double? = nil) throws -> [String] {
    let folder = try TemporaryFolder(["archive.ndjson": archive.lines.joined(separator: "\n") + "\n"])
    defer { folder.remove() }
    let file = folder.path("archive.ndjson")
    let run = try Program.shell(
      "slipcast timeline --quiet --body /body --received-at /at --format json "
        + (day.map { "--as-of \(SettledReadingTests.milliseconds($0, archive.year)) " } ?? "") + "'\(file)'")
    try #require(run.errors.isEmpty, "\(run.errors)")
    return try run.output.split(separator: "\n").compactMap { line in
      let entry = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      guard entry["kind"] as? String == "gap" else { return nil }
      return [entry["notificationType"], entry["subtype"]].compactMap { $0 as? String }.joined(separator: "/")
    }
  }

  @Test(arguments: [
    ("nothing", true), ("the lapse", true), ("the renewal", false), ("auto-renew on again", false),
    ("a refund", false), ("billing retry", false), ("a longer period", false),
  ])
  mutating func aLapseIsNotToldWhereAnAnswerShowsTheContrary(shown: String, isTold: Bool) throws {
    try archive.tell("INITIAL_BUY", 0, [Self.first])
    try archive.tell("DID_CHANGE_RENEWAL_STATUS", 5, [Self.first], isOn: false, changed: 5)
    let retry: [String: Any] = ["expiration_intent": "2", "is_in_billing_retry_period": "1"]
    switch shown {
    case "the lapse": try answer(31, [Self.first], isOn: false, renewal: ["expiration_intent": "1"])
    case "the renewal": try answer(31, [Self.first, Self.next])
    case "auto-renew on again": try answer(20, [Self.first])
    case "a refund": try answer(20, [Self.first.cancelled(8, year: archive.year)], isOn: false)
    case "billing retry": try answer(31, [Self.first], renewal: retry)
    case "a longer period": try answer(20, [Period(id: 1, days: 0...44)], isOn: false)
    default: break
    }
    let instead = ["the renewal": "DID_RENEW", "a refund": "REFUND"][shown]
    #expect(try gaps(until: 32) == (isTold ? ["EXPIRED/VOLUNTARY"] : [instead].compactMap(\.self)))
  }

  /// A return long after the end is no renewal.
  @Test mutating func aReturnThatOnlyAnAnswerShowsDoesNotUndoTheLapse() throws {
    try archive.tell("INITIAL_BUY", 0, [Self.first])
    try archive.tell("DID_CHANGE_RENEWAL_STATUS", 5, [Self.first], isOn: false, changed: 5)
    try answer(51, [Self.first, Period(id: 2, days: 50...80)])
    #expect(try gaps(until: 52) == ["EXPIRED/VOLUNTARY"])
  }

  @Test mutating func aMessageAboutAnotherSubscriptionShowsTheRenewalToo() throws {
    try archive.tell("INITIAL_BUY", 0, [Self.first])
    try archive.tell("DID_CHANGE_RENEWAL_STATUS", 5, [Self.first], isOn: false, changed: 5)
    var other = archive.object(Period(id: 7, product: "news", days: 31...61))
    (other["original_transaction_id"], other["subscription_group_identifier"]) = ("900000000000007", "8")
    let receipt: [String: Any] = [
      "status": 0, "environment": "Production",
      "latest_receipt_info": [other, archive.object(Self.next), archive.object(Self.first)],
    ]
    let body: [String: Any] = [
      "notification_type": "INITIAL_BUY", "environment": "PROD", "bid": "com.example.slipcast",
      "auto_renew_product_id": "news", "auto_renew_status": "true", "original_transaction_id": 900_000_000_000_007,
      "unified_receipt": receipt,
    ]
    try archive.add(body, 31)
    #expect(try gaps(until: 32) == ["DID_RENEW"])
  }

  @Test(arguments: [(33.0, false), (47, true)])
  mutating func aGracePeriodDoesNotExpireWhereAnAnswerShowsTheRecovery(day: Double, isTold: Bool) throws {
    let failed: [String: Any] = [
      "expiration_intent": "2", "is_in_billing_retry_period": "1",
      "grace_period_expires_date_ms": SettledReadingTests.milliseconds(46, archive.year),
    ]
    try archive.tell("INITIAL_BUY", 0, [Self.first])
    try archive.tell("DID_FAIL_TO_RENEW", 30, [Self.first], renewal: failed)
    try answer(48, [Self.first, Period(id: 2, days: day...(day + 30))])
    #expect(try gaps(until: 50) == (isTold ? ["GRACE_PERIOD_EXPIRED"] : []))
  }

  // MARK: a later period, of which the first message does not report the purchase

  /// Source: evidence §14, the periods of a timeline are those of all lists.
  @Test(arguments: [
    ("one message", ["EXPIRED"]), ("silence", ["EXPIRED"]), ("off", ["EXPIRED/VOLUNTARY"]),
    ("grace", ["GRACE_PERIOD_EXPIRED", "EXPIRED"]), ("a list of the newest", []),
  ])
  mutating func aPeriodThatListsShowEndedBeforeALaterOne(before: String, expected: [String]) throws {
    if before != "one message" { try archive.tell("INITIAL_BUY", 0, [Self.first]) }
    let failed: [String: Any] = [
      "expiration_intent": "2", "is_in_billing_retry_period": "1",
      "grace_period_expires_date_ms": SettledReadingTests.milliseconds(46, archive.year),
    ]
    if before == "grace" { try archive.tell("DID_FAIL_TO_RENEW", 30, [Self.first], renewal: failed) }
    if before == "off" { try archive.tell("DID_CHANGE_RENEWAL_STATUS", 5, [Self.first], isOn: false, changed: 5) }
    let later = Period(id: 3, days: 150...180)
    // The list without old transactions.
    let listed = before == "a list of the newest" ? [later] : [Self.first, later]
    try archive.tell("DID_CHANGE_RENEWAL_STATUS", 160, listed, isOn: false, changed: 160)
    #expect(try gaps() == expected)
  }
}
