import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

@testable import SlipcastComparison

/// A V1 value that is present and cannot be read agrees with nothing, in both ways of comparing.
@Suite struct UnreadableTests {
  /// A key of V1, the value that is damaged and what V2 has.
  struct Damage: CustomTestStringConvertible {
    var key: String
    var good: String
    var bad: String
    var path: String
    /// V2's member in place of the one that a conversion writes.
    var inRenewal = false
    var removesTextDates = true

    var testDescription: String { "\(key) \(bad)" }
  }

  static let damages = [
    Damage(key: "expires_date_ms", good: "1744106400000", bad: "\"1.73909E+12\"", path: "expiresDate"),
    Damage(key: "expires_date_ms", good: "1744106400000", bad: "{}", path: "expiresDate"),
    Damage(key: "expires_date_ms", good: "1744106400000", bad: "true", path: "expiresDate"),
    Damage(
      key: "expires_date_ms", good: "1744106400000", bad: "\"1.73909E+12\"", path: "expiresDate",
      removesTextDates: false),
    Damage(key: "purchase_date_ms", good: "1741428000000", bad: "\"soon\"", path: "purchaseDate"),
    Damage(key: "quantity", good: "1", bad: "\"ten\"", path: "quantity"),
    Damage(key: "quantity", good: "1", bad: "\"99999999999\"", path: "quantity"),
    Damage(key: "quantity", good: "1", bad: "[1]", path: "quantity"),
    Damage(
      key: "app_account_token", good: "7e3fb204-2b0c-4c8d-9f9e-111111111111", bad: "\"user-42\"",
      path: "appAccountToken"),
    Damage(key: "web_order_line_item_id", good: "77", bad: "{\"id\":\"77\"}", path: "webOrderLineItemId"),
    Damage(key: "product_id", good: "p", bad: "[\"p\"]", path: "productId"),
    Damage(key: "promotional_offer_id", good: "spring", bad: "{}", path: "offerType"),
    Damage(key: "is_trial_period", good: "true", bad: "\"maybe\"", path: "offerType"),
    Damage(key: "is_upgraded", good: "true", bad: "2", path: "isUpgraded"),
    Damage(key: "cancellation_reason", good: "1", bad: "\"x\"", path: "revocationReason"),
    Damage(key: "expiration_intent", good: "1", bad: "\"x\"", path: "expirationIntent", inRenewal: true),
    Damage(key: "auto_renew_status", good: "1", bad: "\"perhaps\"", path: "autoRenewStatus", inRenewal: true),
    Damage(
      key: "is_in_billing_retry_period", good: "1", bad: "[]", path: "isInBillingRetryPeriod", inRenewal: true),
    Damage(key: "price_consent_status", good: "1", bad: "\"yes\"", path: "priceIncreaseStatus", inRenewal: true),
    Damage(
      key: "grace_period_expires_date_ms", good: "1744206400000", bad: "\"1.7E12\"", path: "gracePeriodExpiresDate",
      inRenewal: true),
  ]

  private static func body(_ damage: Damage, _ value: String) -> String {
    var row: [(String, String)] = [
      ("quantity", "\"1\""), ("product_id", "\"p\""), ("transaction_id", "\"11\""),
      ("original_transaction_id", "\"10\""), ("web_order_line_item_id", "\"77\""),
      ("purchase_date_ms", "\"1741428000000\""), ("original_purchase_date_ms", "\"1738749600000\""),
      ("expires_date_ms", "\"1744106400000\""), ("in_app_ownership_type", "\"PURCHASED\""),
    ]
    // A reason means something only where there is a date.
    if damage.key == "cancellation_reason" { row.append(("cancellation_date_ms", "\"1741500000000\"")) }
    if !damage.removesTextDates { row.append(("expires_date", "\"2025-04-08 10:00:00 Etc/GMT\"")) }
    var renewal: [(String, String)] = [
      ("auto_renew_status", "\"1\""), ("auto_renew_product_id", "\"p\""), ("product_id", "\"p\""),
      ("original_transaction_id", "\"10\""),
    ]
    func set(_ list: inout [(String, String)]) {
      list.removeAll { $0.0 == damage.key }
      list.append((damage.key, value))
    }
    if damage.inRenewal { set(&renewal) } else { set(&row) }
    func object(_ list: [(String, String)]) -> String {
      "{" + list.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }
    return """
      {"notification_type":"DID_RENEW","environment":"PROD","bid":"b","unified_receipt":{"status":0,\
      "environment":"Production","latest_receipt_info":[\(object(row))],"pending_renewal_info":[\(object(renewal))]}}
      """
  }

