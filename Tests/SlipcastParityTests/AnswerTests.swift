import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport
import Testing

/// V1's answers against V2's histories: what an answer covers, which of several counts, and what comes later.
///
/// Days are counted from the first purchase.
@Suite struct AnswerTests {
  private static let first = Purchase(id: 1, day: 0, end: 30)

  /// Source: evidence §10, records with one key and other content are both compared, in any order.
  @Test(arguments: [false, true], [false, true])
  func ofAnswersWithoutADateARefundIsNotLost(_ isReversed: Bool, _ isOfServer: Bool) async throws {
    let coins = Purchase(id: 9, day: 1)
    var refunded = coins
    refunded.refund = 2
    let purchases = [[Self.first, coins], [Self.first, refunded]]
    let both = isReversed ? purchases.reversed() : purchases
    let one = isOfServer ? [Answers.answer(purchases[1], asked: nil)] : both.map { Answers.answer($0, asked: nil) }
    let other =
      isOfServer ? both.map { Answers.history($0, signed: nil) } : [Answers.history(purchases[0], signed: nil)]
    let result = try await Archives.compare(one, other)
    #expect(result.pairs.matched == 1 && result.pairs.conflicting == 1)
    let differing = result.pairs.repeatDiffers
    #expect((differing.legacy, differing.server) == (isOfServer ? (0, 1) : (1, 0)))
  }

  /// An undated answer that lacks the refund which another one dates is older, and agrees with V2's refund.
  @Test(arguments: [false, true]) func anUndatedAnswerIsOlderThanTheRefundThatItLacks(_ isReversed: Bool) async throws {
    let coins = Purchase(id: 9, day: 1)
    var refunded = coins
    refunded.refund = 2
    let answers = [Answers.answer([Self.first, coins], asked: nil), Answers.answer([Self.first, refunded], asked: 3)]
    let legacy = isReversed ? answers.reversed() : answers
    let result = try await Archives.compare(legacy, [Answers.history([Self.first, refunded], signed: 4)])
    #expect(result.pairs.matched == 2 && result.pairs.conflicting == 0)
    refunded.refund = 1.5
    let other = try await Archives.compare(legacy, [Answers.history([Self.first, refunded], signed: 4)])
    #expect(other.pairs.conflicting == 1)
  }

  /// Of answers that say when they were asked for, the newest one counts.
  @Test func ofDatedAnswersTheNewestCounts() async throws {
    let coins = Purchase(id: 9, day: 1)
    var refunded = coins
    refunded.refund = 2
    let answers = [Answers.answer([coins], asked: 1.5), Answers.answer([refunded], asked: 3)]
    for legacy in [answers, answers.reversed()] {
      let result = try await Archives.compare(legacy, [Answers.history([refunded], signed: 4)])
      #expect(result.pairs.matched == 1 && result.pairs.conflicting == 0)
      #expect(result.pairs.repeatDiffers == .init())
    }
  }

  /// An answer lists all purchases until it was given: what the other side lacks is missing.
  @Test(arguments: [(9.0, 1), (40.0, 0)])
  func aPurchaseIsMissingThatWasMadeBeforeBothAnswers(_ day: Double, _ missing: Int) async throws {
    let bought = Purchase(id: 9, day: day, end: day + 365)
    let legacy = Answers.answer([Self.first, bought], asked: 41)
    // With a margin, because clocks and answers differ.
    let result = try await Archives.compare([legacy], [Answers.history([Self.first], signed: day == 9 ? 60 : 20)])
    #expect(result.pairs.legacyWithoutServer == 1)
    #expect(result.coverage.legacy.inside.missing == missing)
  }

  /// Source: contracts §8, access is judged at the end of the common time.
  @Test func aRefundAfterTheLastAnswerChangesNoAccess() async throws {
    var refunded = Self.first
    refunded.refund = 20
    let answer = Answers.answer([Self.first], asked: 10)
    let later = try await Archives.compare([answer], [Answers.history([refunded], signed: 25)])
    let changed = later.access.map { [$0.lockedOut, $0.servedForFree, $0.endsEarlier, $0.endsLater] }
    #expect(changed == [0, 0, 0, 0])
    refunded.refund = 5
    let earlier = try await Archives.compare([answer], [Answers.history([refunded], signed: 25)])
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
    let statuses = Answers.status(status, of: bought, signed: signed)
    let result = try await Archives.compare([Answers.answer([Self.first], asked: 10)], [statuses])
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
    let result = try await Archives.compare(
      [Answers.answer([sides.0], asked: asked)], [Answers.history([sides.1], signed: signed)])
    #expect(result.pairs.matched + result.pairs.conflicting == 1)
    #expect(result.pairs.conflicting == conflicts)
  }

  /// V2's archive was signed later than the refund, although not all of it: it lost the refund.
  @Test(arguments: [(15.0, 0), (60.0, 1)])
  func aRefundIsLostThatIsOlderThanTheEndOfV2sArchive(_ end: Double, _ lost: Int) async throws {
    var refunded = Self.first
    refunded.refund = 20
    let other = Purchase(id: 7, day: 0, end: 300)
    let server = [Answers.history([Self.first], signed: 10), Answers.history([other], signed: end)]
    let result = try await Archives.compare(
      [Answers.answer([refunded], asked: 50), Answers.answer([other], asked: 50)], server)
    #expect(result.pairs.conflicting == lost)
  }

  private static let second = Purchase(id: 2, day: 30, end: 60, original: 1)

