import SlipcastMapping
import SlipcastV2
import Testing

/// Statuses of answers that state the renewal at the top level, as in the iOS 6 style.
@Suite struct StatusesTests {
  private static let gold = """
    {"product_id":"gold.month","transaction_id":"2001","original_transaction_id":"1001","quantity":"1",\
    "purchase_date_ms":"1700000000000","expires_date_ms":"1702600000000","original_purchase_date_ms":"1700000000000",\
    "web_order_line_item_id":"31"}
    """
  private static let news = """
    {"product_id":"news.year","transaction_id":"2002","original_transaction_id":"1002","quantity":"1",\
    "purchase_date_ms":"1700000100000","expires_date_ms":"1731600000000","original_purchase_date_ms":"1700000100000",\
    "web_order_line_item_id":"32"}
    """

  private func items(_ periods: String) throws -> [LastTransactionsItem] {
    let answer = """
      {"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.app"},\
      "latest_receipt_info":[\(periods)],"auto_renew_product_id":"news.year","auto_renew_status":1}
      """
    let statuses = try #require(try Shared.converter.convert(answer, into: .statuses).statuses)
    return (statuses.data ?? []).flatMap { $0.lastTransactions ?? [] }
  }

  @Test func aRenewalAtTheTopLevelBelongsToTheOnlySubscription() throws {
    let item = try #require(try items(Self.news).first)
    #expect(item.renewalInfo?.autoRenewProductId == "news.year")
    #expect(item.renewalInfo?.originalTransactionId == "1002")
  }

  @Test(arguments: [[gold, news], [news, gold]])
  func aRenewalAtTheTopLevelIsGivenToNoneOfSeveralSubscriptions(_ periods: [String]) throws {
    let items = try items(periods.joined(separator: ","))
    #expect(Set(items.compactMap(\.originalTransactionId)) == ["1001", "1002"])
    #expect(items.allSatisfy { $0.renewalInfo == nil })
    #expect(items.allSatisfy { $0.transactionInfo?.originalTransactionId == $0.originalTransactionId })
  }
}
