import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport
import Testing

/// A customer's access by each archive: all that the messages and their lists show of the life, as `timeline` reads it.
///
/// Expected values are written from the days below, by hand. Days are counted from the first purchase.
@Suite struct CustomerAccessTests {
  /// One of the periods that a record lists.
  struct Period {
    var from: Double
    var to: Double?
    var product = "monthly"
    var revoked: Double?
    var isUpgraded = false

    func row(_ place: Int, isFamily: Bool) -> String {
      let start = AccessDay.time
      var row = """
        {"product_id":"com.example.slipcast.\(product)","original_transaction_id":"640000",\
        "transaction_id":"\(640_000 + Int(from))","purchase_date_ms":"\(start(from))",\
        "original_purchase_date_ms":"\(start(0))","quantity":"1"
        """
      if let to {
        row += ",\"web_order_line_item_id\":\"\(650_000 + Int(from))\",\"expires_date_ms\":\"\(start(to))\""
        row += ",\"subscription_group_identifier\":\"21\""
      }
      if isFamily { row += ",\"in_app_ownership_type\":\"FAMILY_SHARED\"" }
      if let revoked { row += ",\"cancellation_date_ms\":\"\(start(revoked))\",\"cancellation_reason\":\"0\"" }
      if isUpgraded { row += ",\"is_upgraded\":\"true\",\"cancellation_date_ms\":\"\(start(to ?? 0))\"" }
      return row + "}"
    }
  }

  /// A V1 notification; the newest period is the first one.
  static func told(
    _ type: String, _ periods: [Period], isOn: Bool = true, changed: Double? = nil, grace: Double? = nil,
    isRetry: Bool = false, isFamily: Bool = false, more: String = ""
  ) -> String {
    let rows = periods.enumerated().map { $1.row($0, isFamily: isFamily) }.joined(separator: ",")
    let product = periods[0].product
    let graceDate = grace.map { ",\"grace_period_expires_date_ms\":\"\(AccessDay.time($0))\"" } ?? ""
    let retry = isRetry ? ",\"is_in_billing_retry_period\":\"1\",\"expiration_intent\":\"2\"" : ""
    let change = changed.map { ",\"auto_renew_status_change_date_ms\":\"\(AccessDay.time($0))\"" } ?? ""
    let renewal =
      periods[0].to == nil
      ? ""
      : """
      {"original_transaction_id":"640000","product_id":"com.example.slipcast.\(product)",\
      "auto_renew_product_id":"com.example.slipcast.\(product)","auto_renew_status":"\(isOn ? 1 : 0)"\(graceDate)\(retry)}
      """
    return """
      {"notification_type":"\(type)","environment":"PROD","bid":"com.example.slipcast",\
      "auto_renew_status":"\(isOn)"\(change)\(more),"unified_receipt":{"environment":"Production","status":0,\
      "latest_receipt_info":[\(rows)],"pending_renewal_info":[\(renewal)]}}
      """
  }

