import Foundation
import SlipcastKit
import SlipcastReceipts
import SlipcastTestSupport
import SlipcastWire
import Testing

/// The same purchases in each form that V1 has for them: every value is equal, or absent with a reason.
@Suite struct PurchaseFormTests {
  /// One purchase, with dates in whole seconds, as app receipts have them.
  struct Purchase: Sendable {
    var number: Int
    var product = "monthly"
    var purchase: Int64
    var expires: Int64?
    var cancellation: Int64?
    var isTrial = false
    var isIntro = false

    var id: String { "\(730_001_700_000 + number)" }
    /// What is no subscription is its own original transaction.
    var original: String { expires == nil ? id : "\(730_001_700_001)" }
    var isSubscription: Bool { expires != nil }
  }

  /// A history that has a name.
  struct Story: CustomTestStringConvertible, Sendable {
    var name: String
    var purchases: [Purchase]
    var testDescription: String { name }
  }

  enum Form: CaseIterable { case latest, inApp, flat, answerFlat, appReceipt }

  private static let day: Int64 = 86_400_000
  private static let start: Int64 = 1_646_730_000_000
  private static func first(_ length: Int64 = 30) -> Purchase {
    Purchase(number: 1, purchase: start, expires: start + length * day)
  }

  static let stories = [
    Story(name: "one period", purchases: [first()]),
    Story(name: "a trial", purchases: [Purchase(number: 1, purchase: start, expires: start + 7 * day, isTrial: true)]),
    Story(
      name: "an introductory price",
      purchases: [Purchase(number: 1, purchase: start, expires: start + 30 * day, isIntro: true)]),
    Story(
      name: "a renewal",
      purchases: [first(), Purchase(number: 2, purchase: start + 30 * day, expires: start + 60 * day)]),
    Story(
      name: "a renewal an hour early",
      purchases: [first(), Purchase(number: 2, purchase: start + 30 * day - 3_600_000, expires: start + 60 * day)]),
    Story(
      name: "a return after 70 days",
      purchases: [first(), Purchase(number: 2, purchase: start + 100 * day, expires: start + 130 * day)]),
    Story(
      name: "a return after 9 days",
      purchases: [first(), Purchase(number: 2, purchase: start + 39 * day, expires: start + 69 * day)]),
    Story(
      name: "another product while one runs",
      purchases: [
        first(), Purchase(number: 2, product: "yearly", purchase: start + 10 * day, expires: start + 375 * day),
      ]),
    Story(
      name: "a refund",
      purchases: [
        Purchase(number: 1, purchase: start, expires: start + 30 * day, cancellation: start + 3 * day)
      ]),
    Story(name: "coins", purchases: [Purchase(number: 5, product: "coins", purchase: start)]),
  ]

  // MARK: the forms

