import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

/// What once went wrong, or could.
@Suite struct EdgeTests {
  private func compare(_ legacy: String, _ server: String) throws -> Comparison {
    try Shared.comparer.compare(legacy: Array(legacy.utf8), server: Array(server.utf8))
  }

  private static func row(_ lineItem: Int, _ id: Int, _ date: Int) -> String {
    """
    {"product_id":"p","transaction_id":"\(id)","original_transaction_id":"1","web_order_line_item_id":"\(lineItem)",\
    "purchase_date_ms":"\(date)","original_purchase_date_ms":"\(date)","expires_date_ms":"\(date + 1000)"}
    """
  }

  private static func receipt(_ rows: [String]) -> String {
    #"{"status":0,"environment":"Production","latest_receipt_info":["# + rows.joined(separator: ",") + "]}"
  }

  private static func transaction(_ lineItem: Int, _ id: Int, _ date: Int) -> String {
    """
    {"originalTransactionId":"1","transactionId":"\(id)","webOrderLineItemId":"\(lineItem)","productId":"p",\
    "purchaseDate":\(date),"originalPurchaseDate":\(date),"expiresDate":\(date + 1000),\
    "type":"Auto-Renewable Subscription","inAppOwnershipType":"PURCHASED","environment":"Production"}
    """
  }