  /// A V2 notification.
  static func signed(
    _ type: String, at day: Double, _ period: Period, status: Int = 1, grace: Double? = nil, isRetry: Bool = false,
    original: Int = 640_000
  ) -> String {
    let time = AccessDay.time
    let revoked = period.revoked.map { ",\"revocationDate\":\(time($0)),\"revocationReason\":0" } ?? ""
    let line = period.to.map { ",\"webOrderLineItemId\":\"\(650_000 + Int(period.from))\",\"expiresDate\":\(time($0))" }
    let renewal = period.to.map { end in
      """
      ,"renewalInfo":{"originalTransactionId":"\(original)","productId":"com.example.slipcast.\(period.product)",\
      "autoRenewProductId":"com.example.slipcast.\(period.product)","autoRenewStatus":1,"environment":"Production",\
      "renewalDate":\(time(end)),"signedDate":\(time(day))\
      \(grace.map { ",\"gracePeriodExpiresDate\":\(time($0))" } ?? "")\
      \(isRetry ? ",\"isInBillingRetryPeriod\":true,\"expirationIntent\":2" : "")}
      """
    }
    return """
      {"notificationType":"\(type)","notificationUUID":"8ccf335f-8ea6-41b8-99b1-b9c8\(String(10_000_000 + Int(day * 100)))",\
      "version":"2.0","signedDate":\(time(day)),"data":{"bundleId":"com.example.slipcast","environment":"Production",\
      "status":\(status),"transactionInfo":{"transactionId":"\(original + Int(period.from))",\
      "originalTransactionId":"\(original)","productId":"com.example.slipcast.\(period.product)",\
      "purchaseDate":\(time(period.from)),"originalPurchaseDate":\(time(0)),"quantity":1,\
      "type":"\(period.to == nil ? "Non-Consumable" : "Auto-Renewable Subscription")","inAppOwnershipType":"PURCHASED",\
      "environment":"Production","signedDate":\(time(day))\(line ?? "")\(revoked)}\(renewal ?? "")}}
      """
  }

  // MARK: lives

  static let first = Period(from: 0, to: 30)
  static let second = Period(from: 30, to: 60)
  static let third = Period(from: 60, to: 90)
  static let fourth = Period(from: 90, to: 120)
  static let buy = told("INITIAL_BUY", [first])
  static let bought = signed("SUBSCRIBED", at: 0, first)

  private struct Life {
    var legacy: [String]
    var server: [String]
  }

  private static let lives: [String: Life] = [
    // From before V1 had DID_RENEW: only the list of the last message shows the renewals.
    "listed": Life(
      legacy: [buy, told("DID_CHANGE_RENEWAL_STATUS", [fourth, third, second, first], isOn: false, changed: 95)],
      server: [
        bought, signed("DID_RENEW", at: 30, second), signed("DID_RENEW", at: 60, third),
        signed("DID_RENEW", at: 90, fourth),
      ]),
    "unlisted": Life(legacy: [buy], server: [bought, signed("DID_RENEW", at: 30, second)]),
    "grace": Life(
      legacy: [buy, told("DID_FAIL_TO_RENEW", [first], grace: 46, isRetry: true)],
      server: [
        bought, signed("DID_FAIL_TO_RENEW", at: 30, first, status: 4, grace: 46, isRetry: true),
      ]),
    "graceInV2": Life(
      legacy: [buy, told("DID_FAIL_TO_RENEW", [first], isRetry: true)],
      server: [bought, signed("DID_FAIL_TO_RENEW", at: 30, first, status: 4, grace: 46, isRetry: true)]),
    "retry": Life(
      legacy: [buy, told("DID_FAIL_TO_RENEW", [first], isRetry: true)],
      server: [bought, signed("DID_FAIL_TO_RENEW", at: 30, first, status: 3, isRetry: true)]),
    // V1's refund has no message of its own: the list of the next purchase shows it.
    "refund": Life(
      legacy: [
        buy, told("INTERACTIVE_RENEWAL", [Period(from: 40, to: 70), Period(from: 0, to: 30, revoked: 10)]),
      ],
      server: [
        bought, signed("REFUND", at: 10, Period(from: 0, to: 30, revoked: 10), status: 5),
        signed("SUBSCRIBED", at: 40, Period(from: 40, to: 70)),
      ]),
    "refundInV1": Life(
      legacy: [
        buy, told("INTERACTIVE_RENEWAL", [Period(from: 40, to: 70), Period(from: 0, to: 30, revoked: 10)]),
      ],
      server: [bought, signed("SUBSCRIBED", at: 40, Period(from: 40, to: 70))]),
    "family": Life(
      legacy: [told("REVOKE", [Period(from: 0, to: 30, revoked: 10)], isFamily: true)],
      server: [bought, signed("REVOKE", at: 10, Period(from: 0, to: 30, revoked: 10), status: 5)]),
    "upgrade": Life(
      legacy: [
        buy,
        // The message of the upgrade is missing; a later one lists it.
        told(
          "DID_CHANGE_RENEWAL_STATUS",
          [Period(from: 10, to: 375, product: "yearly"), Period(from: 0, to: 10, isUpgraded: true)], isOn: false,
          changed: 200),
      ],
      server: [bought, signed("DID_CHANGE_RENEWAL_PREF", at: 10, Period(from: 10, to: 375, product: "yearly"))]),
    "oneTime": Life(
      legacy: [told("REFUND", [Period(from: 0, to: nil, product: "castle", revoked: 10)])],
      server: [signed("REFUND", at: 10, Period(from: 0, to: nil, product: "castle", revoked: 10))]),
    "pause": Life(
      legacy: [buy, told("INTERACTIVE_RENEWAL", [Period(from: 40, to: 70), first])],
      server: [bought, signed("SUBSCRIBED", at: 40, Period(from: 40, to: 70))]),
    // V2 reversed the refund that V1 reports.
    "reversed": Life(
      legacy: [buy, told("CANCEL", [Period(from: 0, to: 30, revoked: 10)])],
      server: [
        bought, signed("REFUND", at: 10, Period(from: 0, to: 30, revoked: 10), status: 5),
        signed("REFUND_REVERSED", at: 12, first),
      ]),
  ]

