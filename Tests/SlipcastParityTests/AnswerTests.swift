import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport
import Testing

/// V1's answers against V2's histories: what an answer covers, which of several counts, and what comes later.
///
/// Days are counted from the first purchase.
@Suite struct AnswerTests {
  private static let time = AccessDay.time

  /// One purchase in both versions.
  private struct Purchase {
    var id: Int
    var day: Double
    var end: Double?
    var refund: Double?

    var row: String {
      let refunded = refund.map { ",\"cancellation_date_ms\":\"\(time($0))\",\"cancellation_reason\":\"1\"" } ?? ""
      let ends = end.map { ",\"expires_date_ms\":\"\(time($0))\",\"web_order_line_item_id\":\"\(id + 50)\"" } ?? ""
      return """
        {"product_id":"com.example.slipcast.p","transaction_id":"\(id)","original_transaction_id":"\(id)",\
        "purchase_date_ms":"\(time(day))","original_purchase_date_ms":"\(time(day))","quantity":"1"\(ends)\(refunded)}
        """
    }

    func transaction(signed: Double?) -> String {
      let refunded = refund.map { ",\"revocationDate\":\(time($0)),\"revocationReason\":1" } ?? ""
      let type = ",\"type\":\"Auto-Renewable Subscription\""
      let ends = end.map { ",\"expiresDate\":\(time($0)),\"webOrderLineItemId\":\"\(id + 50)\"\(type)" } ?? ""
      let date = signed.map { ",\"signedDate\":\(time($0))" } ?? ""
      return """
        {"transactionId":"\(id)","originalTransactionId":"\(id)","productId":"com.example.slipcast.p",\
        "bundleId":"com.example.slipcast","environment":"Production","quantity":1,"purchaseDate":\(time(day)),\
        "originalPurchaseDate":\(time(day)),"transactionReason":"PURCHASE"\(ends)\(refunded)\(date)}
        """
    }
  }

  private static func answer(_ purchases: [Purchase], asked: Double?) -> String {
    let date = asked.map { ",\"request_date_ms\":\"\(time($0))\"" } ?? ""
    let rows = purchases.map(\.row).joined(separator: ",")
    return """
      {"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.slipcast","in_app":[]\(date)},\
      "latest_receipt_info":[\(rows)]}
      """
  }

  private static func history(_ purchases: [Purchase], signed: Double?) -> String {
    let transactions = purchases.map { $0.transaction(signed: signed) }.joined(separator: ",")
    return """
      {"bundleId":"com.example.slipcast","environment":"Production","hasMore":false,"transactions":[\(transactions)]}
      """
  }

  private func compare(_ legacy: [String], _ server: [String]) async throws -> ParityResult {
    var archives = Archives()
    (archives.legacy, archives.server) = (legacy, server)
    return try await archives.compare()
  }

  private static let first = Purchase(id: 1, day: 0, end: 30)

  /// Source: evidence §10, records with one key and other content are both compared, in any order.
  @Test(arguments: [false, true], [false, true])
  func ofAnswersWithoutADateARefundIsNotLost(_ isReversed: Bool, _ isOfServer: Bool) async throws {
    let coins = Purchase(id: 9, day: 1)
    var refunded = coins
    refunded.refund = 2
    let purchases = [[Self.first, coins], [Self.first, refunded]]
    let both = isReversed ? purchases.reversed() : purchases
    let one = isOfServer ? [Self.answer(purchases[1], asked: nil)] : both.map { Self.answer($0, asked: nil) }
    let other = isOfServer ? both.map { Self.history($0, signed: nil) } : [Self.history(purchases[0], signed: nil)]
    let result = try await compare(one, other)
    #expect(result.pairs.matched == 1 && result.pairs.conflicting == 1)
    let differing = result.pairs.repeatDiffers
    #expect((differing.legacy, differing.server) == (isOfServer ? (0, 1) : (1, 0)))
  }

  /// Of answers that say when they were asked for, the newest one counts.
  @Test func ofDatedAnswersTheNewestCounts() async throws {
    let coins = Purchase(id: 9, day: 1)
    var refunded = coins
    refunded.refund = 2
    let answers = [Self.answer([coins], asked: 1.5), Self.answer([refunded], asked: 3)]
    for legacy in [answers, answers.reversed()] {
      let result = try await compare(legacy, [Self.history([refunded], signed: 4)])
      #expect(result.pairs.matched == 1 && result.pairs.conflicting == 0)
      #expect(result.pairs.repeatDiffers == .init())
    }
  }

  /// An answer lists all purchases until it was given: what the other side lacks is missing.
  @Test(arguments: [(9.0, 1), (40.0, 0)])
  func aPurchaseIsMissingThatWasMadeBeforeBothAnswers(_ day: Double, _ missing: Int) async throws {
    let bought = Purchase(id: 9, day: day, end: day + 365)
    let legacy = Self.answer([Self.first, bought], asked: 41)
    // With a margin, because clocks and answers differ.
    let result = try await compare([legacy], [Self.history([Self.first], signed: day == 9 ? 60 : 20)])
    #expect(result.pairs.legacyWithoutServer == 1)
    #expect(result.coverage.legacy.inside.missing == missing)
  }

  /// Source: contracts §8, access is judged at the end of the common time.
  @Test func aRefundAfterTheLastAnswerChangesNoAccess() async throws {
    var refunded = Self.first
    refunded.refund = 20
    let answer = Self.answer([Self.first], asked: 10)
    let later = try await compare([answer], [Self.history([refunded], signed: 25)])
    let changed = later.access.map { [$0.lockedOut, $0.servedForFree, $0.endsEarlier, $0.endsLater] }
    #expect(changed == [0, 0, 0, 0])
    refunded.refund = 5
    let earlier = try await compare([answer], [Self.history([refunded], signed: 25)])
    #expect(earlier.pairs.conflicting == 1)
  }

  /// Source: evidence §11, one time for three: a state is compared only where both records can show it.
  @Test(
    arguments: [
      // The period ended between the two.
      (40.0, nil, 2, 0), (12.0, nil, 2, 1),
      // What was taken back before the answer, V1 had to show; without a date, it may have been before.
      (40.0, nil, 5, 1),
      (40.0, 5.0, 5, 1), (40.0, 20.0, 5, 0),
    ] as [(Double, Double?, Int, Int)])
  func aStatusThatChangedAfterTheAnswerIsNoConflict(
    _ signed: Double, _ refund: Double?, _ status: Int, _ conflicts: Int
  ) async throws {
    var bought = Self.first
    bought.refund = refund
    let statuses = """
      {"bundleId":"com.example.slipcast","environment":"Production","data":[{"lastTransactions":[{"status":\(status),\
      "originalTransactionId":"1","transactionInfo":\(bought.transaction(signed: signed))}]}]}
      """
    let result = try await compare([Self.answer([Self.first], asked: 10)], [statuses])
    #expect(result.pairs.matched + result.pairs.conflicting == 1)
    #expect(result.pairs.conflicting == conflicts)
  }
}
