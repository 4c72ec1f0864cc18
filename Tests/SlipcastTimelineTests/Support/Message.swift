import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastWire

/// A V1 message of a subscription, written out and cast as `convert` does it.
struct Message: Sendable {
  /// One transaction of the body's list.
  struct Period: Sendable {
    var line: String
    var product = "basic"
    var purchase: Int64
    var expires: Int64
    var isUpgraded = false
    var cancellation: Int64?
    var reason = "0"
    var promotionalOffer: String?
    var isFamilyShared = false

    var json: String {
      var members = [
        ("transaction_id", purchase == Message.day(0) ? Message.original : "9\(line)"),
        ("original_transaction_id", Message.original),
        ("web_order_line_item_id", line), ("product_id", "com.example.\(product)"),
        ("purchase_date_ms", "\(purchase)"), ("original_purchase_date_ms", "\(Message.day(0))"),
        ("expires_date_ms", "\(expires)"), ("quantity", "1"), ("subscription_group_identifier", "77"),
      ]
      if isUpgraded { members.append(("is_upgraded", "true")) }
      if let cancellation {
        members += [("cancellation_date_ms", "\(cancellation)"), ("cancellation_reason", reason)]
      }
      if let promotionalOffer { members.append(("promotional_offer_id", promotionalOffer)) }
      if isFamilyShared { members.append(("in_app_ownership_type", "FAMILY_SHARED")) }
      return Message.object(members)
    }
  }

  static let original = "4711"

  var type: String
  var periods: [Period]
  /// The renewal entry and, for a change of status, the body's own word.
  var isAutoRenewOn: Bool?
  var nextProduct = "basic"
  /// More members of the renewal entry.
  var renewal: [(String, String)] = []
  /// When the status was changed.
  var changed: Int64?
  var received: Int64?
  var environment = "PROD"
  /// The line item that the body names at the top.
  var lineItem: String?

  /// Noon of a day counted from 2022-03-01.
  static func day(_ number: Int64, _ milliseconds: Int64 = 0) -> Int64 {
    1_646_136_000_000 + number * 86_400_000 + milliseconds
  }

  static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0.0)\":\"\($0.1)\"" }.joined(separator: ",") + "}"
  }

  var json: String {
    var entry = [
      ("original_transaction_id", Self.original), ("product_id", "com.example.\(periods.first?.product ?? "basic")"),
      ("auto_renew_product_id", "com.example.\(nextProduct)"),
    ]
    if let isAutoRenewOn { entry.append(("auto_renew_status", isAutoRenewOn ? "1" : "0")) }
    var top = [("notification_type", type), ("environment", environment), ("bid", "com.example.app")]
    if let isAutoRenewOn { top.append(("auto_renew_status", isAutoRenewOn ? "true" : "false")) }
    if let lineItem { top.append(("web_order_line_item_id", lineItem)) }
    if let changed { top.append(("auto_renew_status_change_date_ms", "\(changed)")) }
    let receipt =
      "{\"status\":0,\"latest_receipt_info\":[\(periods.map(\.json).joined(separator: ","))],"
      + "\"pending_renewal_info\":[\(Self.object(entry + renewal))]}"
    return Self.object(top).dropLast() + ",\"original_transaction_id\":\(Self.original),\"unified_receipt\":\(receipt)}"
  }

  /// The types whose time V1 does not state.
  static let untimed = ["DID_CHANGE_RENEWAL_PREF", "PRICE_INCREASE_CONSENT", "CONSUMPTION_REQUEST"]

  /// The message as a store hands it out.
  func stored(place: Int64 = 0, id: String? = original) throws -> StoredEvent {
    try Self.stored(json, type: type, received: received, place: place, id: id)
  }

  /// Any V1 body as a store hands it out.
  static func stored(
    _ json: some StringProtocol, type: String, received: Int64? = nil, place: Int64 = 0, id: String? = original
  ) throws -> StoredEvent {
    let receivedAt = received.map(Timestamp.init(milliseconds:))
    let cast = try LegacyConverter(prepared: prepared).convert(Array(json.utf8), receivedAt: receivedAt)
    let known = cast.eventTime?.milliseconds
    let isUntimed = untimed.contains(type)
    return StoredEvent(
      place: place, originalTransactionId: id, notification_type: type, eventTime: isUntimed ? nil : known,
      receivedAt: received, body: Array(cast.json.utf8))
  }

  private static let prepared = LegacyConverter.PreparedRules(rules: BuiltIn.rules)
}
