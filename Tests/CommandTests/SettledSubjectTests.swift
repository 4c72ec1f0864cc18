import Foundation
import SlipcastTestSupport
import Testing

/// Bodies of several subscriptions without an id at the top: which one the event is about, and what follows from that.
///
/// Days count from 2021-01-01; the facts: a body names its subscription's next product, a product is of one group, and
/// Apple delivers a message within `decision.window.delivery`.
@Suite struct SettledSubjectTests {
  private struct Period {
    var original: Int
    var id: Int
    var product: String
    var group = "7"
    var days: ClosedRange<Double>
  }

  private static func milliseconds(_ day: Double) -> String { String(1_609_459_200_000 + Int64(day * 86_400_000)) }

  private static func object(_ period: Period) -> [String: String] {
    [
      "transaction_id": "9000000000000\(period.id)", "original_transaction_id": "9000000000000\(period.original)",
      "product_id": period.product, "subscription_group_identifier": period.group, "quantity": "1",
      "purchase_date_ms": milliseconds(period.days.lowerBound),
      "expires_date_ms": milliseconds(period.days.upperBound), "is_trial_period": "false",
      "original_purchase_date_ms": milliseconds(0), "is_in_intro_offer_period": "false",
      "in_app_ownership_type": "PURCHASED",
    ]
  }

  /// A message without an original transaction id.
  private func body(
    _ type: String, next: String, _ periods: [Period], offer: Int? = nil, retried: Int? = nil
  ) throws -> String {
    let originals = Set(periods.map(\.original)).sorted()
    let entries = originals.map { original in
      let product = periods.last { $0.original == original }?.product ?? ""
      var entry = [
        "original_transaction_id": "9000000000000\(original)", "product_id": product,
        "auto_renew_product_id": product, "auto_renew_status": "1",
      ]
      if original == offer { entry["promotional_offer_id"] = "stay" }
      if original == retried { entry["is_in_billing_retry_period"] = "1" }
      return entry
    }
    let body: [String: Any] = [
      "notification_type": type, "environment": "PROD", "bid": "com.example.slipcast", "auto_renew_product_id": next,
      "auto_renew_status": "true",
      "unified_receipt": [
        "status": 0, "environment": "Production", "latest_receipt_info": periods.map(Self.object),
        "pending_renewal_info": entries,
      ] as [String: Any],
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
  }

  /// How sure the reading of the last line is, where the owner says that nothing is missing.
  private func confidence(_ lines: [String]) throws -> String {
    let folder = try TemporaryFolder(["archive.ndjson": lines.joined(separator: "\n") + "\n"])
    defer { folder.remove() }
    let file = folder.path("archive.ndjson")
    let run = try Program.shell(
      "slipcast convert --quiet --settle --complete 2018-01-01..2027-01-01 '\(file)'")
    let output = run.output.split(separator: "\n")
    try #require(output.count == lines.count, "\(run.errors)")
    let last = try #require(output.last)
    let found = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
    let migration = try #require(found["migration"] as? [String: Any])
    return migration["confidence"] as? String ?? ""
  }

  private static let first = Period(original: 11, id: 11, product: "basic", days: 100...130)
  private static let second = Period(original: 11, id: 12, product: "basic", days: 130.03...160.03)

  private static let others: [(Period, String)] = [
    // Of another group than the product that the body names.
    (Period(original: 21, id: 21, product: "cloud", group: "8", days: 129...159), "corroborated"),
    // Bought so long ago that Apple does not deliver its message any more.
    (Period(original: 21, id: 21, product: "plus", days: 10...40), "corroborated"),
    // It may be this purchase.
    (Period(original: 21, id: 21, product: "plus", days: 129...159), "ambiguous"),
  ]

  @Test(arguments: others.indices) func whatARenewalIsAboutFollowsFromGroupAndDate(_ index: Int) throws {
    let (other, expected) = Self.others[index]
    let renewed = try body("DID_RENEW", next: "basic", [other, Self.first, Self.second])
    #expect(try confidence([renewed]) == expected)
  }

  /// A failed renewal that may be of this subscription does not show that none failed.
  @Test(arguments: [("7", "ambiguous"), ("8", "corroborated")])
  func aMessageThatMayBeAboutThisSubscriptionLeavesItsAbsenceOpen(_ group: String, _ expected: String) throws {
    let other = Period(original: 21, id: 21, product: "plus", group: group, days: 10...40)
    let failed = try body("DID_FAIL_TO_RENEW", next: "plus", [other, Self.first])
    let renewed = try body("DID_RENEW", next: "basic", [other, Self.first, Self.second])
    #expect(try confidence([failed, renewed]) == expected)
  }

  /// A choice for the next renewal is made while a period runs, or billing is retried.
  @Test(arguments: [(40.0, false, "corroborated"), (40, true, "ambiguous"), (97, false, "ambiguous")])
  func aChoiceIsAboutASubscriptionThatRan(_ end: Double, _ isRetried: Bool, _ expected: String) throws {
    let other = Period(original: 21, id: 21, product: "plus", days: 10...end)
    let bought = try body("INITIAL_BUY", next: "basic", [other, Self.first])
    let chosen = try body(
      "DID_CHANGE_RENEWAL_PREF", next: "basic", [other, Self.first], offer: 11, retried: isRetried ? 21 : nil)
    #expect(try confidence([bought, chosen]) == expected)
  }
}