  struct Case: Sendable, CustomTestStringConvertible {
    var life: String
    /// When access is judged.
    var day: Double
    var outcome: AccessChange.Outcome
    /// V1's side: access, reason, and the day on which it ends or ended.
    var access: Access
    var reason: AccessReason
    var until: Double?

    init(
      _ life: String, _ day: Double, _ outcome: AccessChange.Outcome, _ access: Access, _ reason: AccessReason,
      until: Double?
    ) {
      (self.life, self.day, self.outcome) = (life, day, outcome)
      (self.access, self.reason, self.until) = (access, reason, until)
    }

    var testDescription: String { "\(life) on day \(day)" }
  }

  static let cases = [
    Case("listed", 15, .same, .yes, .active, until: 30),
    Case("listed", 45, .same, .yes, .active, until: 60),
    Case("listed", 75, .same, .yes, .active, until: 90),
    Case("listed", 100, .same, .yes, .active, until: 120),
    Case("listed", 130, .same, .no, .expired, until: 120),
    // V1 has no trace of the renewal: as V1 says, the customer is not served.
    Case("unlisted", 45, .servedForFree, .no, .expired, until: 30),
    Case("grace", 15, .same, .yes, .active, until: 30),
    Case("grace", 40, .same, .yes, .grace, until: 46),
    Case("grace", 50, .same, .no, .billingRetry, until: 30),
    Case("graceInV2", 40, .servedForFree, .no, .billingRetry, until: 30),
    Case("retry", 40, .same, .no, .billingRetry, until: 30),
    Case("refund", 5, .same, .yes, .active, until: 10),
    Case("refund", 20, .same, .no, .refunded, until: 10),
    Case("refund", 50, .same, .yes, .active, until: 70),
    Case("refundInV1", 20, .servedForFree, .no, .refunded, until: 10),
    Case("family", 5, .same, .yes, .active, until: 10),
    Case("family", 20, .same, .no, .revoked, until: 10),
    Case("upgrade", 50, .same, .yes, .active, until: 375),
    Case("oneTime", 5, .same, .yes, .active, until: 10),
    Case("oneTime", 20, .same, .no, .refunded, until: 10),
    Case("pause", 35, .same, .no, .expired, until: 30),
    Case("pause", 45, .same, .yes, .active, until: 70),
    Case("reversed", 20, .refundReversed, .no, .refunded, until: 10),
    Case("listed", -5, .same, .no, .unknown, until: nil),
  ]