  /// Of a subscription that renewed in between each answer has another period.
  @Test(arguments: [(10.0, 40.0, 0), (29.5, 29.9, 0), (35, 40, 1)])
  func aRenewalSinceTheAnswerIsNoConflict(_ asked: Double, _ signed: Double, _ conflicts: Int) async throws {
    let statuses = Answers.status(1, of: Self.second, signed: signed)
    let result = try await Archives.compare([Answers.answer([Self.first], asked: asked)], [statuses])
    #expect(result.pairs.conflicting == conflicts)
  }

  /// Dates at the ends of what a number can hold.
  @Test(arguments: [Int64.min, .max], ["expiresDate", "purchaseDate", "signedDate", "revocationDate"])
  func aDateFarAwayIsCompared(_ date: Int64, _ name: String) async throws {
    var bought = Purchase(id: 1, day: 0, end: 5, refund: name == "revocationDate" ? 4 : nil)
    (bought.isUpgraded, bought.original) = (true, 1)
    for status in [Answers.status(3, of: bought, signed: 8), Answers.status(3, of: Self.second, signed: 8)] {
      let text = status.replacing(try Regex("\"\(name)\":-?[0-9]+"), with: "\"\(name)\":\(date)")
      let result = try await Archives.compare([Answers.answer([Self.first], asked: 10)], [text])
      #expect(result.pairs.matched + result.pairs.conflicting + result.pairs.legacyWithoutServer == 1)
    }
  }

  /// What has no date may change while the subscription runs, and not within minutes.
  @Test(arguments: [(10.0, 10.01, 1), (10, 12, 0), (12, 10, 0), (40, 45, 1)])
  func autoRenewMayChangeBetweenTwoAnswers(_ asked: Double, _ signed: Double, _ conflicts: Int) async throws {
    let statuses = Answers.status(asked > 30 ? 2 : 1, of: Self.first, signed: signed, renews: false)
    let result = try await Archives.compare([Answers.answer([Self.first], asked: asked, renews: true)], [statuses])
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
    let legacy = [Answers.answer([Self.first], asked: 10), Answers.answer([other], asked: 50)]
    let histories = isListedTogether ? [[Self.first, bought]] : [[Self.first], [bought]]
    let server = (histories + [[other]]).map { Answers.history($0, signed: 60) }
    let result = try await Archives.compare(legacy, server)
    #expect(result.pairs.matched == 2 && result.pairs.serverWithoutLegacy == 1)
    #expect(result.coverage.server.inside.missing == missing)
  }

  /// The renewal came after the last answer about the customer, and nobody else's answer changes that.
  @Test func accessIsJudgedWhenBothArchivesKnewTheCustomer() async throws {
    let other = Purchase(id: 7, day: 0, end: 300)
    let legacy = [Answers.answer([Self.first], asked: 10), Answers.answer([other], asked: 50)]
    let server = [[Self.first, Self.second], [other]].map { Answers.history($0, signed: 60) }
    let result = try await Archives.compare(legacy, server)
    #expect(result.access?.same == 2 && result.access?.subscriptions == 2)
  }

  /// V2 drops the date of a grace period that is over.
  @Test(arguments: [(50.0, 1, 0), (33.0, 0, 1)])
  func aGracePeriodThatWasOverWhenV2WasAskedIsNoLoss(_ signed: Double, _ unknown: Int, _ lost: Int) async throws {
    let grace = """
      "pending_renewal_info":[{"product_id":"com.example.slipcast.p","auto_renew_product_id":"com.example.slipcast.p",\
      "original_transaction_id":"1","auto_renew_status":"1","expiration_intent":"2","is_in_billing_retry_period":"1",\
      "grace_period_expires_date_ms":"\(AccessDay.time(40))"}],"latest_receipt_info"
      """
    let answer = Answers.answer([Self.first], asked: 32).replacing("\"latest_receipt_info\"", with: grace)
    let result = try await Archives.compare([answer], [Answers.status(2, of: Self.first, signed: signed)])
    #expect(result.access?.unknown == unknown && result.access?.lockedOut == lost)
  }

  /// V1 drops it too, and may have been asked later.
  @Test(arguments: [(50.0, 1, 0), (35.0, 0, 1)])
  func aGracePeriodThatWasOverWhenV1WasAskedIsNoGain(_ asked: Double, _ unknown: Int, _ gained: Int) async throws {
    let grace = "\"autoRenewStatus\":1,\"gracePeriodExpiresDate\":\(AccessDay.time(40)),\"isInBillingRetryPeriod\":true"
    let status = Answers.status(4, of: Self.first, signed: 32, renews: true)
      .replacing("\"autoRenewStatus\":1", with: grace)
    let result = try await Archives.compare([Answers.answer([Self.first], asked: asked, renews: true)], [status])
    #expect(result.access?.unknown == unknown && result.access?.servedForFree == gained)
  }

  /// V1 lists consumables until they are finished.
  @Test(arguments: [("Consumable", 0), ("Non-Consumable", 1)])
  func aFinishedConsumableIsNotMissingInV1(_ type: String, _ missing: Int) async throws {
    let coins = Purchase(id: 9, day: 1, type: type)
    let result = try await Archives.compare(
      [Answers.answer([Self.first], asked: 10)], [Answers.history([Self.first, coins], signed: 10)])
    #expect(result.pairs.serverOnlyEvents == 1 - missing && result.pairs.serverWithoutLegacy == missing)
  }
}
