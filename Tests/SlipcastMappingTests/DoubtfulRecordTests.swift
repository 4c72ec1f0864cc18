import SlipcastMapping
import SlipcastV2
import SlipcastWire
import Testing

/// Members that contradict each other, and values that no document knows: reported, and never the proof of an event.
@Suite struct DoubtfulRecordTests {
  private static let purchase: Int64 = 1_646_128_800_000
  private static let expiry: Int64 = 1_648_807_200_000
  private static let day: Int64 = 86_400_000

  private static func row(
    _ id: String = "12", _ more: String = "", line: Int = 7, purchase: Int64 = purchase, expires: Int64 = expiry
  ) -> String {
    """
    {"product_id":"monthly","transaction_id":"\(id)","original_transaction_id":"11",\
    "web_order_line_item_id":"\(line)","purchase_date_ms":"\(purchase)","expires_date_ms":"\(expires)"\(more)}
    """
  }

  private static let earlier = row("11", line: 6, purchase: purchase - 31 * day, expires: purchase)

  private static func body(
    _ type: String, _ top: String = "", rows: [String] = [row(), earlier], renewal: String? = nil
  ) -> String {
    let entry = renewal.map { #"{"product_id":"monthly","original_transaction_id":"11"\#($0)}"# } ?? ""
    return """
      {"notification_type":"\(type)","environment":"PROD","bid":"app"\(top),"unified_receipt":{"latest_receipt_info":\
      [\(rows.joined(separator: ","))],"pending_renewal_info":[\(entry)]}}
      """
  }

  private func convert(_ body: String, receivedAt: Int64? = nil) throws -> Conversion {
    try Shared.converter.convert(body, receivedAt: receivedAt.map(Timestamp.init(milliseconds:)))
  }

  private func codes(_ conversion: Conversion) -> Set<String> { Set(conversion.findings.map(\.code)) }

  private func isInferred(_ path: String, _ conversion: Conversion) -> Bool {
    conversion.json.contains("\"\(path)\"")
  }

  // MARK: the body against the renewal entry

  static let change = #","auto_renew_status_change_date_ms":"1646560800000","auto_renew_status":"#
  static let next = #","auto_renew_product_id":"#

  @Test(arguments: [
    ("DID_CHANGE_RENEWAL_PREF", next + #""monthly""#, next + #""yearly""#, nil, "DOWNGRADE"),
    ("DID_CHANGE_RENEWAL_PREF", next + #""yearly""#, next + #""monthly""#, "DOWNGRADE", ""),
    (
      "DID_CHANGE_RENEWAL_STATUS", change + #""true""#, #","auto_renew_status":"0""#, "AUTO_RENEW_ENABLED",
      "AUTO_RENEW_DISABLED"
    ),
    (
      "DID_CHANGE_RENEWAL_STATUS", change + #""false""#, #","auto_renew_status":"1""#, "AUTO_RENEW_DISABLED",
      "AUTO_RENEW_ENABLED"
    ),
  ])
  func theEventIsThatOfTheBodyAndTheEntryAllowsTheOther(
    _ type: String, _ top: String, _ renewal: String, _ subtype: String?, _ other: String
  ) throws {
    let cast = try convert(Self.body(type, top, renewal: renewal))
    #expect(cast.notification?.subtype?.rawValue == subtype)
    #expect(cast.confidence == .inferred)
    let accepted = other.isEmpty ? "{\"notificationType\":\"\(type)\"}" : "\"subtype\":\"\(other)\""
    #expect(cast.json.contains(accepted))
    #expect(codes(cast).contains("conflictingChange") && !codes(cast).contains("conflictingValues"))
  }

  @Test func whatIsNotTheEventIsThatOfTheEntry() throws {
    let cast = try convert(
      Self.body("DID_RENEW", #","auto_renew_status":"false""#, renewal: #","auto_renew_status":"1""#))
    #expect(codes(cast) == ["conflictingValues"])
    #expect(cast.confidence == .documented)
  }

  @Test func theOtherOfTwoIntentsIsAllowed() throws {
    let top = Self.change.replacing("1646560800000", with: "1649000000000") + #""false","expiration_intent":4"#
    let cast = try convert(
      Self.body("DID_CHANGE_RENEWAL_STATUS", top, renewal: #","auto_renew_status":"0","expiration_intent":"3""#))
    #expect(cast.notification?.subtype?.rawValue == "PRICE_INCREASE")
    // Before 2022-11-07 an intent 4 had no subtype of its own.
    #expect(cast.json.contains(#"{"notificationType":"EXPIRED"}"#))
  }

  @Test func theBodyStandsInForAStatusThatCannotBeRead() throws {
    let cast = try convert(
      Self.body("DID_CHANGE_RENEWAL_STATUS", Self.change + #""false""#, renewal: #","auto_renew_status":"2""#))
    #expect(cast.notification?.data?.renewalInfo?.autoRenewStatus?.rawValue == 0)
    #expect(codes(cast) == ["unreadableFlag"])
  }

  // MARK: the price consent

  /// Outside of a request, "0" beside an increase that needs no consent may be a mere notice.
  ///
  /// Source: evidence §13, row 2.
  @Test(arguments: [("1", "0", 0, ["conflictingConsent"]), ("0", "1", 1, [])])
  func aConsentThatContradictsTheIncreaseIsReported(
    _ consent: String, _ increase: String, _ state: Int, _ found: [String]
  ) throws {
    let renewal = #","price_consent_status":"\#(consent)","price_increase_status":"\#(increase)""#
    let cast = try convert(Self.body("DID_RENEW", renewal: renewal))
    #expect(cast.json.contains(#""priceIncreaseStatus":\#(state),"#))
    #expect(codes(cast) == Set(found))
    #expect(!isInferred("data.renewalInfo.priceIncreaseStatus", cast))
    let off = try convert(Self.body("DID_CHANGE_RENEWAL_STATUS", Self.change + #""false""#, renewal: renewal))
    #expect(off.confidence == .inferred)
    let asked = try convert(Self.body("PRICE_INCREASE_CONSENT", renewal: renewal))
    #expect(asked.confidence == .inferred)
    #expect(codes(asked).contains("consentAlreadyGiven") == (state == 1))
  }

  @Test func equalStatesOfTheIncreaseAreNoContradiction() throws {
    let cast = try convert(
      Self.body("DID_RENEW", renewal: #","price_consent_status":"0","price_increase_status":"0""#))
    #expect(cast.findings.isEmpty)
    let unreadable = try convert(
      Self.body("DID_RENEW", renewal: #","price_consent_status":"0","price_increase_status":"2""#))
    #expect(isInferred("data.renewalInfo.priceIncreaseStatus", unreadable))
  }

  // MARK: what the transaction shows

  @Test(arguments: ["INITIAL_BUY", "CANCEL"])
  func theTypeOfTheMessageAloneMakesNoSubscription(_ type: String) throws {
    let coins = """
      {"product_id":"coins","transaction_id":"11","original_transaction_id":"11",\
      "purchase_date_ms":"\(Self.purchase)","cancellation_date_ms":"\(Self.purchase + 1000)"}
      """
    let record = Self.body(type, rows: [coins])
    let cast = try convert(record)
    #expect(cast.notification?.data?.transactionInfo?.type == nil)
    #expect(codes(cast).contains("subscriptionNotShown"))
    #expect(cast.confidence == .inferred)
    let options = ConversionOptions(products: ["coins": .consumable])
    let known = try LegacyConverter(prepared: Shared.prepared, options: options).convert(record)
    // What the catalogue names as a consumable is not what an event of subscriptions is about.
    #expect(known.notification?.data?.transactionInfo == nil)
    #expect(!codes(known).contains("catalogueDisagrees"))
  }

  @Test(arguments: [
    (row("11", #","in_app_ownership_type":"ASSIGNED""#), ""), (row("11", #","quantity":"0""#), ""),
    (row("11", #","cancellation_date_ms":"1646200000000","cancellation_reason":"2""#), ""),
    (row("11"), #","expiration_intent":"0""#), (row("11"), #","expiration_intent":"6""#),
  ])
  func aValueThatNoDocumentKnowsIsKeptAndReported(_ row: String, _ renewal: String) throws {
    #expect(codes(try convert(Self.body("DID_RENEW", rows: [row], renewal: renewal))).contains("undocumentedValue"))
  }

  @Test(arguments: [
    ("DID_RENEW", row(expires: purchase - 1), true), ("DID_RENEW", row(expires: purchase), false),
    ("CANCEL", row("12", #","cancellation_date_ms":"\#(purchase - day - 1)""#), true),
    ("CANCEL", row("12", #","cancellation_date_ms":"\#(purchase - day)""#), false),
  ])
  func aPeriodThatEndedBeforeItWasBoughtProvesNothing(_ type: String, _ row: String, _ isOpen: Bool) throws {
    let cast = try convert(Self.body(type, rows: [row, Self.earlier], renewal: ""))
    #expect(codes(cast).contains("datesOutOfOrder") == isOpen)
    #expect(cast.confidence == (isOpen ? .inferred : .documented))
    let history = try Shared.converter.convert(Self.body("DID_RENEW", rows: [Self.earlier, row]), into: .history)
    #expect(history.findings.filter { $0.code == "datesOutOfOrder" }.count == (isOpen ? 1 : 0))
  }

  // MARK: flat objects

  private static let flat = row("12", #","cancellation_date_ms":"1646200000000","cancellation_reason":"0""#)

  @Test(arguments: [
    #""latest_expired_receipt_info":\#(flat)"#, #""unified_receipt":{"latest_receipt_info":\#(flat)}"#,
  ])
  func aFlatObjectIsNoListWhereverItStands(_ members: String) throws {
    let cast = try convert(#"{"notification_type":"CANCEL","original_transaction_id":11,\#(members)}"#)
    #expect(cast.notification?.notificationType?.rawValue == "REFUND")
    #expect(cast.confidence == .inferred)
    #expect(codes(cast).contains("cancellationUndecided"))
    #expect(isInferred("data.transactionInfo.revocationDate", cast))
  }

  @Test func anObjectWithTheKeysOfAListMarksUpgrades() throws {
    let row = Self.flat.replacing("}", with: #","in_app_ownership_type":"PURCHASED"}"#)
    let cast = try convert(#"{"notification_type":"CANCEL","unified_receipt":{"latest_receipt_info":\#(row)}}"#)
    #expect(cast.confidence == .documented)
  }

  @Test func aListMarksUpgrades() throws {
    let cast = try convert(Self.body("CANCEL", rows: [Self.flat, Self.earlier]))
    #expect(cast.confidence == .documented)
    #expect(!isInferred("data.transactionInfo.revocationDate", cast))
  }

  @Test(arguments: [
    #""receipt":\#(flat)"#, #""receipt":\#(row("11")),"latest_expired_receipt_info":\#(flat)"#,
    #""receipt":\#(flat),"latest_expired_receipt_info":\#(flat)"#,
    #""receipt":\#(row("11")),"latest_receipt_info":\#(flat)"#,
  ])
  func nothingInAnIOS6AnswerMarksUpgrades(_ members: String) throws {
    let cast = try Shared.converter.convert(#"{"status":21006,\#(members)}"#)
    let place = try #require(cast.history?.transactions?.firstIndex { $0.revocationDate != nil })
    #expect(isInferred("transactions[\(place)].revocationDate", cast))
    #expect(codes(cast).contains("cancellationUndecided"))
  }

  // MARK: ids

  @Test(arguments: [#","original_transaction_id":"600""#, ""])
  func theTransactionThatTheRecordNamesIsTheOneOfThatId(_ original: String) throws {
    let coins = #"{"product_id":"coins","transaction_id":"603","purchase_date_ms":"\#(Self.purchase)"\#(original)}"#
    for type in ["CONSUMPTION_REQUEST", "REFUND"] {
      let cast = try convert(Self.body(type, #","original_transaction_id":603"#, rows: [coins]))
      #expect(cast.notification?.data?.transactionInfo?.transactionId == "603")
      #expect(!codes(cast).contains("subjectNotListed"))
      #expect(codes(cast).contains("originalIdDiffers") == !original.isEmpty)
      #expect(cast.confidence == (original.isEmpty ? .inferred : .corroborated))
    }
  }

  @Test func aNamedTransactionMayBeOfASubscription() throws {
    let cast = try convert(Self.body("DID_RENEW", #","original_transaction_id":12"#))
    #expect(cast.notification?.data?.transactionInfo?.originalTransactionId == "11")
    #expect(cast.confidence == .corroborated)
  }

  @Test func aRestoredPurchaseHasTheIdOfThePurchaseInAnyOrder() throws {
    let rows = [Self.row("13"), Self.row("9"), Self.row("12")]
    for order in [rows, rows.reversed()] {
      let cast = try convert(Self.body("DID_RENEW", rows: order))
      #expect(cast.notification?.data?.transactionInfo?.transactionId == "9")
      #expect(isInferred("data.transactionInfo.transactionId", cast))
    }
    let refunded = Self.row("13", #","cancellation_date_ms":"1646200000000""#)
    let cast = try convert(Self.body("CANCEL", rows: [refunded, Self.row("12")]))
    #expect(cast.notification?.data?.transactionInfo?.transactionId == "13")
  }

  // MARK: the account

  @Test func theAccountNamesEmptyAndRepeatedListsForWhatTheyAre() throws {
    let empty = try convert(Self.body("CONSUMPTION_REQUEST")).account.repeated
    #expect(empty.first { $0.v1Path == "unified_receipt.pending_renewal_info" }?.heldBy == "data.renewalInfo")
    let entry = #"{"product_id":"monthly","original_transaction_id":"11","auto_renew_status":"1"}"#
    let twice = Self.body("DID_RENEW", rows: [Self.row(), Self.row()], renewal: #","auto_renew_status":"1""#)
    let list = #""pending_renewal_info":["#
    let account = try convert(twice.replacing(list, with: list + entry + ",")).account
    let repeated = Dictionary(uniqueKeysWithValues: account.repeated.map { ($0.v1Path, $0.heldBy) })
    #expect(repeated["unified_receipt.pending_renewal_info[1]"] == "data.renewalInfo")
    #expect(repeated["unified_receipt.latest_receipt_info[1]"] == "data.transactionInfo")
    let strays = try convert(Self.body("DID_RENEW", rows: [Self.row(), #""x""#, "{}"])).account
    #expect(strays.repeated.contains { $0.v1Path == "unified_receipt.latest_receipt_info[2]" && $0.heldBy == nil })
    let stray = strays.lost.first { $0.v1Path == "unified_receipt.latest_receipt_info[1]" }
    #expect(stray?.reason == "cannot be read: expected an object")
  }

  @Test(arguments: ["PRICE_INCREASE_CONSENT", "CONSUMPTION_REQUEST", "REFUND", "INITIAL_BUY"])
  func whatV1DoesNotSendToFamilyMembersIsNotDocumented(_ type: String) throws {
    let shared = #","in_app_ownership_type":"FAMILY_SHARED""#
    let coins = #"{"product_id":"coins","transaction_id":"11","original_transaction_id":"11","purchase_date_ms":"1"#
    let isOfCoins = type == "REFUND" || type == "CONSUMPTION_REQUEST"
    let row = isOfCoins ? coins + "646128800000\"" + shared + "}" : Self.row("11", shared)
    let cast = try convert(Self.body(type, #","original_transaction_id":11"#, rows: [row]))
    #expect(codes(cast).contains("familySharedUnexpected"))
    #expect(cast.confidence != .documented)
  }

  // MARK: the received time

  @Test(arguments: [0, 1, 59_000, -1000, 99_999_999_999_000])
  func aColumnThatWasNeverSetIsNoReceivedTime(_ receivedAt: Int64) throws {
    let failed = Self.body("DID_FAIL_TO_RENEW", renewal: #","is_in_billing_retry_period":"1""#)
    let cast = try convert(failed, receivedAt: receivedAt)
    #expect(cast.notification?.signedDate?.milliseconds == Self.expiry)
    #expect(cast.notification?.data?.status?.rawValue == 3)
    #expect(codes(cast) == ["receivedTimeUnreadable"])
  }

  @Test(arguments: ["DID_RENEW", "DID_FAIL_TO_RENEW"])
  func nothingIsReceivedADayBeforeItHappened(_ type: String) throws {
    let record = Self.body(type, renewal: #","is_in_billing_retry_period":"1""#)
    let early = try convert(record, receivedAt: Self.purchase - Self.day)
    #expect(early.notification?.signedDate?.milliseconds == Self.purchase - Self.day)
    let impossible = try convert(record, receivedAt: Self.purchase - Self.day - 1)
    #expect(codes(impossible).contains("receivedBeforeEvent"))
    #expect(impossible.notification?.signedDate == (try convert(record)).notification?.signedDate)
    #expect(impossible.confidence != .documented)
  }
}
