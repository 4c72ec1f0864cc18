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
    var original: Int?
    var type: String?
    var isUpgraded = false

    var row: String {
      let refunded = refund.map { ",\"cancellation_date_ms\":\"\(time($0))\",\"cancellation_reason\":\"1\"" } ?? ""
      let ends = end.map { ",\"expires_date_ms\":\"\(time($0))\",\"web_order_line_item_id\":\"\(id + 50)\"" } ?? ""
      let upgraded = isUpgraded ? ",\"is_upgraded\":\"true\"" : ""
      return """
        {"product_id":"com.example.slipcast.p","transaction_id":"\(id)","original_transaction_id":"\(original ?? id)",\
        "purchase_date_ms":"\(time(day))","original_purchase_date_ms":"\(time(original == nil ? day : 0))",\
        "quantity":"1"\(ends)\(refunded)\(upgraded)}
        """
    }

    func transaction(signed: Double?) -> String {
      let refunded = refund.map { ",\"revocationDate\":\(time($0)),\"revocationReason\":1" } ?? ""
      let upgraded = isUpgraded ? ",\"isUpgraded\":true" : ""
      let type = (type ?? end.map { _ in "Auto-Renewable Subscription" }).map { ",\"type\":\"\($0)\"" } ?? ""
      let ends = end.map { ",\"expiresDate\":\(time($0)),\"webOrderLineItemId\":\"\(id + 50)\"" } ?? ""
      let date = signed.map { ",\"signedDate\":\(time($0))" } ?? ""
      return """
        {"transactionId":"\(id)","originalTransactionId":"\(original ?? id)","productId":"com.example.slipcast.p",\
        "bundleId":"com.example.slipcast","environment":"Production","quantity":1,"purchaseDate":\(time(day)),\
        "originalPurchaseDate":\(time(original == nil ? day : 0)),\
        "transactionReason":"\(original == nil ? "PURCHASE" : "RENEWAL")"\(type)\(ends)\(refunded)\(upgraded)\(date)}
        """
    }
  }

  private static func answer(_ purchases: [Purchase], asked: Double?, renews: Bool? = nil) -> String {
    let renewal = renews.map {
      """
      ,"pending_renewal_info":[{"product_id":"com.example.slipcast.p","auto_renew_product_id":"com.example.slipcast.p",\
      "original_transaction_id":"1","auto_renew_status":"\($0 ? 1 : 0)"}]
      """
    }
    let date = asked.map { ",\"request_date_ms\":\"\(time($0))\"" } ?? ""
    let rows = purchases.map(\.row).joined(separator: ",")
    return """
      {"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.slipcast","in_app":[]\(date)},\
      "latest_receipt_info":[\(rows)]\(renewal ?? "")}
      """
  }

  private static func status(_ status: Int, of bought: Purchase, signed: Double, renews: Bool? = nil) -> String {
    let renewal = renews.map {
      """
      ,"renewalInfo":{"originalTransactionId":"1","productId":"com.example.slipcast.p","environment":"Production",\
      "autoRenewProductId":"com.example.slipcast.p","autoRenewStatus":\($0 ? 1 : 0),"signedDate":\(time(signed))}
      """
    }
    return """
      {"bundleId":"com.example.slipcast","environment":"Production","data":[{"lastTransactions":[{"status":\(status),\
      "originalTransactionId":"1","transactionInfo":\(bought.transaction(signed: signed))\(renewal ?? "")}]}]}
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

  /// An undated answer that lacks the refund which another one dates is older, and agrees with V2's refund.
  @Test(arguments: [false, true]) func anUndatedAnswerIsOlderThanTheRefundThatItLacks(_ isReversed: Bool) async throws {
    let coins = Purchase(id: 9, day: 1)
    var refunded = coins
    refunded.refund = 2
    let answers = [Self.answer([Self.first, coins], asked: nil), Self.answer([Self.first, refunded], asked: 3)]
    let legacy = isReversed ? answers.reversed() : answers
    let result = try await compare(legacy, [Self.history([Self.first, refunded], signed: 4)])
    #expect(result.pairs.matched == 2 && result.pairs.conflicting == 0)
    refunded.refund = 1.5
    let other = try await compare(legacy, [Self.history([Self.first, refunded], signed: 4)])
    #expect(other.pairs.conflicting == 1)
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
    let statuses = Self.status(status, of: bought, signed: signed)
    let result = try await compare([Self.answer([Self.first], asked: 10)], [statuses])
    #expect(result.pairs.matched + result.pairs.conflicting == 1)
    #expect(result.pairs.conflicting == conflicts)
  }

  /// An upgrade has no date; the later record may know of one while the period ran.
  @Test(
    arguments: [
      (10.0, 20.0, false, 0), (40, 50, false, 1), (20, 10, true, 0), (10, 20, true, 1), (10, 10.02, false, 1),
    ])
  func anUpgradeSinceTheOtherAnswerIsNoConflict(
    _ asked: Double, _ signed: Double, _ isOfLegacy: Bool, _ conflicts: Int
  ) async throws {
    var upgraded = Self.first
    upgraded.isUpgraded = true
    let sides = isOfLegacy ? (upgraded, Self.first) : (Self.first, upgraded)
    let result = try await compare([Self.answer([sides.0], asked: asked)], [Self.history([sides.1], signed: signed)])
    #expect(result.pairs.matched + result.pairs.conflicting == 1)
    #expect(result.pairs.conflicting == conflicts)
  }

  /// V2's archive was signed later than the refund, although not all of it: it lost the refund.
  @Test(arguments: [(15.0, 0), (60.0, 1)])
  func aRefundIsLostThatIsOlderThanTheEndOfV2sArchive(_ end: Double, _ lost: Int) async throws {
    var refunded = Self.first
    refunded.refund = 20
    let other = Purchase(id: 7, day: 0, end: 300)
    let server = [Self.history([Self.first], signed: 10), Self.history([other], signed: end)]
    let result = try await compare([Self.answer([refunded], asked: 50), Self.answer([other], asked: 50)], server)
    #expect(result.pairs.conflicting == lost)
  }

  private static let second = Purchase(id: 2, day: 30, end: 60, original: 1)

  /// Of a subscription that renewed in between each answer has another period.
  @Test(arguments: [(10.0, 40.0, 0), (29.5, 29.9, 0), (35, 40, 1)])
  func aRenewalSinceTheAnswerIsNoConflict(_ asked: Double, _ signed: Double, _ conflicts: Int) async throws {
    let statuses = Self.status(1, of: Self.second, signed: signed)
    let result = try await compare([Self.answer([Self.first], asked: asked)], [statuses])
    #expect(result.pairs.conflicting == conflicts)
  }

  /// Dates at the ends of what a number can hold.
  @Test(arguments: [Int64.min, .max], ["expiresDate", "purchaseDate", "signedDate", "revocationDate"])
  func aDateFarAwayIsCompared(_ date: Int64, _ name: String) async throws {
    var bought = Purchase(id: 1, day: 0, end: 5, refund: name == "revocationDate" ? 4 : nil)
    (bought.isUpgraded, bought.original) = (true, 1)
    for status in [Self.status(3, of: bought, signed: 8), Self.status(3, of: Self.second, signed: 8)] {
      let text = status.replacing(try Regex("\"\(name)\":-?[0-9]+"), with: "\"\(name)\":\(date)")
      let result = try await compare([Self.answer([Self.first], asked: 10)], [text])
      #expect(result.pairs.matched + result.pairs.conflicting + result.pairs.legacyWithoutServer == 1)
    }
  }

  /// What has no date may change while the subscription runs, and not within minutes.
  @Test(arguments: [(10.0, 10.01, 1), (10, 12, 0), (12, 10, 0), (40, 45, 1)])
  func autoRenewMayChangeBetweenTwoAnswers(_ asked: Double, _ signed: Double, _ conflicts: Int) async throws {
    let statuses = Self.status(asked > 30 ? 2 : 1, of: Self.first, signed: signed, renews: false)
    let result = try await compare([Self.answer([Self.first], asked: asked, renews: true)], [statuses])
    #expect(result.pairs.matched + result.pairs.conflicting == 1)
    #expect(result.pairs.conflicting == conflicts)
  }

  /// Other customers were asked about later: what this one bought since is not missing, also under another original id
  /// that V2 lists with the known one.
  @Test(arguments: [(20.0, true, 0), (5.0, true, 1), (20.0, false, 1)])
  func aPurchaseAfterTheLastAnswerAboutTheCustomerIsNotMissing(
    _ day: Double, _ isListedTogether: Bool, _ missing: Int
  ) async throws {
    let (other, bought) = (Purchase(id: 7, day: 0, end: 300), Purchase(id: 9, day: day, end: day + 30))
    let legacy = [Self.answer([Self.first], asked: 10), Self.answer([other], asked: 50)]
    let histories = isListedTogether ? [[Self.first, bought]] : [[Self.first], [bought]]
    let server = (histories + [[other]]).map { Self.history($0, signed: 60) }
    let result = try await compare(legacy, server)
    #expect(result.pairs.matched == 2 && result.pairs.serverWithoutLegacy == 1)
    #expect(result.coverage.server.inside.missing == missing)
  }

  /// The renewal came after the last answer about the customer, and nobody else's answer changes that.
  @Test func accessIsJudgedWhenBothArchivesKnewTheCustomer() async throws {
    let other = Purchase(id: 7, day: 0, end: 300)
    let legacy = [Self.answer([Self.first], asked: 10), Self.answer([other], asked: 50)]
    let server = [[Self.first, Self.second], [other]].map { Self.history($0, signed: 60) }
    let result = try await compare(legacy, server)
    #expect(result.access?.same == 2 && result.access?.subscriptions == 2)
  }

  /// V2 drops the date of a grace period that is over.
  @Test(arguments: [(50.0, 1, 0), (33.0, 0, 1)])
  func aGracePeriodThatWasOverWhenV2WasAskedIsNoLoss(_ signed: Double, _ unknown: Int, _ lost: Int) async throws {
    let grace = """
      "pending_renewal_info":[{"product_id":"com.example.slipcast.p","auto_renew_product_id":"com.example.slipcast.p",\
      "original_transaction_id":"1","auto_renew_status":"1","expiration_intent":"2","is_in_billing_retry_period":"1",\
      "grace_period_expires_date_ms":"\(Self.time(40))"}],"latest_receipt_info"
      """
    let answer = Self.answer([Self.first], asked: 32).replacing("\"latest_receipt_info\"", with: grace)
    let result = try await compare([answer], [Self.status(2, of: Self.first, signed: signed)])
    #expect(result.access?.unknown == unknown && result.access?.lockedOut == lost)
  }

  /// V1 lists consumables until they are finished.
  @Test(arguments: [("Consumable", 0), ("Non-Consumable", 1)])
  func aFinishedConsumableIsNotMissingInV1(_ type: String, _ missing: Int) async throws {
    let coins = Purchase(id: 9, day: 1, type: type)
    let result = try await compare(
      [Self.answer([Self.first], asked: 10)], [Self.history([Self.first, coins], signed: 10)])
    #expect(result.pairs.serverOnlyEvents == 1 - missing && result.pairs.serverWithoutLegacy == missing)
  }
}