  @Test(arguments: cases)
  func accessIsThatOfTheLife(_ one: Case) async throws {
    let life = try #require(Self.lives[one.life])
    var archives = Archives()
    (archives.legacy, archives.server) = (life.legacy, life.server)
    let result = try await archives.compare(asOf: AccessDay.time(one.day))
    let access = try #require(result.access)
    #expect(access.subscriptions == 1)
    #expect((access.same == 1 ? .same : result.accessSamples.shown.first?.outcome) == one.outcome)
    // Beside a stranger V1's answer is listed.
    archives.server = [Self.signed("SUBSCRIBED", at: 0, Self.first, original: 990_000)]
    let samples = try await archives.compare(asOf: AccessDay.time(one.day)).accessSamples.kept
    let state = try #require(samples.map(\.change.legacy).first { $0.originalTransactionId == "640000" })
    #expect((state.access, state.reason) == (one.access, one.reason))
    #expect(state.until == one.until.map(AccessDay.time))
  }

  /// Without a given time access is judged a day before the archives end; what is told within that day counts.
  @Test func aRenewalThatOnlyTheLastListShowsGivesAccess() async throws {
    var archives = Archives()
    archives.legacy = [Self.buy, Self.told("DID_RENEW", [Self.third, Self.second, Self.first])]
    archives.server = [
      Self.bought, Self.signed("DID_RENEW", at: 30, Self.second), Self.signed("DID_RENEW", at: 60, Self.third),
    ]
    let access = try #require(try await archives.compare().access)
    #expect(access.asOf > AccessDay.time(58) && access.asOf < AccessDay.time(60))
    #expect((access.subscriptions, access.same) == (1, 1))
  }

  /// Messages after the common time change nobody's access: V2's archive ends before the refund.
  @Test func messagesAfterTheJudgedTimeDoNotCount() async throws {
    let refunded = Period(from: 30, to: 60, revoked: 50)
    var archives = Archives()
    archives.legacy = [
      Self.buy, Self.told("DID_RENEW", [Self.second, Self.first]),
      Self.told("DID_CHANGE_RENEWAL_STATUS", [Self.second, Self.first], isOn: false, changed: 35),
      Self.told("CANCEL", [refunded, Self.first]),
    ]
    archives.server = [
      Self.bought, Self.signed("DID_RENEW", at: 30, Self.second),
      Self.signed("DID_CHANGE_RENEWAL_STATUS", at: 35, Self.second),
    ]
    let access = try #require(try await archives.compare().access)
    #expect(access.asOf < AccessDay.time(35))
    #expect((access.subscriptions, access.same) == (1, 1))
  }

  /// A V2 record about an older period names the end of the newest one, of which the archive has nothing else.
  @Test(arguments: [(80.0, 1), (45.0, 0)])
  func theEndOfTheNewestPeriodCountsFromItsRecord(_ day: Double, _ same: Int) async throws {
    var archives = Archives()
    archives.legacy = [
      Self.buy, Self.told("DID_RENEW", [Self.second, Self.first]),
      Self.told("DID_RENEW", [Self.third, Self.second, Self.first]),
    ]
    let refund = Self.signed("REFUND", at: 70, Period(from: 0, to: 30, revoked: 70), status: 1)
    archives.server = [
      Self.bought,
      refund.replacingRenewalDate(AccessDay.time(30), with: AccessDay.time(90)),
    ]
    let result = try await archives.compare(asOf: AccessDay.time(day))
    #expect(result.access?.same == same)
    if same == 0 { #expect(result.accessSamples.shown.first?.change.server.access == .unknown) }
  }
}

enum AccessDay {
  /// The time of a day, in milliseconds since 1970 UTC.
  static func time(_ day: Double) -> Int64 { 1_717_243_200_000 + Int64(day * 86_400_000) }
}

extension String {
  fileprivate func replacingRenewalDate(_ one: Int64, with two: Int64) -> String {
    replacing("\"renewalDate\":\(one)", with: "\"renewalDate\":\(two)")
  }
}
