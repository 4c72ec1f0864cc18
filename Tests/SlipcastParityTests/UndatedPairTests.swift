import SlipcastComparison
import SlipcastParity
import SlipcastTestSupport
import Testing

/// Events that are paired although one side does not state their time or their purchase as the other one does.
@Suite struct UndatedPairTests {
  /// Apple repeats a V1 message 6, 24 and 48 hours after the attempt before; the message itself states no time.
  ///
  /// Source: facts comparison §2, pairs by period and type alone; mapping D.
  @Test(arguments: [[0], [90], [360], [4680], [360, 0], [0, 360], [1800, 360, 0]])
  func aMessageWithoutADateIsPairedHoweverLateItCame(_ minutes: [Int]) async throws {
    var archives = Archives()
    try archives.add(pair: "downgrade-chosen")
    let body = archives.legacy.removeLast()
    let time = 1_709_719_202_000
    for late in minutes { archives.legacy.append("{\"at\":\(time + late * 60_000),\"body\":\(body)}") }
    let result = try await archives.compare(receivedAt: "/at")
    #expect(result.pairs.matched == 1 && result.pairs.duplicates.legacy == minutes.count - 1)
    #expect(result.pairs.legacyWithoutServer == 0 && result.pairs.serverWithoutLegacy == 0)
  }

  /// The companion lists the purchase of V2's event and names the period that it ended.
  ///
  /// Source: facts comparison §1.7.
  @Test func theCompanionOfAnUpgradeIsNoConflictByItself() async throws {
    var archives = Archives()
    try archives.add(pair: "upgrade-cancel-companion-of-new-purchase")
    let result = try await archives.compare()
    #expect(result.pairs.matched == 1 && result.pairs.conflicting == 0)
  }

  /// Source: facts mapping §1, 2024-04-11: V1 asks about consumables only.
  @Test(arguments: [(true, 1, 0), (false, 0, 1)])
  func aRequestAboutASubscriptionIsOneThatV1NeverSends(
    _ isSubscription: Bool, _ serverOnly: Int, _ missing: Int
  ) async throws {
    var archives = Archives()
    try archives.add(pair: "downgrade-chosen")
    let expiry = isSubscription ? "\"expiresDate\":1746867600000," : ""
    archives.server.append(
      """
      {"notificationType":"CONSUMPTION_REQUEST","notificationUUID":"6f1e7a52-0f0b-4c3a-9d1c-2f8f5a1b7c33",\
      "version":"2.0","signedDate":1741170900000,"data":{"bundleId":"com.example.slipcast",\
      "environment":"Production","transactionInfo":{"transactionId":"730001300999001",\
      "originalTransactionId":"730001300999001","productId":"com.example.slipcast.coins",\(expiry)\
      "purchaseDate":1741168800000,"signedDate":1741170900000,"environment":"Production"}}}
      """)
    let result = try await archives.compare()
    #expect(result.pairs.serverOnlyEvents == serverOnly && result.pairs.serverWithoutLegacy == missing)
  }

  /// Time runs faster in the Sandbox: what is another report of a message in production is another event there.
  ///
  /// Source: `decision.window.action`, its values in production and in the Sandbox.
  @Test(arguments: [(false, 600, 1), (false, 601, 0), (true, 120, 1), (true, 121, 0)])
  func anotherReportOfAMessageIsAsNearAsItsEnvironmentAllows(
    _ isSandbox: Bool, _ seconds: Int, _ compared: Int
  ) async throws {
    var archives = Archives()
    try archives.add(pair: "type-wrong-subtype")
    let signed = 1_715_791_210_000 + seconds * 1000
    archives.server[0] = archives.server[0].replacing(/17157912116\d\d|17157912117\d\d/, with: "\(signed)")
    if isSandbox {
      archives.legacy[0] = archives.legacy[0].replacing("\"PROD\"", with: "\"Sandbox\"")
      for side in [\Archives.legacy, \.server] {
        archives[keyPath: side][0] = archives[keyPath: side][0].replacing("\"Production\"", with: "\"Sandbox\"")
      }
    }
    #expect(try await archives.compare().pairs.compared == compared)
  }
}
