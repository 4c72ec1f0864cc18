import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

/// Records whose parts disagree, or do not say enough: no value of theirs is documented without the proof.
@Suite struct ContradictionTests {
  static let purchase: Int64 = 1_646_120_000_000
  static let expiry: Int64 = 1_648_712_000_000
  static let cancellation: Int64 = 1_647_000_000_000

  /// A transaction of a subscription, or of another product when `expires` is `nil`.
  static func row(
    _ id: String, original: String = "1", product: String = "pro", expires: Int64? = expiry, _ more: String = ""
  ) -> String {
    let end = expires.map { #","expires_date_ms":"\#($0)""# } ?? ""
    return #"{"product_id":"\#(product)","transaction_id":"\#(id)","original_transaction_id":"\#(original)","#
      + #""quantity":"1","purchase_date_ms":"\#(purchase)""# + end + more + "}"
  }

  static func answer(latest: [String]? = nil, inApp: [String] = [], renewals: [String] = []) -> String {
    let list = latest.map { #","latest_receipt_info":[\#($0.joined(separator: ","))]"# } ?? ""
    return #"{"status":0,"environment":"Production","receipt":{"bundle_id":"com.example.slipcast","adam_id":7,"#
      + #""request_date_ms":"1647500000000","in_app":[\#(inApp.joined(separator: ","))]}\#(list),"#
      + #""pending_renewal_info":[\#(renewals.joined(separator: ","))]}"#
  }

  static func cancelled(_ more: String = "") -> String { #","cancellation_date_ms":"\#(cancellation)""# + more }

  private func isInferred(_ path: String, _ cast: Conversion) -> Bool { cast.json.contains("\"\(path)\"") }

  // MARK: refund or upgrade

  @Test(arguments: ["", #","cancellation_reason":"0""#])
  func aCancelledSubscriptionMayHaveBeenUpgradedWhereNothingMarksUpgrades(_ reason: String) throws {
    let cast = try Shared.converter.convert(Self.answer(inApp: [Self.row("1", Self.cancelled(reason))]))
    #expect(cast.history?.transactions?.first?.revocationDate?.milliseconds == Self.cancellation)
    #expect(isInferred("transactions[0].revocationDate", cast))
    #expect(cast.findings.map(\.code) == ["cancellationUndecided"])
  }

  @Test(arguments: [
    answer(inApp: [row("1", cancelled(#","cancellation_reason":"1""#))]),
    answer(latest: [row("1", cancelled())]), answer(inApp: [row("1", expires: nil, cancelled())]),
  ])
  func aReasonAListThatMarksUpgradesOrAnotherProductDecideIt(_ answer: String) throws {
    let cast = try Shared.converter.convert(answer)
    #expect(cast.history?.transactions?.first?.revocationDate?.milliseconds == Self.cancellation)
    #expect(!isInferred("transactions[0].revocationDate", cast))
    #expect(cast.findings.isEmpty)
  }

  // MARK: one date of the original purchase

  private func originals(_ dates: [String]) throws -> Conversion {
    let rows = dates.enumerated().map { place, date in
      Self.row("\(place + 1)", #","original_purchase_date_ms":"\#(date)""#)
    }
    return try Shared.converter.convert(Self.answer(latest: rows))
  }

  @Test func differentOriginalDatesOfOneIdAreConcludedFromTheOriginalTransaction() throws {
    let cast = try originals(["1646120001000", "1648712001000"])
    let dates = cast.history?.transactions?.map { $0.originalPurchaseDate?.milliseconds }
    #expect(dates == [1_646_120_001_000, 1_646_120_001_000])
    #expect(isInferred("transactions[1].originalPurchaseDate", cast))
    #expect(cast.findings.map(\.code) == ["originalDatesDiffer", "originalAfterEnd", "originalDatesDiffer"])
  }

  @Test func aFewSecondsAreNoDifference() throws {
    #expect(try originals(["1646120001000", "1646120008000"]).findings.count == 2)
    let cast = try originals(["1646120001000", "1646120007000"])
    #expect(!isInferred("transactions[1].originalPurchaseDate", cast))
    #expect(cast.findings.isEmpty)
  }

  @Test func theEventOfANotificationIsJudgedAlike() throws {
    let rows = [
      Self.row("2", #","original_purchase_date_ms":"1648712001000""#),
      Self.row("1", expires: Self.purchase + 1, #","original_purchase_date_ms":"1646120001000""#),
    ]
    let record =
      #"{"notification_type":"DID_RENEW","unified_receipt":{"latest_receipt_info":[\#(rows.joined(separator: ","))]}}"#
    let cast = try Shared.converter.convert(record)
    #expect(cast.findings.contains { $0.code == "originalDatesDiffer" })
    #expect(isInferred("data.transactionInfo.originalPurchaseDate", cast))
  }

  // MARK: listed twice

  @Test func aSecondEntryWithOtherValuesIsNoRepetition() throws {
    let cast = try Shared.converter.convert(
      Self.answer(latest: [Self.row("1")], inApp: [Self.row("1", Self.cancelled())]))
    #expect(cast.findings.map(\.code) == ["listedDifferently"])
    #expect(cast.findings.first?.path.description == "receipt.in_app[0]")
    let lost = try #require(cast.account.lost.first { $0.v1Path == "receipt.in_app[0]" })
    #expect(lost.reason.contains("other values"))
  }

  @Test(arguments: [row("1"), row("1", product: "pro", #","is_trial_period":"false""#)])
  func aSecondEntryThatSaysTheSameIsOne(_ second: String) throws {
    let cast = try Shared.converter.convert(Self.answer(latest: [Self.row("1")], inApp: [second]))
    #expect(cast.findings.isEmpty)
    #expect(cast.account.repeated.contains { $0.v1Path == "receipt.in_app[0]" })
  }

  // MARK: the subject

  private func refund(_ type: String, _ rows: [String]) throws -> Conversion {
    try Shared.converter.convert(
      #"{"notification_type":"\#(type)","unified_receipt":{"latest_receipt_info":[\#(rows.joined(separator: ","))]}}"#)
  }

  @Test func nothingDistinguishesTwoRefundsAtOneTime() throws {
    let rows = ["1", "2"].map { Self.row($0, original: $0, expires: nil, Self.cancelled()) }
    let (one, other) = (try refund("REFUND", rows), try refund("REFUND", rows.reversed()))
    #expect(one.notification?.data?.transactionInfo == nil)
    #expect(one.findings.contains { $0.code == "subjectUnknown" })
    #expect(one.notification?.notificationUUID == other.notification?.notificationUUID)
  }

  @Test func aRevocationIsOfThePurchaseThatIsSharedWithTheFamily() throws {
    let later = Self.cancelled(#","in_app_ownership_type":"PURCHASED""#)
    let shared = #","cancellation_date_ms":"\#(Self.cancellation - 1000)","in_app_ownership_type":"FAMILY_SHARED""#
    let cast = try refund("REVOKE", [Self.row("1", later), Self.row("2", original: "2", shared)])
    #expect(cast.notification?.data?.transactionInfo?.transactionId == "2")
  }

  // MARK: statuses

  private func statuses(_ row: String, _ renewals: [String]) throws -> Conversion {
    try Shared.converter.convert(Self.answer(latest: [row], renewals: renewals), into: .statuses)
  }

  static func renewal(_ original: String, _ status: String, _ more: String = "") -> String {
    #"{"original_transaction_id":"\#(original)","product_id":"pro","auto_renew_status":"\#(status)"\#(more)}"#
  }

  @Test func theOnlyRenewalOfTheOnlySubscriptionStaysUnderAnotherOriginalId() throws {
    let cast = try statuses(Self.row("1"), [Self.renewal("99", "1")])
    #expect(cast.statuses?.data?.first?.lastTransactions?.first?.renewalInfo?.autoRenewStatus?.rawValue == 1)
    #expect(cast.findings.map(\.code) == ["originalIdDiffers"])
  }

  @Test func theAccountOfANotificationSaysWhyARenewalIsNobodys() throws {
    let body =
      #"{"notification_type":"DID_CHANGE_RENEWAL_PREF","environment":"PROD","unified_receipt":{"status":0,"#
      + #""latest_receipt_info":[\#(Self.row("1"))],"pending_renewal_info":["#
      + #"\#(Self.renewal("1", "1")),\#(Self.renewal("1", "0"))]}}"#
    let cast = try Shared.converter.convert(body)
    #expect(cast.findings.map(\.code).filter { $0 == "renewalUnassigned" }.count == 2)
    #expect(cast.account.lost.count { $0.reason.contains("same renewal") } == 2)
  }

  @Test func aSecondEntryOfOneRenewalWithOtherValuesIsReported() throws {
    let cast = try statuses(Self.row("1"), [Self.renewal("1", "1"), Self.renewal("1", "0")])
    // Neither counts: nothing says which one is right.
    #expect(cast.findings.map(\.code) == ["renewalUnassigned", "renewalUnassigned"])
    #expect(cast.statuses?.data?.first?.lastTransactions?.first?.renewalInfo == nil)
    #expect(cast.account.lost.contains { $0.reason.contains("same renewal") })
    #expect(try statuses(Self.row("1"), [Self.renewal("1", "1"), Self.renewal("1", "1")]).findings.isEmpty)
  }

  @Test(arguments: [
    (row("1", #","cancellation_date_ms":"soon""#), renewal("1", "1")),
    (row("1", expires: cancellation), renewal("1", "1", #","grace_period_expires_date_ms":"soon""#)),
    (row("1", expires: cancellation), renewal("1", "1", #","is_in_billing_retry_period":"soon""#)),
  ])
  func aDecidingValueThatCannotBeReadLeavesTheStatusOut(_ row: String, _ renewal: String) throws {
    let cast = try statuses(row, [renewal])
    let last = try #require(cast.statuses?.data?.first?.lastTransactions?.first)
    #expect(last.status == nil)
    #expect(!cast.findings.isEmpty)
  }

  // MARK: the app

  @Test func anotherAppThanTheOptionNamesIsReported() throws {
    let converter = LegacyConverter(prepared: Shared.prepared, options: ConversionOptions(appAppleId: 8))
    let cast = try converter.convert(Self.answer(inApp: [Self.row("1", expires: nil)]))
    #expect(cast.history?.appAppleId == 8)
    #expect(cast.findings.map(\.code) == ["appAppleIdDiffers"])
  }

  @Test func valuesOfTheAppPurchaseNameTheObjectThatHasThem() throws {
    let cast = try Shared.converter.convert(
      #"{"status":0,"receipt":{"bundle_id":"a","original_application_version":"1","download_id":1,"in_app":[]}}"#)
    let reasons = Dictionary(uniqueKeysWithValues: cast.account.lost.map { ($0.v1Path, $0.reason) })
    #expect(reasons["receipt.original_application_version"]?.contains("AppTransaction") == true)
    #expect(reasons["receipt.download_id"]?.hasPrefix("V2 has no place for it") == true)
  }

  // MARK: many of them

  /// Answers of so many transactions: with different original dates, with two entries of each renewal, and with values
  /// that cannot be read.
  static let lists: [@Sendable (Int) -> String] = [
    { count in
      answer(
        latest: (1...count).map {
          row("\($0)", #","original_purchase_date_ms":"\#(purchase + Int64($0) * 86_400_000)""#)
        })
    },
    { count in
      let renewals = (1...count).flatMap { [renewal("\($0)", "1"), renewal("\($0)", "0")] }
      return answer(latest: (1...count).map { row("\($0)", original: "\($0)") }, renewals: renewals)
    },
    { count in
      // Values of no use, and a date in the hour that occurs twice.
      let more =
        #","in_app_ownership_type":{},"promotional_offer_id":true,"#
        + #""original_purchase_date_pst":"2023-11-05 01:30:00 America/Los_Angeles""#
      return answer(latest: (1...count).map { row("\($0)", more) })
    },
  ]

  @Test(arguments: [(0, Emission.history), (0, .statuses), (1, .statuses), (2, .history)])
  func timeGrowsWithTheirNumberAndNotWithItsSquare(_ list: Int, _ emission: Emission) throws {
    let texts = [500, 8000].map { ($0, Self.lists[list]($0)) }
    let growth = try growth(from: 500) { count in
      let text = try #require(texts.first { $0.0 == count }?.1)
      #expect(try !Shared.converter.convert(text, into: emission).account.findings.isEmpty)
    }
    #expect(growth < 64, "the time of sixteen times the entries")
  }

  @Test func theOwnDateCountsWhereTheOriginalTransactionHasNone() throws {
    let rows =
      [Self.row("1")] + [1, 2].map { Self.row("\($0 + 1)", #","original_purchase_date_ms":"16461200\#($0)0000""#) }
    let cast = try Shared.converter.convert(Self.answer(latest: rows))
    #expect(isInferred("transactions[2].originalPurchaseDate", cast))
    #expect(cast.history?.transactions?.last?.originalPurchaseDate?.milliseconds == 1_646_120_020_000)
  }
}
