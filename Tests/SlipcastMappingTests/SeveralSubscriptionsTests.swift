import SlipcastMapping
import SlipcastV2
import Testing

/// A record that lists many subscriptions: each is found by its original transaction, however many there are.
@Suite struct SeveralSubscriptionsTests {
  private static let start: Int64 = 1_646_128_800_000
  private static let month: Int64 = 30 * 86_400_000

  /// Two periods of each subscription, the newer one first, of which every third was upgraded.
  private static func rows(_ number: Int) -> [String] {
    [1, 0].map { period in
      let purchase = start + Int64(number) * 60_000 + Int64(period) * month
      let upgraded = period == 0 && number % 3 == 0 ? #","is_upgraded":"true""# : ""
      return """
        {"product_id":"plan\(number)","transaction_id":"\(number)0\(period)","original_transaction_id":"\(number)00",\
        "web_order_line_item_id":"\(number)0\(period)","purchase_date_ms":"\(purchase)",\
        "expires_date_ms":"\(purchase + month)"\(upgraded)}
        """
    }
  }

  private static func entry(_ number: Int) -> String {
    """
    {"product_id":"plan\(number)","original_transaction_id":"\(number)00","auto_renew_product_id":"next\(number)",\
    "auto_renew_status":"1"}
    """
  }

  private static func body(_ event: Int, of count: Int, isMixed: Bool) -> String {
    var rows = (1...count).flatMap(Self.rows)
    // The newer periods of all subscriptions, then the older ones: none follows one of its own.
    if isMixed { rows = [0, 1].flatMap { part in rows.indices.filter { $0 % 2 == part }.map { rows[$0] } } }
    let entries = (1...count).map(Self.entry)
    return """
      {"notification_type":"DID_RENEW","environment":"PROD","original_transaction_id":"\(event)00",\
      "unified_receipt":{"latest_receipt_info":[\(rows.joined(separator: ","))],\
      "pending_renewal_info":[\(entries.reversed().joined(separator: ","))]}}
      """
  }

  @Test(arguments: [1, 2, 7, 8, 9, 20], [false, true])
  func eachHasTheRenewalEntryThatNamesIt(_ count: Int, _ isMixed: Bool) throws {
    for event in 1...count {
      let cast = try Shared.converter.convert(Self.body(event, of: count, isMixed: isMixed))
      let data = try #require(cast.notification?.data)
      #expect(data.transactionInfo?.transactionId == "\(event)01")
      #expect(data.renewalInfo?.autoRenewProductId == "next\(event)")
      #expect(data.renewalInfo?.originalTransactionId == "\(event)00")
    }
  }
}