  @Test func theRowOfTheSameIdIsTakenBeforeAnotherOfTheSameLineItem() throws {
    let legacy = Self.receipt([Self.row(9, 10, 1_600_000_000_000), Self.row(9, 11, 1_600_000_500_000)])
    let comparison = try compare(legacy, #"{"transactions":["# + Self.transaction(9, 11, 1_600_000_500_000) + "]}")
    for name in ["transactionId", "purchaseDate", "expiresDate"] {
      let field = comparison.fields.first { $0.v2Path == "transactions[0].\(name)" }
      #expect(field?.differenceClass == .representation, "\(name)")
    }
    let repeated = try #require(comparison.fields.first { $0.v1Path == "latest_receipt_info[0]" })
    #expect(repeated.differenceClass == .legacyOnly)
    #expect(repeated.rule == "compare.repeated")
    #expect(repeated.v1 == .several)
  }

  @Test(arguments: [Int64.min, .min + 1, -1, 0, .max])
  func everyDateCanBeReported(_ date: Int64) throws {
    let legacy = Self.receipt([Self.row(1, 1, 1_600_000_000_000)])
    let server = #"{"transactions":[{"transactionId":"1","webOrderLineItemId":"1","expiresDate":\#(date)}]}"#
    let field = try compare(legacy, server).fields.first { $0.v2Path == "transactions[0].expiresDate" }
    #expect(field?.differenceClass == .conflict)
    #expect(field?.explanation.isEmpty == false)
  }

  @Test func unknownMembersAreComparedByValue() throws {
    let one = #"{"notificationType":"TEST","novel":{"a":[1, 2],"b":"x"},"data.bundleId":"a"}"#
    let two = #"{"notificationType":"TEST","novel":{ "b":"\u0078", "a":[1,2] },"data.bundleId":"a"}"#
    let comparison = try compare(one, two)
    #expect(comparison.verdict == .parity)
    #expect(comparison.counts[.identical] == 3)
    #expect(comparison.fields.map(\.path) == ["notificationType", "data.bundleId", "novel"])
    #expect(try compare(one, two.replacing("[1,2]", with: "[2,1]")).verdict == .conflict)
  }

  /// Apple adds members inside objects too; the rule of the object says nothing of them.
  @Test(arguments: [
    (#""commitmentInfo":{"novel":{"a":1}}"#, "commitmentInfo.novel"),
    (#""advancedCommerceInfo":{"items":[{"novel":"x"}]}"#, "advancedCommerceInfo.items[0].novel"),
    (#""multiSeatInfo":{"novel":1}"#, "multiSeatInfo.novel"),
  ])
  func anUnknownMemberOfAnObjectIsUnknown(_ member: String, _ path: String) throws {
    let server = #"{"notificationType":"TEST","data":{"transactionInfo":{\#(member)}}}"#
    let legacy = try Fixture.named("notifications/did-renew").bytes("v1.json")
    let comparison = try Shared.comparer.compare(legacy: legacy, server: Array(server.utf8))
    let field = comparison.fields.first { $0.path.hasPrefix("data.transactionInfo." + path.prefix { $0 != "." }) }
    #expect(
      field?.path == "data.transactionInfo." + path && field?.differenceClass == .unknown, "\(field?.path ?? "none")")
  }

  @Test(arguments: ["12", "-1.50", "true", #""x""#, #""{\u0041""#, #""[abc""#, #""""#])
  func anUnknownScalarIsShown(_ value: String) throws {
    let server = #"{"notificationType":"TEST","novel":\#(value)}"#
    let legacy = try Fixture.named("notifications/did-renew").bytes("v1.json")
    let field = try Shared.comparer.compare(legacy: legacy, server: Array(server.utf8)).fields.first {
      $0.path == "novel"
    }
    #expect(field?.differenceClass == .unknown)
    #expect(field?.v2 == .json(value.replacing(#"\u0041"#, with: "A")))
  }

  @Test(arguments: [
    #""raw_request":"{\"password\":\"TOPSECRET\"}""#, #""Password":"TOPSECRET""#, #""p":{"password":"TOPSECRET"}"#,
    #""password":"TOPSECRET""#, #""pass\u0077ord":"TOPSECRET""#, #""unified_receipt2":["password","TOPSECRET"]"#,
  ])
  func noSecretComesOutUnderAnyKey(_ member: String) throws {
    let body = #""original_transaction_id":"1","bid":"b","# + member
    let server = #"{"notificationType":"DID_RENEW",\#(member)}"#
    let comparison = try compare(#"{"notification_type":"DID_RENEW",\#(body)}"#, server)
    if !member.hasPrefix(#""Password"#) { #expect(!"\(comparison)".contains("TOPSECRET")) }
    #expect(!comparison.fields.contains { $0.v1?.json?.contains("TOPSECRET") ?? false })
  }

  /// A companion message contains the period it ended; V2's one event contains the period that the upgrade led to.
  @Test func aCompanionIsComparedWithThePurchaseThatV2Tells() throws {
    let companion = Fixture.named("notifications/cancel-upgraded-period")
    let legacy = String(decoding: try companion.bytes("v1.json"), as: UTF8.self)
    let history = try Shared.converter.convert(legacy, into: .history)
    let newest = try #require(history.history?.transactions?.last)
    let server = """
      {"notificationType":"DID_CHANGE_RENEWAL_PREF","subtype":"UPGRADE","data":{"transactionInfo":\(newest.json)}}
      """
    let comparison = try compare(legacy, server)
    let conflicts = comparison.fields.filter { $0.differenceClass == .conflict }.compactMap(\.v2Path)
    #expect(!conflicts.contains { $0.hasPrefix("data.transactionInfo.") }, "\(conflicts)")
    #expect(comparison.fields.contains { $0.explanation.hasPrefix("The companion's own transaction") })
  }

  @Test func aMessageThatAsksForConsentIsNotSilentAboutIt() throws {
    let legacy = try Fixture.named("notifications/price-increase-consent-absent").bytes("v1.json")
    let server =
      #"{"notificationType":"PRICE_INCREASE","subtype":"PENDING","data":{"renewalInfo":{"priceIncreaseStatus":0}}}"#
    let comparison = try Shared.comparer.compare(legacy: legacy, server: Array(server.utf8))
    let field = comparison.fields.first { $0.v2Path == "data.renewalInfo.priceIncreaseStatus" }
    #expect(field?.differenceClass == .serverOnly)
  }

  @Test func whatOnlyTheCastMadeUpIsNoFieldOfEitherSide() throws {
    let legacy = try Fixture.named("notifications/did-renew").bytes("v1.json")
    let comparison = try Shared.comparer.compare(
      legacy: legacy, server: Array(#"{"notificationType":"DID_RENEW"}"#.utf8))
    #expect(!comparison.fields.contains { $0.v2Path == "notificationUUID" || $0.v2Path == "signedDate" })
  }

  @Test func aSubscriptionThatV2LacksIsNamedByItsRows() throws {
    let legacy = try Fixture.named("pairs/statuses-active").bytes("v1.json")
    let comparison = try Shared.comparer.compare(
      legacy: legacy, server: Array(#"{"environment":"Production","bundleId":"com.example.slipcast","data":[]}"#.utf8))
    let conflicts = comparison.fields.filter { $0.differenceClass == .conflict && $0.v2Path == nil }
    #expect(conflicts.count == 1)
    #expect(conflicts.first?.v1Path?.hasPrefix("latest_receipt_info[") == true)
    let paths = comparison.fields.compactMap(\.v1Path)
    #expect(Set(paths).count == paths.count)
    #expect(paths.contains("pending_renewal_info[0]"))
  }

  @Test func anIdThatSlipcastMadeContradictsNoneOfApples() throws {
    let pair = Fixture.named("pairs/status-active")
    let converter = Shared.converter
    let cast = Array(try converter.convert(try pair.bytes("v1.json")).json.utf8)
    let server = try pair.bytes("v2.json")
    for (first, second) in [(cast, server), (server, cast)] {
      let field = try Shared.comparer.compare(legacy: first, server: second).fields.first {
        $0.v2Path == "notificationUUID"
      }
      #expect(field?.differenceClass == .serverOnly)
    }
  }

  @Test func theCastOfACompanionSaysThatItsTransactionWasNotCompared() throws {
    let body = try Fixture.named("notifications/cancel-upgraded-period").bytes("v1.json")
    let cast = try Shared.converter.convert(body).json
    let comparison = try compare(cast, #"{"notificationType":"DID_CHANGE_RENEWAL_PREF","subtype":"UPGRADE"}"#)
    #expect(comparison.notes.contains { $0.code == "companion" && $0.isWarning })
    #expect(!comparison.fields.contains { $0.v2Path?.hasPrefix("data.transactionInfo.") ?? false })
  }

  @Test func aPairOfTwoEventsIsNotedAsSuch() throws {
    let legacy = try Fixture.named("pairs/date-expires-off-1-day").bytes("v1.json")
    let server = try Fixture.named("pairs/price-increase-no-consent").bytes("v2.json")
    let comparison = try Shared.comparer.compare(legacy: legacy, server: server)
    #expect(comparison.notes.contains { $0.code == "otherEvent" && $0.isWarning })
  }

  @Test(arguments: [
    "type-candidate-recovery", "refund-status-companion", "refund-status-companion-auto-renew-disabled",
  ])
  func anAcceptedReadingIsSaidAtTheTop(_ name: String) throws {
    let comparison = try Shared.compare(Fixture.named("pairs/" + name))
    let note = try #require(comparison.notes.first { $0.code == "reading" })
    #expect(!note.isWarning && note.message.contains("V2"))
  }

  @Test func theOrderOfV2sListChangesNoPair() throws {
    let legacy = Self.receipt([
      Self.row(5, 100, 1_600_000_000_000),
      Self.row(5, 102, 1_600_000_900_000).replacing(#""web_order_line_item_id":"5","#, with: ""),
    ])
    let list = [Self.transaction(5, 900, 1_600_000_000_000), Self.transaction(5, 102, 1_600_000_900_000)]
    for order in [list, list.reversed()] {
      let fields = try compare(legacy, #"{"transactions":["# + order.joined(separator: ",") + "]}").fields
      #expect(fields.filter { $0.v2Path?.hasSuffix(".purchaseDate") ?? false }.count == 2)
      #expect(!fields.contains { $0.differenceClass == .conflict && $0.path.hasSuffix("Date") })
    }
  }

  @Test func theDateOfACancelledPeriodIsNotThatOfTheOthers() throws {
    let converter = Shared.converter
    let body = try Fixture.named("notifications/cancel-upgraded-period").bytes("v1.json")
    let dates = try converter.convert(body, into: .history).history?.transactions?.compactMap(\.revocationDate)
    #expect(dates == [])
  }

  @Test func theGroupOfAnUnpairedStatusHasItsRow() throws {
    let legacy = try Fixture.named("pairs/statuses-active").bytes("v1.json")
    let server = #"{"data":[{"subscriptionGroupIdentifier":"9","lastTransactions":[]}]}"#
    let comparison = try Shared.comparer.compare(legacy: legacy, server: Array(server.utf8))
    #expect(comparison.fields.contains { $0.v2Path == "data[0].subscriptionGroupIdentifier" })
  }

  @Test func timeGrowsWithTheNumberOfTransactionsAndNotWithItsSquare() throws {
    let growth = try growth(from: 50) { count in
      let legacy = Self.receipt((0..<count).map { Self.row($0 + 1, $0 + 1, 1_600_000_000_000 + $0 * 3_600_000) })
      let list = (0..<count).reversed().map { Self.transaction($0 + 1, $0 + 1, 1_600_000_000_000 + $0 * 3_600_000) }
      let server = #"{"transactions":["# + list.joined(separator: ",") + "]}"
      let paired = try compare(legacy, server).fields.count { $0.v2Path?.hasSuffix(".transactionId") ?? false }
      #expect(paired == count)
    }
    #expect(growth < 64, "the time of sixteen times the transactions")
  }
}
