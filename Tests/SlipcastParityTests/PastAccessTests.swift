import SlipcastComparison
import SlipcastMapping
import SlipcastParity
import Testing

/// Access at a time that is earlier than the last records of a customer.
///
/// Source: contracts §5, "Access is evaluated at --as-of"; `v1Until`/`v2Until`: when access ends or ended.
@Suite struct PastAccessTests {
  private static let day: Int64 = 86_400_000
  private static let start: Int64 = 1_717_243_200_000

  /// A V2 notification; days are counted from the start of the first period.
  private struct Event {
    var type: String
    var signed: Int64
    var period: (from: Int64, to: Int64)
    var status = 1
    var revoked: Int64?
    var grace: Int64?
    var isRetry = false

    private static func time(_ day: Int64) -> Int64 { PastAccessTests.start + day * PastAccessTests.day }

    var line: String {
      let time = Self.time
      let revocation = revoked.map { ",\"revocationDate\":\(time($0)),\"revocationReason\":0" } ?? ""
      let grace = grace.map { ",\"gracePeriodExpiresDate\":\(time($0))" } ?? ""
      let retry = isRetry ? ",\"isInBillingRetryPeriod\":true,\"expirationIntent\":2" : ""
      return """
        {"notificationType":"\(type)","notificationUUID":"7bbf224e-7d95-40a7-88a0-a8b7\(10_000_000 + signed)",\
        "version":"2.0","signedDate":\(time(signed)),"data":{"bundleId":"com.example.slipcast",\
        "environment":"Production","status":\(status),"transactionInfo":{"transactionId":"\(730_000 + period.from)",\
        "originalTransactionId":"730000","webOrderLineItemId":"\(880_000 + period.from)",\
        "productId":"com.example.slipcast.monthly","purchaseDate":\(time(period.from)),\
        "originalPurchaseDate":\(PastAccessTests.start),"expiresDate":\(time(period.to)),"quantity":1,\
        "type":"Auto-Renewable Subscription","inAppOwnershipType":"PURCHASED","environment":"Production",\
        "signedDate":\(time(signed))\(revocation)},"renewalInfo":{"originalTransactionId":"730000",\
        "autoRenewProductId":"com.example.slipcast.monthly","productId":"com.example.slipcast.monthly",\
        "autoRenewStatus":1,"environment":"Production","renewalDate":\(time(period.to)),\
        "signedDate":\(time(signed))\(grace)\(retry)}}}
        """
    }
  }

  private static let bought = Event(type: "SUBSCRIBED", signed: 0, period: (0, 30))
  private static let refunded = Event(type: "REFUND", signed: 9, period: (0, 30), status: 5, revoked: 9)
  private static let undatedRefund = Event(type: "REFUND", signed: 9, period: (0, 30), status: 5)
  private static let boughtAgain = Event(type: "SUBSCRIBED", signed: 70, period: (70, 100))
  private static let failed = Event(
    type: "DID_FAIL_TO_RENEW", signed: 30, period: (0, 30), status: 4, grace: 46, isRetry: true)
  private static let lapsed = Event(type: "EXPIRED", signed: 90, period: (0, 30), status: 2, isRetry: true)

  private func compare(_ legacy: [Event], _ server: [Event], at day: Int64) async throws -> ParityResult {
    var archives = Archives()
    (archives.legacy, archives.server) = (legacy.map(\.line), server.map(\.line))
    return try await archives.compare(asOf: Self.start + day * Self.day)
  }

  private func outcome(_ legacy: [Event], _ server: [Event], at day: Int64) async throws -> AccessChange.Outcome? {
    let result = try await compare(legacy, server, at: day)
    let access = try #require(result.access)
    #expect(access.subscriptions == 1)
    return access.same == 1 ? .same : result.accessSamples.shown.first?.outcome
  }

  @Test func aLaterRevocationEndsAccessLater() async throws {
    let result = try await compare([Self.bought], [Self.bought, Self.refunded], at: 5)
    let sample = try #require(result.accessSamples.shown.first)
    #expect(sample.outcome == .endsEarlier && result.access?.lockedOut == 0)
    #expect((sample.change.legacy.access, sample.change.server.access) == (.yes, .yes))
    #expect(sample.change.legacy.until == Self.start + 30 * Self.day)
    #expect(sample.change.server.until == Self.start + 9 * Self.day)
    #expect(try await outcome([Self.bought, Self.refunded], [Self.bought], at: 5) == .endsLater)
    #expect(try await outcome([Self.bought], [Self.bought, Self.refunded], at: 10) == .lockedOut)
  }

  @Test func aRevocationWithoutADateIsNotGuessedBeforeItsRecord() async throws {
    #expect(try await outcome([Self.bought], [Self.undatedRefund], at: 5) == .unknown)
    #expect(try await outcome([Self.bought], [Self.undatedRefund], at: 10) == .lockedOut)
  }

  /// A period that begins later gives no access at the time.
  @Test(arguments: [true, false])
  func aLaterPurchaseChangesNothing(_ isLegacy: Bool) async throws {
    let (short, long) = ([Self.bought], [Self.bought, Self.boughtAgain])
    #expect(try await outcome(isLegacy ? long : short, isLegacy ? short : long, at: 44) == .same)
    #expect(try await outcome(short, long, at: 75) == .servedForFree)
    // What ran before the purchase is not in the archive.
    #expect(try await outcome(short, [Self.boughtAgain], at: 44) == .unknown)
  }

  @Test func beforeItsFirstPurchaseACustomerHasNoAccess() async throws {
    let result = try await compare([Self.bought], [Self.bought], at: -20)
    #expect(result.access?.same == 1 && result.entitlement.denied == 1 && result.entitlement.granted == 0)
  }

  /// A later record no longer names the grace period that ran at the time.
  @Test func theGracePeriodOfTheTimeCounts() async throws {
    #expect(try await outcome([Self.bought, Self.failed], [Self.bought, Self.failed, Self.lapsed], at: 37) == .same)
    #expect(try await outcome([Self.bought, Self.failed], [Self.lapsed], at: 37) == .unknown)
    #expect(try await outcome([Self.bought, Self.failed, Self.lapsed], [Self.lapsed], at: 95) == .same)
  }
}
