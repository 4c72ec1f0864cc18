import SlipcastLegacy
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

/// V1 values without a V2 field of their own: what V2 cannot hold, what it holds already, and what others report.
@Suite struct UnmappedValueTests {
  private static let row = """
    "quantity":"1","product_id":"p","transaction_id":"11","original_transaction_id":"10",\
    "web_order_line_item_id":"77","purchase_date":"2025-03-08 10:00:00 Etc/GMT","purchase_date_ms":"1741428000000",\
    "purchase_date_pst":"2025-03-08 02:00:00 America/Los_Angeles","expires_date_ms":"1744106400000",\
    "is_trial_period":"false","is_in_intro_offer_period":"false"
    """

  /// A message with a current period, an older one, the renewal of its subscription and that of another one.
  private static func body(top: String = "", row: String = row, renewal: String = "") -> String {
    """
    {"notification_type":"DID_RENEW","environment":"PROD","auto_renew_status":"true","auto_renew_product_id":"p",\
    "bid":"b","original_transaction_id":10\(top),"unified_receipt":{"environment":"Production","status":0,\
    "latest_receipt":"x","latest_receipt_info":[{\(row)},\
    {"product_id":"p","transaction_id":"10","original_transaction_id":"10","web_order_line_item_id":"76",\
    "purchase_date_ms":"1738749600000","expires_date_ms":"1741428000000"}],\
    "pending_renewal_info":[{"auto_renew_status":"1","auto_renew_product_id":"p","product_id":"p",\
    "original_transaction_id":"10"\(renewal)},{"auto_renew_status":"1","auto_renew_product_id":"q",\
    "product_id":"q","original_transaction_id":"20"}]}}
    """
  }

  private func account(_ body: String, _ emission: Emission = .auto) throws -> Account {
    try Shared.converter.convert(Array(body.utf8), into: emission).account
  }

  private static let list = "unified_receipt.latest_receipt_info[0]."

  @Test(arguments: [
    (list + "purchase_date", "data.transactionInfo.purchaseDate"),
    (list + "purchase_date_pst", "data.transactionInfo.purchaseDate"),
    (list + "is_trial_period", "data.transactionInfo.offerType"),
    (list + "is_in_intro_offer_period", "data.transactionInfo.offerType"),
    ("auto_renew_status", "data.renewalInfo.autoRenewStatus"),
    ("auto_renew_product_id", "data.renewalInfo.autoRenewProductId"),
    ("original_transaction_id", "data.transactionInfo.originalTransactionId"),
    ("unified_receipt.environment", "data.environment"),
  ])
  func aSecondSpellingNamesTheFieldThatHoldsIt(_ path: String, _ field: String) throws {
    let account = try account(Self.body())
    #expect(account.repeated.first { $0.v1Path == path }?.heldBy == field)
    #expect(!account.lost.contains { $0.v1Path == path })
  }

  @Test func onlyWhatV2CannotHoldIsLost() throws {
    let lost = try account(Self.body()).lost.map(\.v1Path)
    #expect(lost == ["unified_receipt.status", "unified_receipt.latest_receipt"])
  }

  @Test func olderPeriodsAndOtherSubscriptionsAreOneEntryEach() throws {
    let elsewhere = try account(Self.body()).elsewhere.map(\.v1Path)
    #expect(elsewhere == ["unified_receipt.latest_receipt_info[1]", "unified_receipt.pending_renewal_info[1]"])
  }

  @Test func aHistoryNamesTheRenewalsOnceEach() throws {
    let account = try account(Self.body(), .history)
    let renewals = account.elsewhere.map(\.v1Path).filter { $0.contains("pending_renewal_info") }
    #expect(renewals == ["unified_receipt.pending_renewal_info[0]", "unified_receipt.pending_renewal_info[1]"])
    let holder = account.repeated.first { $0.v1Path == Self.list + "purchase_date" }?.heldBy
    #expect(holder == "transactions[1].purchaseDate")
  }

