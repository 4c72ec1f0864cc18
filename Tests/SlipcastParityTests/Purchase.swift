import SlipcastTestSupport

/// One purchase in both versions; days are counted from the first purchase.
struct Purchase {
  var id: Int
  var day: Double
  var end: Double?
  var refund: Double?
  var original: Int?
  var type: String?
  var isUpgraded = false
  var product = "com.example.slipcast.p"

  var row: String {
    let refunded =
      refund.map { ",\"cancellation_date_ms\":\"\(AccessDay.time($0))\",\"cancellation_reason\":\"1\"" } ?? ""
    let ends =
      end.map { ",\"expires_date_ms\":\"\(AccessDay.time($0))\",\"web_order_line_item_id\":\"\(id + 50)\"" } ?? ""
    let upgraded = isUpgraded ? ",\"is_upgraded\":\"true\"" : ""
    return """
      {"product_id":"\(product)","transaction_id":"\(id)","original_transaction_id":"\(original ?? id)",\
      "purchase_date_ms":"\(AccessDay.time(day))","original_purchase_date_ms":"\(AccessDay.time(original == nil ? day : 0))",\
      "quantity":"1"\(ends)\(refunded)\(upgraded)}
      """
  }

  func transaction(signed: Double?) -> String {
    let refunded = refund.map { ",\"revocationDate\":\(AccessDay.time($0)),\"revocationReason\":1" } ?? ""
    let upgraded = isUpgraded ? ",\"isUpgraded\":true" : ""
    let type = (type ?? end.map { _ in "Auto-Renewable Subscription" }).map { ",\"type\":\"\($0)\"" } ?? ""
    let ends = end.map { ",\"expiresDate\":\(AccessDay.time($0)),\"webOrderLineItemId\":\"\(id + 50)\"" } ?? ""
    let date = signed.map { ",\"signedDate\":\(AccessDay.time($0))" } ?? ""
    return """
      {"transactionId":"\(id)","originalTransactionId":"\(original ?? id)","productId":"\(product)",\
      "bundleId":"com.example.slipcast","environment":"Production","quantity":1,"purchaseDate":\(AccessDay.time(day)),\
      "originalPurchaseDate":\(AccessDay.time(original == nil ? day : 0)),\
      "transactionReason":"\(original == nil ? "PURCHASE" : "RENEWAL")"\(type)\(ends)\(refunded)\(upgraded)\(date)}
      """
  }
}

/// What Apple answers about purchases, and V1's messages about them.
enum Answers {
  static func answer(_ purchases: [Purchase], asked: Double?, renews: Bool? = nil) -> String {
    let renewal = renews.map {
      """
      ,"pending_renewal_info":[{"product_id":"com.example.slipcast.p","auto_renew_product_id":"com.example.slipcast.p",\
      "original_transaction_id":"1","auto_renew_status":"\($0 ? 1 : 0)"}]
      """
    }
    let date = asked.map { ",\"request_date_ms\":\"\(AccessDay.time($0))\"" } ?? ""
    let rows = purchases.map(\.row).joined(separator: ",")
    return """
      {"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.slipcast","in_app":[]\(date)},\
      "latest_receipt_info":[\(rows)]\(renewal ?? "")}
      """
  }

  static func status(_ status: Int, of bought: Purchase, signed: Double, renews: Bool? = nil) -> String {
    let renewal = renews.map {
      """
      ,"renewalInfo":{"originalTransactionId":"1","productId":"com.example.slipcast.p","environment":"Production",\
      "autoRenewProductId":"com.example.slipcast.p","autoRenewStatus":\($0 ? 1 : 0),"signedDate":\(AccessDay.time(signed))}
      """
    }
    return """
      {"bundleId":"com.example.slipcast","environment":"Production","data":[{"lastTransactions":[{"status":\(status),\
      "originalTransactionId":"1","transactionInfo":\(bought.transaction(signed: signed))\(renewal ?? "")}]}]}
      """
  }

  static func history(_ purchases: [Purchase], signed: Double?) -> String {
    let transactions = purchases.map { $0.transaction(signed: signed) }.joined(separator: ",")
    return """
      {"bundleId":"com.example.slipcast","environment":"Production","hasMore":false,"transactions":[\(transactions)]}
      """
  }

  /// A V1 message about the last purchase.
  ///
  /// - Parameters:
  ///   - listed: what its list shows; `nil`: it has the flat object alone.
  ///   - changed: when auto-renew changed.
  static func message(_ type: String, about bought: Purchase, listed: [Purchase]?, changed: Double? = nil) -> String {
    let list = listed.map { purchases in
      """
      ,"unified_receipt":{"status":0,"environment":"Production","latest_receipt_info":\
      [\(purchases.map(\.row).joined(separator: ","))]}
      """
    }
    let flat = bought.row.replacing("\"expires_date_ms\"", with: "\"expires_date\"")
    let date = changed.map { ",\"auto_renew_status_change_date_ms\":\"\(AccessDay.time($0))\"" } ?? ""
    return """
      {"notification_type":"\(type)","environment":"PROD","auto_renew_status":"true","bid":"com.example.slipcast",\
      "auto_renew_product_id":"com.example.slipcast.p"\(date)\(list ?? ",\"latest_expired_receipt_info\":\(flat)")}
      """
  }
}
