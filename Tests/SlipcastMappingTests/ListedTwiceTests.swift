import SlipcastMapping
import SlipcastV2
import SlipcastWire
import Testing

/// One transaction in several entries, and dates that show which purchase is the newest or the first.
@Suite struct ListedTwiceTests {
  private typealias Sample = ContradictionTests

  private func history(_ rows: [String]) throws -> (transactions: [JWSTransactionDecodedPayload], cast: Conversion) {
    let cast = try Shared.converter.convert(Sample.answer(latest: rows), into: .history)
    return (try #require(cast.history?.transactions), cast)
  }

  @Test func aTransactionThatIsListedTwiceIsWrittenOnce() throws {
    let (transactions, cast) = try history([Sample.row("1"), Sample.row("2"), Sample.row("2")])
    #expect(transactions.map(\.transactionId) == ["1", "2"])
    #expect(cast.findings.isEmpty)
    #expect(cast.account.repeated.contains { $0.reason == "listed twice; written once" })
  }

  /// A refund and an expiry that one of the entries lacks are not lost, whatever the order.
  @Test(arguments: [false, true])
  func theEntryWithAllValuesOfTheOtherCounts(_ isReversed: Bool) throws {
    let pairs = [
      [Sample.row("1"), Sample.row("1", Sample.cancelled())],
      [Sample.row("1", expires: nil), Sample.row("1")],
    ]
    for pair in pairs {
      let rows = isReversed ? pair.reversed() : pair
      let (transactions, cast) = try history(rows)
      try #require(transactions.count == 1)
      #expect(transactions[0].expiresDate?.milliseconds == Sample.expiry)
      #expect((transactions[0].revocationDate != nil) == pair[1].contains("cancellation"))
      // The order of a list has no meaning: the entry that says more comes first.
      #expect(cast.findings.isEmpty)
    }
  }

  /// A refund is not lost that only the receipt's own list states; that the newer list has none makes it inferred.
  @Test(arguments: [true, false])
  func aCancellationThatOnlyTheReceiptStatesCounts(_ isSubscription: Bool) throws {
    let row = { Sample.row("1", expires: isSubscription ? Sample.expiry : nil, $0) }
    let refunded = row(Sample.cancelled(#","cancellation_reason":"1""#))
    let answer = Sample.answer(latest: [row(#","subscription_group_identifier":"21""#)], inApp: [refunded])
    let cast = try Shared.converter.convert(answer, into: .history)
    let transaction = try #require(cast.history?.transactions?.first)
    #expect(cast.history?.transactions?.count == 1)
    #expect(transaction.revocationDate?.milliseconds == Sample.cancellation)
    #expect(transaction.revocationReason?.rawValue == 1)
    #expect(transaction.subscriptionGroupIdentifier == "21")
    #expect(cast.findings.map(\.code) == ["listedDifferently"])
    for member in ["revocationDate", "revocationReason"] {
      #expect(cast.json.contains("\"transactions[0].\(member)\""), "\(member) is inferred")
    }
    guard isSubscription else { return }
    let statuses = try #require(try Shared.converter.convert(answer, into: .statuses).statuses)
    #expect(statuses.data?.first?.lastTransactions?.map { $0.status?.rawValue } == [5])
  }

  @Test func ofContradictoryEntriesTheFirstOneCounts() throws {
    let (transactions, cast) = try history([Sample.row("1", product: "pro"), Sample.row("1", product: "max")])
    #expect(transactions.map(\.productId) == ["pro"])
    #expect(cast.findings.map(\.code) == ["listedDifferently"])
    #expect(cast.account.lost.contains { $0.reason.contains("listed again with other values") })
  }

  @Test func theStatusIsThatOfTheEntryThatCounts() throws {
    let rows = [Sample.row("1"), Sample.row("1", Sample.cancelled())]
    let cast = try Shared.converter.convert(Sample.answer(latest: rows), into: .statuses)
    #expect(cast.statuses?.data?.first?.lastTransactions?.map { $0.status?.rawValue } == [5])
  }

  @Test func theHistoryOfANotificationHasATransactionOnce() throws {
    let rows = [Sample.row("1"), Sample.row("1")].joined(separator: ",")
    let body =
      #"{"notification_type":"CANCEL","environment":"PROD","cancellation_date_ms":"\#(Sample.cancellation)","#
      + #""unified_receipt":{"latest_receipt_info":[\#(rows)]}}"#
    let transactions = try #require(try Shared.converter.convert(body, into: .history).history?.transactions)
    #expect(transactions.map(\.transactionId) == ["1"])
    #expect(transactions[0].revocationDate?.milliseconds == Sample.cancellation)
  }

  // MARK: the newest and the first

  /// Both purchases are of one second, and one date has no milliseconds.
  @Test(arguments: [(208_197, 208_000, "2"), (208_197, 207_999, "1"), (208_000, 208_000, "2")])
  func ofPurchasesOfOneSecondTheOneThatEndsLaterIsTheNewest(_ receipt: Int, _ latest: Int, _ newest: String) throws {
    func flat(_ id: String, _ purchase: Int, _ expiry: Int) -> String {
      #"{"product_id":"pro","transaction_id":"\#(id)","original_transaction_id":"7","quantity":"1","#
        + #""purchase_date_ms":"1350157\#(purchase)","expires_date":"1350157\#(expiry)"}"#
    }
    let answer =
      #"{"status":0,"receipt":\#(flat("1", receipt, 508_197)),"latest_receipt_info":\#(flat("2", latest, 808_000))}"#
    let statuses = try #require(try Shared.converter.convert(answer, into: .statuses).statuses)
    #expect(statuses.data?.first?.lastTransactions?.map { $0.transactionInfo?.transactionId } == [newest])
  }

  /// Source: evidence §1, a gap that no list shows; DESIGN §4.6, unknown when the list does not show the start.
  @Test(arguments: [(true, 61, false), (false, 61, true), (true, 0, true)])
  func betweenTheTwoPeriodsOfAnIOS6AnswerOthersMayLie(_ isFlat: Bool, _ days: Int64, _ isKnown: Bool) throws {
    func row(_ id: String, _ start: Int64) -> String {
      #"{"product_id":"pro","transaction_id":"\#(id)","original_transaction_id":"1","quantity":"1","#
        + #""purchase_date_ms":"\#(start)","expires_date_ms":"\#(start + 2_592_000_000)"}"#
    }
    let first: Int64 = 1_349_000_000_000
    let rows = (row("1", first), row("2", first + 2_592_000_000 + days * 86_400_000))
    let answer =
      isFlat
      ? #"{"status":0,"receipt":\#(rows.0),"latest_receipt_info":\#(rows.1),"auto_renew_status":1}"#
      : Sample.answer(latest: [rows.0, rows.1], renewals: [Sample.renewal("1", "1")])
    let statuses = try #require(try Shared.converter.convert(answer, into: .statuses).statuses)
    let item = try #require(statuses.data?.first?.lastTransactions?.first)
    #expect((item.renewalInfo?.recentSubscriptionStartDate != nil) == isKnown)
    #expect((item.transactionInfo?.transactionReason != nil) == isKnown)
  }

  /// Source: evidence §7, a purchase whose original purchase is much older is not the first one.
  @Test(arguments: [(0, true), (86_400_000, true), (86_400_001, false)])
  func aPurchaseWithAMuchOlderOriginalPurchaseIsNotTheFirst(_ age: Int64, _ isFirst: Bool) throws {
    let row = Sample.row("1", #","original_purchase_date_ms":"\#(Sample.purchase - age)""#)
    let answer = Sample.answer(latest: [row], renewals: [Sample.renewal("1", "1")])
    let statuses = try #require(try Shared.converter.convert(answer, into: .statuses).statuses)
    let item = try #require(statuses.data?.first?.lastTransactions?.first)
    #expect(item.renewalInfo?.recentSubscriptionStartDate?.milliseconds == (isFirst ? Sample.purchase : nil))
    #expect(item.transactionInfo?.transactionReason?.rawValue == (isFirst ? "PURCHASE" : nil))
  }
}