  /// The V2 notification of the undamaged message.
  private static func server(_ damage: Damage) throws -> [UInt8] {
    let converter = Shared.converter
    let cast = try converter.convert(Array(body(damage, "\"\(damage.good)\"").utf8))
    var value = try #require(cast.notification)
    value.migration = nil
    return Array(value.json.utf8)
  }

  private static func path(_ damage: Damage) -> String {
    (damage.inRenewal ? "data.renewalInfo." : "data.transactionInfo.") + damage.path
  }

  @Test(arguments: damages)
  func anUnreadableValueIsInConflictWithV2(_ damage: Damage) throws {
    let legacy = Array(Self.body(damage, damage.bad).utf8)
    let server = try Self.server(damage)
    let comparison = try Shared.comparer.compare(legacy: legacy, server: server)
    let field = try #require(comparison.fields.first { $0.v2Path == Self.path(damage) })
    #expect(field.differenceClass == .conflict)
    #expect(field.isUnreadable && field.explanation.contains("cannot be read: expected"), "\(field.explanation)")
    #expect(field.v1Path?.hasSuffix(damage.key) == true)
    #expect(comparison.verdict == .conflict)
    #expect(comparison.unreadableCount == 1)
    try expectSameInParity(comparison, legacy, server)
  }

  /// V1 states something, and it is unknown whether V2 omits it for a reason.
  @Test(arguments: damages)
  func anUnreadableValueIsInConflictWithV2sAbsence(_ damage: Damage) throws {
    let legacy = Array(Self.body(damage, damage.bad).utf8)
    let server = Array(
      #"{"notificationType":"DID_RENEW","data":{"transactionInfo":{"transactionId":"11"}}}"#.utf8)
    let comparison = try Shared.comparer.compare(legacy: legacy, server: server)
    let field = try #require(comparison.fields.first { $0.isUnreadable })
    #expect(field.differenceClass == .conflict && field.v1Path?.hasSuffix(damage.key) == true)
    try expectSameInParity(comparison, legacy, server)
  }

  /// `parity` gives each path the class that `diff` gives.
  private func expectSameInParity(_ comparison: Comparison, _ legacy: [UInt8], _ server: [UInt8]) throws {
    let rows = comparison.fields.map { ($0.path.withoutPlaces, $0.differenceClass) }
    let counted = try AnswerImages().classes(legacy, server, .notification)
    #expect(counted == Dictionary(rows, uniquingKeysWith: min))
  }

  @Test(arguments: damages)
  func anEmptyValueIsAbsentAndNotUnreadable(_ damage: Damage) throws {
    let legacy = Array(Self.body(damage, "\"\"").utf8)
    let comparison = try Shared.comparer.compare(legacy: legacy, server: try Self.server(damage))
    #expect(comparison.unreadableCount == 0)
  }

  @Test func aSecondSpellingThatCannotBeReadIsNoConflict() throws {
    var damage = Self.damages[0]
    damage.removesTextDates = false
    let text = Self.body(damage, "\"1744106400000\"")
      .replacing("2025-04-08 10:00:00 Etc/GMT", with: "April 8th")
    let comparison = try Shared.comparer.compare(legacy: Array(text.utf8), server: try Self.server(damage))
    #expect(comparison.verdict == .parity)
    #expect(comparison.fields.first { $0.v1Path?.hasSuffix("expires_date") == true }?.differenceClass == .legacyOnly)
  }
}