  private static func row(_ one: Purchase, isListed: Bool, isFlat: Bool = false) -> String {
    var members = [
      ("quantity", "1"), ("product_id", "com.example.slipcast.\(one.product)"), ("transaction_id", one.id),
      ("original_transaction_id", one.original), ("purchase_date_ms", "\(one.purchase)"),
      ("original_purchase_date_ms", "\(start)"),
    ]
    if let expires = one.expires {
      members += [
        (isFlat ? "expires_date" : "expires_date_ms", "\(expires)"), ("web_order_line_item_id", "\(900 + one.number)"),
        ("is_trial_period", "\(one.isTrial)"), ("is_in_intro_offer_period", "\(one.isIntro)"),
      ]
      if isListed { members.append(("subscription_group_identifier", "21740510")) }
    }
    if let date = one.cancellation { members += [("cancellation_date_ms", "\(date)"), ("cancellation_reason", "1")] }
    if isFlat { members.append(("bid", "com.example.slipcast")) }
    return "{" + members.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ",") + "}"
  }

  private static let head =
    #""receipt_type":"Production","bundle_id":"com.example.slipcast","request_date_ms":"\#(start + 400 * day)""#

  private static func answer(_ rows: [String], isLatest: Bool) -> String {
    let list = "[\(rows.joined(separator: ","))]"
    let latest = isLatest ? ",\"latest_receipt_info\":\(list)" : ""
    let receipt = "{\(head),\"in_app\":\(isLatest ? "[]" : list)}"
    return "{\"status\":0,\"environment\":\"Production\",\"receipt\":\(receipt)\(latest)}"
  }

  private static func date(_ milliseconds: Int64) -> [UInt8] {
    let text = Date(timeIntervalSince1970: Double(milliseconds) / 1000).ISO8601Format()
    return ReceiptBytes.ia5(text)
  }

  private static func attributes(_ one: Purchase) -> [UInt8] {
    typealias Bytes = ReceiptBytes
    var values: [(Int64, [UInt8])] = [
      (1701, Bytes.integer(1)), (1702, Bytes.utf8("com.example.slipcast.\(one.product)")),
      (1703, Bytes.utf8(one.id)), (1704, date(one.purchase)), (1705, Bytes.utf8(one.original)), (1706, date(start)),
      (1707, Bytes.integer(one.isSubscription ? 3 : 1)),
      (1712, one.cancellation.map(date) ?? Bytes.ia5("")), (1713, Bytes.integer(one.isTrial ? 1 : 0)),
      (1719, Bytes.integer(one.isIntro ? 1 : 0)),
    ]
    if let expires = one.expires {
      values += [(1708, date(expires)), (1711, Bytes.integer(Int64(900 + one.number)))]
    }
    return Bytes.attribute(17, Bytes.set(values.map { Bytes.attribute($0.0, $0.1) }))
  }

  /// The conversions of a form: of flat objects one for each purchase.
  private static func conversions(_ purchases: [Purchase], _ form: Form) throws -> [Conversion] {
    let converter = try LegacyConverter()
    switch form {
    case .latest, .inApp:
      let rows = purchases.map { row($0, isListed: form == .latest) }
      return [try converter.convert(answer(rows, isLatest: form == .latest))]
    case .flat:
      return try purchases.map { one in
        try converter.convert(
          "{\"notification_type\":\"\(one.isSubscription ? "DID_CHANGE_RENEWAL_STATUS" : "REFUND")\","
            + "\"environment\":\"PROD\",\"latest_receipt_info\":\(row(one, isListed: true, isFlat: true))}",
          into: .history)
      }
    case .answerFlat:
      return try purchases.map { one in
        try converter.convert(
          "{\"status\":0,\"environment\":\"Production\",\"receipt\":\(row(one, isListed: true, isFlat: true))}")
      }
    case .appReceipt:
      let bytes = ReceiptBytes.receipt(type: "Production", adding: purchases.map(attributes))
      return [try converter.convert(receipt: ReceiptBytes.message(bytes))]
    }
  }

  // MARK: values

  /// The members of a transaction, as text.
  private static func values(_ one: JWSTransactionDecodedPayload) -> [String: String] {
    let all: [String: Any?] = [
      "originalTransactionId": one.originalTransactionId, "productId": one.productId,
      "webOrderLineItemId": one.webOrderLineItemId, "bundleId": one.bundleId,
      "subscriptionGroupIdentifier": one.subscriptionGroupIdentifier, "purchaseDate": one.purchaseDate?.milliseconds,
      "originalPurchaseDate": one.originalPurchaseDate?.milliseconds, "expiresDate": one.expiresDate?.milliseconds,
      "quantity": one.quantity, "type": one.type?.rawValue, "inAppOwnershipType": one.inAppOwnershipType?.rawValue,
      "revocationDate": one.revocationDate?.milliseconds, "revocationReason": one.revocationReason?.rawValue,
      "isUpgraded": one.isUpgraded, "offerType": one.offerType?.rawValue,
      "offerDiscountType": one.offerDiscountType?.rawValue, "environment": one.environment?.rawValue,
      "transactionReason": one.transactionReason?.rawValue,
    ]
    return all.compactMapValues { $0.map { "\($0)" } }
  }

  /// The values of each transaction in a form, and its absent members with a reason.
  private static func read(
    _ purchases: [Purchase], _ form: Form
  ) throws -> [String: (values: [String: String], absent: Set<String>)] {
    var found: [String: (values: [String: String], absent: Set<String>)] = [:]
    for conversion in try conversions(purchases, form) {
      for (place, transaction) in (conversion.history?.transactions ?? []).enumerated() {
        let prefix = "transactions[\(place)]."
        let absent = conversion.account.absent.map(\.v2Path).filter { $0.hasPrefix(prefix) }
        let id = try #require(transaction.transactionId)
        found[id] = (values(transaction), Set(absent.map { String($0.dropFirst(prefix.count)) }))
      }
    }
    return found
  }

  /// What a form has no key for, or does not show enough of.
  private static func lacking(_ form: Form) -> Set<String> {
    switch form {
    case .latest: []
    case .inApp: ["subscriptionGroupIdentifier"]
    // One purchase shows no other: whether it renewed one is open.
    case .flat, .answerFlat: ["transactionReason", "inAppOwnershipType"]
    // Receipts have no reason of a cancellation, and no group.
    case .appReceipt: ["subscriptionGroupIdentifier", "revocationReason", "inAppOwnershipType"]
    }
  }

  @Test(arguments: stories) func valuesAreEqualOrAbsentWithAReason(_ story: Story) throws {
    let listed = try Self.read(story.purchases, .latest)
    #expect(Set(listed.keys) == Set(story.purchases.map(\.id)))
    for form in Form.allCases.dropFirst() {
      let other = try Self.read(story.purchases, form)
      #expect(Set(other.keys) == Set(listed.keys), "\(form)")
      for (id, known) in listed {
        let own = other[id] ?? ([:], [])
        for name in Set(known.values.keys).union(own.values.keys) {
          let (one, two) = (known.values[name], own.values[name])
          if let one, let two { #expect(one == two, "\(form): \(name) of \(id)") }
          if one == nil { #expect(known.absent.contains(name), "\(form) alone has \(name) of \(id)") }
          if two == nil {
            #expect(own.absent.contains(name) && Self.lacking(form).contains(name), "\(form) lacks \(name) of \(id)")
          }
        }
      }
    }
  }
}
