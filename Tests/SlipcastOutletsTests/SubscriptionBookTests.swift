import Testing

@testable import SlipcastOutlets
@testable import SlipcastReceipts

/// What many records say about one subscription, in any order.
@Suite struct SubscriptionBookTests {
  private static func part(
    _ kind: V2Part.Kind, _ texts: [String: String], _ numbers: [String: Int64]
  ) -> V2Part {
    let values = texts.mapValues(V2Value.text).merging(numbers.mapValues(V2Value.integer)) { $1 }
    var part = V2Part(kind: kind, values: values, origin: "")
    (part.environment, part.signedDate) = (texts["environment"], numbers["signedDate"])
    return part
  }

  private static func purchase(
    _ id: String, of original: String, _ numbers: [String: Int64], _ more: [String: String] = [:]
  ) -> Purchase {
    let texts = ["transactionId": id, "originalTransactionId": original, "environment": "Production"]
    return Purchase(part(.transaction, texts.merging(more) { $1 }, numbers))
  }

  private static func found(_ purchases: [Purchase]) -> FoundObjects {
    var found = FoundObjects()
    found.purchases = purchases
    return found
  }

  private static func book(_ purchases: [Purchase]) throws -> SubscriptionBook {
    let book = try SubscriptionBook(keepsReceipts: false)
    for purchase in purchases { try book.add(.init(objects: found([purchase]))) }
    return book
  }

  private static let first = purchase(
    "1", of: "1", ["purchaseDate": 100, "expiresDate": 200, "signedDate": 150], ["productId": "a"])
  private static let second = purchase("2", of: "1", ["purchaseDate": 200, "expiresDate": 300, "signedDate": 250])
  private static let refunded = purchase(
    "2", of: "1", ["purchaseDate": 200, "expiresDate": 300, "signedDate": 290, "revocationDate": 280])

  @Test func theNewestReadingOfTheNewestPeriodCountsInAnyOrder() throws {
    for purchases in [[first, second, refunded], [refunded, second, first], [second, refunded, first]] {
      let one = try #require(try Self.book(purchases).subscriptions.first)
      #expect(one.newest.transactionId == "2" && one.newest.end == 280 && one.firstPurchaseDate == 100)
    }
  }

  private var first: Purchase { Self.first }
  private var second: Purchase { Self.second }
  private var refunded: Purchase { Self.refunded }

  @Test func anUpgradedPeriodOfTheSameTimeIsNotTheNewest() throws {
    let upgraded = Self.purchase(
      "3", of: "1", ["purchaseDate": 200, "expiresDate": 300, "signedDate": 299, "isUpgraded": 1])
    for purchases in [[second, upgraded], [upgraded, second]] {
      #expect(try Self.book(purchases).subscriptions.first?.newest.transactionId == "2")
    }
  }

  @Test func otherPurchasesAreNoSubscriptions() throws {
    let once = Self.purchase("9", of: "9", ["purchaseDate": 1], ["type": "Consumable"])
    let book = try Self.book([once, once, first])
    #expect(book.subscriptions.count == 1 && book.purchases.count == 1)
  }

  @Test func theSameIdInTheSandboxIsAnotherSubscription() throws {
    let other = Self.purchase("1", of: "1", ["purchaseDate": 100, "expiresDate": 200], ["environment": "Sandbox"])
    #expect(try Self.book([first, other, second]).subscriptions.map(\.environment) == ["Production", "Sandbox"])
  }

  @Test(
    arguments: [
      (1, nil, nil, "active"), (2, nil, nil, "expired"), (3, nil, nil, "billingRetry"), (4, nil, nil, "grace"),
      (5, nil, nil, "revoked"),
      (nil, nil, nil, "unknown"), (nil, 400, nil, "grace"), (nil, nil, 1, "expired"),
    ] as [(Int64?, Int64?, Int64?, String)])
  func statesFollowFromWhatRecordsState(_ status: Int64?, _ grace: Int64?, _ intent: Int64?, _ state: String) throws {
    let book = try SubscriptionBook(keepsReceipts: false)
    var found = Self.found([
      Self.purchase("1", of: "1", ["purchaseDate": 100, "expiresDate": 200, "signedDate": 250])
    ])
    if let status { found.statuses = [StatusState(originalTransactionId: "1", status: status, asOf: 250)] }
    var numbers: [String: Int64] = ["signedDate": 250]
    numbers["gracePeriodExpiresDate"] = grace
    numbers["expirationIntent"] = intent
    found.renewals = [RenewalState(Self.part(.renewal, ["originalTransactionId": "1"], numbers))]
    try book.add(.init(objects: found))
    #expect(book.subscriptions.first?.state.rawValue == state)
  }

  @Test func aStatusOfAnEarlierPeriodDoesNotCount() throws {
    let book = try SubscriptionBook(keepsReceipts: false)
    var found = Self.found([first, second])
    found.statuses = [StatusState(originalTransactionId: "1", status: 2, asOf: 150)]
    try book.add(.init(objects: found))
    #expect(book.subscriptions.first?.state == .active)
  }

  /// Two records of one time: nothing says which is newer, and the order of files must not.
  @Test func recordsOfOneTimeCountInAnyOrder() throws {
    let id = ["originalTransactionId": "1"]
    let numbers: [[String: Int64]] = [["autoRenewStatus": 1], ["autoRenewStatus": 0], ["autoRenewStatus": 1]]
    let renewals = numbers.map { RenewalState(Self.part(.renewal, id, $0.merging(["signedDate": 150]) { $1 })) }
    let statuses = [1, 5, 3].map { StatusState(originalTransactionId: "1", status: $0, asOf: 150) }
    let refunded = Self.purchase(
      "1", of: "1", ["purchaseDate": 100, "expiresDate": 200, "signedDate": 150, "revocationDate": 140])
    var words: Set<String> = []
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1]] {
      let book = try SubscriptionBook(keepsReceipts: false)
      for place in order {
        var found = Self.found([[first, refunded, first][place]])
        (found.renewals, found.statuses) = ([renewals[place]], [statuses[place]])
        try book.add(.init(objects: found))
      }
      let one = try #require(book.subscriptions.first)
      words.insert("\(one.renewalWord ?? "") \(one.status?.status ?? 0) \(one.newest.end ?? 0)")
    }
    #expect(words == ["off 5 140"])
  }

  /// A value that does not change is taken from an older record.
  @Test func thePurchaseDateOfAnOlderReadingCounts() throws {
    let bare = Self.purchase("1", of: "1", ["expiresDate": 200, "signedDate": 190])
    for purchases in [[first, bare], [bare, first]] {
      #expect(try Self.book(purchases).subscriptions.first?.newest.purchaseDate == 100)
    }
  }

  @Test func twoUsersOfOneIdAreRefused() throws {
    var users = ExportUsers()
    try users.add(("1", nil, "a"), 1)
    try users.add(("1", nil, "a"), 2)
    #expect(throws: ExportUsers.Fault.self) { try users.add(("1", nil, "b"), 3) }
    #expect(throws: ExportUsers.Fault.self) { try users.add((nil, "x", "b"), 4) }
    #expect(users.user(originalTransactionId: "1", token: "t") == "a")
    #expect(users.user(originalTransactionId: "2", token: "t") == "t")
    #expect(users.user(originalTransactionId: "2", token: nil) == nil && users.unusedCount == 0)
  }
}
