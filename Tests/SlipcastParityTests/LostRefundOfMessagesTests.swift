import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport
import Testing

/// V1's messages against V2's histories and statuses: a message archive holds every refund of its time, and a message that
/// reports one says so whatever its list shows.
///
/// Source: contracts §8, missing refunds. Days are counted from the first purchase.
@Suite struct LostRefundOfMessagesTests {
  private static let first = Purchase(id: 1, day: 0, end: 30)
  private static let other = Purchase(id: 7, day: 0, end: 300)
  /// Messages about another customer, from before to after all that happens.
  private static let around = [0.0, 60].map { day in
    Answers.message("DID_CHANGE_RENEWAL_STATUS", about: other, listed: [other], changed: day)
  }

  private static func refunded(_ bought: Purchase, _ day: Double) -> Purchase {
    var refunded = bought
    refunded.refund = day
    return refunded
  }

  private static func missing(_ result: ParityResult) -> [[String]] {
    result.missing.kinds.filter(\.isRefund).map { [$0.side.rawValue, $0.type, "\($0.count)"] }
  }

  private static func bought(_ day: Double) -> String {
    Answers.message("INITIAL_BUY", about: first, listed: [first])
  }

  /// The message before the refund cannot show it; the CANCEL that does is lost.
  @Test(arguments: [10.0, 20], [false, true])
  func aRefundOfV2sThatNoMessageReportsIsMissing(_ day: Double, _ isOfStatuses: Bool) async throws {
    let refunded = Self.refunded(Self.first, day)
    let server =
      isOfStatuses
      ? [Answers.status(5, of: refunded, signed: 70)]
      : [refunded, Self.other].map { Answers.history([$0], signed: 70) }
    let result = try await Archives.compare(Self.around + [Self.bought(0)], server)
    #expect(Self.missing(result) == [["server", "REFUND", "1"]])
    let cancel = Answers.message("CANCEL", about: refunded, listed: [refunded])
    let whole = try await Archives.compare(Self.around + [Self.bought(0), cancel], server)
    #expect(Self.missing(whole).isEmpty)
  }

  /// After V1's last message nothing is known.
  @Test func aRefundAfterV1sLastMessageIsNotMissing() async throws {
    let server = [Self.refunded(Self.first, 65), Self.other].map { Answers.history([$0], signed: 70) }
    let result = try await Archives.compare(Self.around + [Self.bought(0)], server)
    #expect(Self.missing(result).isEmpty)
  }

  /// Apple does not date the cancellation of consumables in V1, and lists them only sometimes.
  @Test(arguments: [true, false], ["Consumable", "Non-Consumable"])
  func aRefundThatV1DoesNotDateCounts(_ isListed: Bool, _ type: String) async throws {
    let coins = Purchase(id: 9, day: 10, type: type)
    let refund = Answers.message("REFUND", about: coins, listed: isListed ? [coins] : [])
      .replacing(
        "\"notification_type\":\"REFUND\"", with: "\"notification_type\":\"REFUND\",\"original_transaction_id\":9"
      )
      .replacing("\"auto_renew_product_id\":\"com.example.slipcast.p\",", with: "")
    func history(_ coins: Purchase?) -> [String] {
      ([Self.other] + [coins].compactMap(\.self)).map { Answers.history([$0], signed: 70) }
    }
    let whole = try await Archives.compare(Self.around + [refund], history(Self.refunded(coins, 12)))
    #expect(Self.missing(whole).isEmpty && whole.pairs.conflicting == 0)
    #expect(whole.access.map { [$0.lockedOut, $0.servedForFree] } == [0, 0])
    for without in [history(coins), history(nil)] {
      let result = try await Archives.compare(Self.around + [refund], without)
      #expect(Self.missing(result) == [["legacy", "REFUND", "1"]])
    }
    // V1 reports the purchase by no message, but its refund.
    let unreported = try await Archives.compare(Self.around, history(coins))
    #expect(unreported.pairs.serverOnlyEvents == 1 && unreported.missing.kinds.isEmpty)
    let lost = try await Archives.compare(Self.around, history(Self.refunded(coins, 12)))
    #expect(Self.missing(lost) == [["server", "REFUND", "1"]])
  }

  /// A newer list without the refund takes nothing back.
  @Test func aCancelWithoutADateCountsBesideANewerList() async throws {
    let cancel = Answers.message("CANCEL", about: Self.first, listed: [Self.first])
    let later = Answers.message("DID_CHANGE_RENEWAL_STATUS", about: Self.first, listed: [Self.first], changed: 20)
    let plain = [Self.first, Self.other].map { Answers.history([$0], signed: 70) }
    let result = try await Archives.compare(Self.around + [cancel, later], plain)
    #expect(Self.missing(result) == [["legacy", "REFUND", "1"]])
  }

  /// A date that cannot be read is neither absent nor another one.
  @Test func aRefundWhoseDateCannotBeReadIsMissing() async throws {
    let answer = Answers.answer([Self.refunded(Self.first, 10)], asked: 20)
      .replacing("\"\(AccessDay.time(10))\"", with: "\"soon\"")
    let result = try await Archives.compare([answer], [Answers.history([Self.first], signed: 20)])
    #expect(Self.missing(result) == [["legacy", "REFUND", "1"]])
  }
}
