import SlipcastMapping
import SlipcastV2
import SlipcastWire
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

  private func items(
    _ periods: String, top: String = #","auto_renew_product_id":"news.year","auto_renew_status":1"#
  ) throws -> [LastTransactionsItem] {
    let answer = """
      {"status":0,"environment":"Production",\
      "receipt":{"bundle_id":"com.example.app","request_date_ms":"1732000000000"},\
      "latest_receipt_info":[\(periods)]\(top)}
      """
    let statuses = try #require(try Shared.converter.convert(answer, into: .statuses).statuses)
    return (statuses.data ?? []).flatMap { $0.lastTransactions ?? [] }
  }

  /// Source: evidence §15, a reason without a date states nothing; §5, an iOS 6 answer has it at the top level.
  @Test(arguments: [false, true])
  func aReasonAtTheTopLevelIsThatOfWhatWasTakenBack(_ isCancelled: Bool) throws {
    let date = isCancelled ? #","cancellation_date_ms":"1701000000000"}"# : "}"
    let news = Self.news.dropLast() + date
    let answer = #"{"status":0,"latest_receipt_info":[\#(Self.gold),\#(news)],"cancellation_reason":"1"}"#
    let cast = try Shared.converter.convert(answer, into: .history)
    let reasons = cast.history?.transactions?.map { $0.revocationReason?.rawValue }
    #expect(reasons == (isCancelled ? [nil, 1] : [nil, nil]))
    #expect(cast.findings.map(\.code).contains("reasonWithoutDate") == !isCancelled)
  }

  /// Source: evidence §11, a value that is missing must not change a stated status.
  @Test(arguments: [#""original_transaction_id":"","#, #""original_transaction_id":null,"#, ""])
  func aPeriodThatNamesNoSubscriptionLeavesTheStatusOpen(_ id: String) throws {
    let named = #""original_transaction_id":"1002","#
    let later = Self.news.replacing(#""2002""#, with: #""2003""#).replacing("1700000100000", with: "1731600000000")
      .replacing(#""expires_date_ms":"1731600000000""#, with: #""expires_date_ms":"1763200000000""#)
    func status(_ id: String) throws -> [Int32?] {
      try items(Self.news + "," + later.replacing(named, with: id)).map { $0.status?.rawValue }
    }
    #expect(try status(named) == [1])
    #expect(try status(id) == [nil])
  }

  @Test func aRenewalAtTheTopLevelBelongsToTheOnlySubscription() throws {
    let item = try #require(try items(Self.news).first)
    #expect(item.renewalInfo?.autoRenewProductId == "news.year")
    #expect(item.renewalInfo?.originalTransactionId == "1002")
  }

  /// Source: v1 §5, members of the renewal at the top level.
  @Test func eachMemberOfARenewalAtTheTopLevelStatesIt() throws {
    func renewal(_ top: String) throws -> JWSRenewalInfoDecodedPayload? {
      try items(Self.news, top: top).first?.renewalInfo
    }
    #expect(try renewal(#","auto_renew_status":1"#)?.autoRenewStatus?.rawValue == 1)
    #expect(try renewal(#","expiration_intent":"2""#)?.expirationIntent?.rawValue == 2)
    #expect(try renewal(#","is_in_billing_retry_period":"0""#)?.isInBillingRetryPeriod == false)
    #expect(try renewal("") == nil)
    #expect(try renewal(#","cancellation_reason":"0""#) == nil)
  }

  /// Source: mapping B6, steps 3 and 5.
  @Test func billingRetryAtTheTopLevelDecidesTheStatus() throws {
    func status(_ periods: String, _ flag: String) throws -> [Int64?] {
      let top = #","is_in_billing_retry_period":"\#(flag)""#
      return try items(periods, top: top).map { $0.status.map { Int64($0.rawValue) } }
    }
    #expect(try status(Self.news, "1") == [3])
    #expect(try status(Self.news, "0") == [2])
    #expect(try status(Self.news + "," + Self.gold, "1") == [2, 2])
  }

  @Test(arguments: [[gold, news], [news, gold]])
  func aRenewalAtTheTopLevelIsGivenToNoneOfSeveralSubscriptions(_ periods: [String]) throws {
    let items = try items(periods.joined(separator: ","))
    #expect(Set(items.compactMap(\.originalTransactionId)) == ["1001", "1002"])
    #expect(items.allSatisfy { $0.renewalInfo == nil })
    #expect(items.allSatisfy { $0.transactionInfo?.originalTransactionId == $0.originalTransactionId })
  }
}

/// What a notification becomes as a history or as statuses: its own values belong to the event's purchase alone.
@Suite struct EmissionOfNotificationTests {
  private static let monthly = """
    "product_id":"com.example.monthly","transaction_id":"2001","original_transaction_id":"2001","quantity":"1",\
    "purchase_date_ms":"1709287200000","expires_date_ms":"1711965600000","web_order_line_item_id":"801"
    """
  private static let coins = """
    "product_id":"com.example.coins","transaction_id":"2300","quantity":"1","purchase_date_ms":"1704103200000"
    """
  private static let other = """
    "product_id":"com.example.other","transaction_id":"2500","original_transaction_id":"2500","quantity":"1",\
    "purchase_date_ms":"1705831200000","expires_date_ms":"1708509600000","web_order_line_item_id":"901"
    """

  private func body(_ type: String, _ rows: [String], _ entries: [String], _ top: String = "") -> String {
    let list = rows.map { "{\($0)}" }.joined(separator: ",")
    return """
      {"notification_type":"\(type)","environment":"PROD","bid":"com.example.app",\
      "original_transaction_id":2001,\(top)"unified_receipt":{"status":0,"environment":"Production",\
      "latest_receipt_info":[\(list)],"pending_renewal_info":[\(entries.joined(separator: ","))]}}
      """
  }

  /// Source: mapping B1, webOrderLineItemId is for subscriptions only; v1 §2a.
  @Test func theLineItemOfTheBodyIsGivenToNoOtherPurchase() throws {
    let top = "\"web_order_line_item_id\":\"801\",\"cancellation_date_ms\":\"1709719200000\","
    let cancelled = Self.monthly + ",\"cancellation_date_ms\":\"1709719200000\",\"cancellation_reason\":\"1\""
    let text = body("CANCEL", [cancelled, Self.coins], [], top)
    let history = try #require(try Shared.converter.convert(text, into: .history).history)
    let transactions = history.transactions ?? []
    let coins = try #require(transactions.first { $0.transactionId == "2300" })
    #expect(coins.webOrderLineItemId == nil && coins.originalTransactionId == nil)
    #expect(transactions.first { $0.transactionId == "2001" }?.webOrderLineItemId == "801")
  }

  /// Source: mapping B6, steps 3 and 5.
  @Test func aFailedRenewalSaysNothingOfAnotherSubscription() throws {
    let entries = [
      """
      {"product_id":"com.example.monthly","original_transaction_id":"2001","auto_renew_status":"1",\
      "auto_renew_product_id":"com.example.monthly","is_in_billing_retry_period":"1","expiration_intent":"2"}
      """,
      """
      {"product_id":"com.example.other","original_transaction_id":"2500","auto_renew_status":"0",\
      "auto_renew_product_id":"com.example.other"}
      """,
    ]
    let text = body("DID_FAIL_TO_RENEW", [Self.monthly, Self.other], entries)
    let statuses = try #require(try Shared.converter.convert(text, into: .statuses).statuses)
    let items = (statuses.data ?? []).flatMap { $0.lastTransactions ?? [] }
    let known = Dictionary(items.map { ($0.originalTransactionId, $0.status?.rawValue) }) { first, _ in first }
    #expect(known["2001"] == 3 && known["2500"] == 2)
  }

  /// Source: DESIGN §5, every value that V1 supports is written in every era.
  @Test func theRenewalOfAFlatBodyIsThatOfItsSubscription() throws {
    let text = """
      {"notification_type":"DID_CHANGE_RENEWAL_STATUS","environment":"PROD","auto_renew_status":"false",\
      "auto_renew_product_id":"com.example.monthly","auto_renew_status_change_date_ms":"1709719200000",\
      "latest_receipt_info":{"product_id":"com.example.monthly","transaction_id":"2001","quantity":"1",\
      "original_transaction_id":"2001","purchase_date_ms":"1709287200000","expires_date":"1711965600000",\
      "web_order_line_item_id":"801","bid":"com.example.app"}}
      """
    let statuses = try #require(try Shared.converter.convert(text, into: .statuses).statuses)
    let item = try #require(statuses.data?.first?.lastTransactions?.first)
    #expect(item.renewalInfo?.autoRenewStatus?.rawValue == 0)
    #expect(item.renewalInfo?.autoRenewProductId == "com.example.monthly")
  }

  /// Source: mapping B2, renewalDate, and B6, step 1: upgraded periods are excluded.
  @Test func anUpgradedPeriodAloneSaysNothingOfTheSubscription() throws {
    let text = """
      {"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.app",\
      "request_date_ms":"1710151200000"},"latest_receipt_info":[{\(Self.monthly),"is_upgraded":"true"}],\
      "pending_renewal_info":[{"product_id":"com.example.yearly","original_transaction_id":"2001",\
      "auto_renew_product_id":"com.example.yearly","auto_renew_status":"1"}]}
      """
    let statuses = try #require(try Shared.converter.convert(text, into: .statuses).statuses)
    let item = try #require(statuses.data?.first?.lastTransactions?.first)
    #expect(item.status == nil && item.renewalInfo?.renewalDate == nil)
    #expect(item.renewalInfo?.autoRenewProductId == "com.example.yearly")
  }

  /// Source: mapping B1, transactionReason; evidence §5, Sandbox and refunds.
  private struct Purchase: Sendable {
    let environment: String
    let date: Int
    var refund = ""
    let reason: TransactionReason?
  }

  private static let purchases: [Purchase] = [
    // A renewal in time, minutes before the customer upgrades in the Sandbox.
    Purchase(environment: "Sandbox", date: 1_709_287_500_000, reason: .renewal),
    // In the Sandbox nobody can tell after four minutes.
    Purchase(environment: "Sandbox", date: 1_709_287_740_000, reason: nil),
    // More than 60 days after a refund.
    Purchase(
      environment: "Production", date: 1_718_013_600_000,
      refund: ",\"cancellation_date_ms\":\"1709287300000\",\"cancellation_reason\":\"0\"", reason: .purchase),
  ]

  @Test(arguments: purchases.indices)
  func theReasonOfAPurchase(_ number: Int) throws {
    let purchase = Self.purchases[number]
    let row = { (id: Int, purchase: Int, expiry: Int, more: String) in
      """
      {"product_id":"com.example.monthly","transaction_id":"\(id)","original_transaction_id":"2001","quantity":"1",\
      "purchase_date_ms":"\(purchase)","expires_date_ms":"\(expiry)","web_order_line_item_id":"\(id)"\(more)}
      """
    }
    let upgraded = row(2003, 1_709_287_800_000, 1_709_288_100_000, ",\"is_upgraded\":\"true\"")
    let rows =
      [
        row(2001, 1_709_287_200_000, 1_709_287_500_000, purchase.refund),
        row(2002, purchase.date, purchase.date + 300_000, ""),
      ]
      + (purchase.reason == .renewal ? [upgraded] : [])
    let text = """
      {"status":0,"environment":"\(purchase.environment)","receipt":{"bundle_id":"com.example.app"},\
      "latest_receipt_info":[\(rows.joined(separator: ","))]}
      """
    let history = try #require(try Shared.converter.convert(text, into: .history).history)
    let found = try #require(history.transactions?.first { $0.transactionId == "2002" })
    #expect(found.transactionReason?.rawValue == purchase.reason?.rawValue)
  }
}