  /// Two values that contradict each other are not two spellings of one value.
  @Test(arguments: [
    (#","expiration_intent":"3""#, #","expiration_intent":"1""#, "expiration_intent"),
    (#","auto_renew_status":"false""#, "", "auto_renew_status"),
  ])
  func aContradictionIsLost(_ top: String, _ renewal: String, _ path: String) throws {
    let text = Self.body(top: top, renewal: renewal).replacing(#""auto_renew_status":"true","#, with: "")
    let account = try account(text)
    #expect(account.lost.contains { $0.v1Path == path })
    #expect(!account.repeated.contains { $0.v1Path == path })
  }

  @Test func aTextDateOfAnotherInstantIsLost() throws {
    let row = Self.row.replacing("2025-03-08 10:00:00 Etc/GMT", with: "2025-03-09 10:00:00 Etc/GMT")
    let account = try account(Self.body(row: row))
    #expect(account.lost.contains { $0.v1Path == Self.list + "purchase_date" })
    #expect(account.repeated.contains { $0.v1Path == Self.list + "purchase_date_pst" })
  }

  @Test func theCancellationDateOfAnUpgradeIsLost() throws {
    let row = Self.row + #","is_upgraded":"true","cancellation_date_ms":"1741428000000""#
    let paths = try account(Self.body(row: row), .history).lost.map(\.v1Path)
    #expect(paths.contains(Self.list + "cancellation_date_ms"))
  }

  @Test(arguments: ["\"\"", "null"])
  func anEmptyValueIsAnAbsentOne(_ value: String) throws {
    let account = try account(Self.body(row: Self.row + #","app_account_token":"# + value))
    let path = Self.list + "app_account_token"
    #expect(account.repeated.first { $0.v1Path == path }?.heldBy == "data.transactionInfo.appAccountToken")
    #expect(!account.lost.contains { $0.v1Path == path || $0.isUnreadable })
  }

  @Test(arguments: [
    (#","app_account_token":"user-42""#, "app_account_token", "a UUID"),
    (#","promotional_offer_id":{"a":1}"#, "promotional_offer_id", "a string"),
    (#","cancellation_reason":"x""#, "cancellation_reason", "a whole number"),
  ])
  func anUnreadableValueIsLostWithTheKindThatWasExpected(_ member: String, _ key: String, _ kind: String) throws {
    let account = try account(Self.body(row: Self.row + member))
    let value = try #require(account.lost.first { $0.v1Path == Self.list + key })
    #expect(value.isUnreadable)
    #expect(value.reason.contains("cannot be read") && value.reason.contains(kind), "\(value.reason)")
  }

  @Test(arguments: ["true", "{}", "-1", "77.5"])
  func anIdentifierThatCannotBeReadIsNoneOfV2(_ value: String) throws {
    let row = Self.row.replacing(#""web_order_line_item_id":"77""#, with: #""web_order_line_item_id":"# + value)
    let account = try account(Self.body(row: row))
    let path = Self.list + "web_order_line_item_id"
    #expect(account.lost.first { $0.v1Path == path }?.isUnreadable == true)
    let absence = try #require(account.absent.first { $0.v2Path == "data.transactionInfo.webOrderLineItemId" })
    #expect(absence.reason == .undetermined)
  }

  @Test(arguments: [#""0""#, "0", "0.0"])
  func theLineItemZeroIsAnAbsentOne(_ value: String) throws {
    let row = Self.row.replacing(#""web_order_line_item_id":"77""#, with: #""web_order_line_item_id":"# + value)
    let account = try account(Self.body(row: row))
    let path = Self.list + "web_order_line_item_id"
    #expect(account.repeated.first { $0.v1Path == path }?.heldBy == "data.transactionInfo.webOrderLineItemId")
    #expect(!account.lost.contains { $0.v1Path == path || $0.isUnreadable })
  }

  @Test(arguments: ["\"2147483648\"", "\"-1\"", "-5"])
  func aNumberThatIsNotUsedHasAFinding(_ value: String) throws {
    let row = Self.row.replacing(#""quantity":"1""#, with: #""quantity":"# + value)
    let result = try Shared.converter.convert(Array(Self.body(row: row).utf8))
    #expect(result.notification?.data?.transactionInfo?.quantity == nil)
    #expect(result.findings.contains { $0.code == "unreadableNumber" && $0.path.description == Self.list + "quantity" })
    #expect(result.account.lost.first { $0.v1Path == Self.list + "quantity" }?.isUnreadable == true)
  }

  @Test func theLargestNumberOf32BitsIsUsed() throws {
    let row = Self.row.replacing(#""quantity":"1""#, with: #""quantity":"2147483647""#)
    let result = try Shared.converter.convert(Array(Self.body(row: row).utf8))
    #expect(result.notification?.data?.transactionInfo?.quantity == 2_147_483_647)
    #expect(!result.findings.contains { $0.code == "unreadableNumber" })
  }

  @Test func aDateThatMayBeAnHourOffIsInferredInTheAccount() throws {
    let row = Self.row.replacing(
      #""expires_date_ms":"1744106400000""#, with: #""expires_date_pst":"2025-11-02 01:00:00 America/Los_Angeles""#)
    let account = try account(Self.body(row: row))
    let field = try #require(account.fields.first { $0.v2Path == "data.transactionInfo.expiresDate" })
    #expect(field.confidence == .inferred)
    #expect(account.fields.first { $0.v2Path == "data.transactionInfo.purchaseDate" }?.confidence == .documented)
  }
}
