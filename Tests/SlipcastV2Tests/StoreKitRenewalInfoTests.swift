@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastV2

@Suite struct StoreKitRenewalInfoTests {
  static let now = Timestamp(milliseconds: 1_700_000_000_000)
  static let later = Timestamp(milliseconds: 1_700_086_400_000)

  private func view(_ json: String, status: Open<Status>? = nil, asOf time: Timestamp = now) throws
    -> StoreKitRenewalInfo
  {
    StoreKitRenewalInfo(try JWSRenewalInfoDecodedPayload(json: json), status: status, asOf: time)
  }

  @Test(arguments: [
    (Status.active, StoreKitRenewalInfo.State.subscribed), (.expired, .expired),
    (.billingRetry, .inBillingRetryPeriod), (.billingGracePeriod, .inGracePeriod), (.revoked, .revoked),
  ])
  func everyStatusIsAState(_ status: Status, _ state: StoreKitRenewalInfo.State) throws {
    #expect(try view("{}", status: .known(status)).state == .known(state))
  }

  /// The server may say "false in grace"; StoreKit says true throughout grace and retry.
  @Test(arguments: [Status.billingGracePeriod, .billingRetry])
  func theStatusCountsWhereTheRetryFlagSaysNo(_ status: Status) throws {
    let json = #"{"isInBillingRetryPeriod":false,"expirationIntent":2,"gracePeriodExpiresDate":1700086400000}"#
    let info = try view(json, status: .known(status))
    #expect(info.isInBillingRetry == true)
    #expect(info.gracePeriodExpirationDate == Self.later)
    #expect(info.entitlement == .gracePeriod)
    #expect(info.expirationReason == .known(.billingError))
  }

  /// The server may give a reason up to a minute before the expiry.
  @Test func anActiveSubscriptionHasNoExpirationReason() throws {
    let info = try view(#"{"expirationIntent":1,"isInBillingRetryPeriod":false}"#, status: .known(.active))
    #expect(info.expirationReason == nil && info.entitlement == .active)
  }

  @Test func noStatusIsNoStateAndAnUnknownOneStaysUnknown() throws {
    #expect(try view("{}").state == nil)
    #expect(try view("{}", status: .unknown(6)).state == .unknown(6))
  }

  @Test(arguments: [
    (#"{}"#, "noIncreasePending"), (#"{"priceIncreaseStatus":null}"#, "noIncreasePending"),
    (#"{"priceIncreaseStatus":0}"#, "pending"), (#"{"priceIncreaseStatus":1}"#, "agreed"),
    (#"{"priceIncreaseStatus":2}"#, "2"),
  ])
  func aPriceIncreaseIsAbsentPendingOrAgreed(_ json: String, _ word: String) throws {
    #expect(try view(json).priceIncreaseStatus.rawValue == word)
  }

  @Test func aRefusedPriceIncreaseIsAnExpirationReason() throws {
    let info = try view(#"{"expirationIntent":3,"autoRenewStatus":1,"autoRenewProductId":"gold"}"#)
    #expect(info.expirationReason == .known(.didNotConsentToPriceIncrease))
    #expect(info.autoRenewPreference == nil)
    #expect(info.entitlement == .expired)
  }

  @Test(arguments: [
    (1, StoreKitRenewalInfo.ExpirationReason.autoRenewDisabled), (2, .billingError),
    (3, .didNotConsentToPriceIncrease), (4, .productUnavailable), (5, .unknown),
  ])
  func everyExpirationIntentIsAReason(_ intent: Int, _ reason: StoreKitRenewalInfo.ExpirationReason) throws {
    #expect(try view("{\"expirationIntent\":\(intent)}").expirationReason == .known(reason))
  }

  @Test(
    arguments: [
      (#"{"autoRenewStatus":1,"autoRenewProductId":"gold"}"#, true, "gold"),
      (#"{"autoRenewStatus":0,"autoRenewProductId":"gold"}"#, false, nil),
      (#"{"autoRenewProductId":"gold"}"#, nil, "gold"),
      (#"{"autoRenewStatus":1,"autoRenewProductId":"gold","expirationIntent":2}"#, true, nil),
      (
        #"{"autoRenewStatus":1,"autoRenewProductId":"gold","expirationIntent":2,"isInBillingRetryPeriod":true}"#, true,
        "gold"
      ),
    ] as [(String, Bool?, String?)])
  func thePreferenceIsNilWhenNothingWillRenew(_ json: String, _ renews: Bool?, _ preference: String?) throws {
    let info = try view(json)
    #expect(info.willAutoRenew == renews)
    #expect(info.autoRenewPreference == preference)
  }

  @Test(
    arguments: [
      (#"{"offerIdentifier":"x"}"#, nil, nil),
      (#"{"offerType":1,"offerIdentifier":"x"}"#, 1, nil),
      (#"{"offerType":2,"offerIdentifier":"x"}"#, 2, "x"),
      (#"{"offerType":3,"offerIdentifier":"x"}"#, 3, "x"),
      (#"{"offerType":4,"offerIdentifier":"x"}"#, 4, "x"),
      (#"{"offerType":5,"offerIdentifier":"x"}"#, 5, "x"),
    ] as [(String, Int32?, String?)])
  func anIntroductoryOfferHasNoID(_ json: String, _ type: Int32?, _ id: String?) throws {
    let info = try view(json)
    #expect(info.offerType?.rawValue == type)
    #expect(info.offerID == id)
  }

  @Test func theGraceDateIsNilOutsideTheGracePeriod() throws {
    let json = #"{"isInBillingRetryPeriod":true,"expirationIntent":2,"gracePeriodExpiresDate":1700086400000}"#
    let within = try view(json)
    #expect(within.gracePeriodExpirationDate == Self.later)
    #expect(within.entitlement == .gracePeriod)
    let past = try view(json, asOf: Self.later)
    #expect(past.gracePeriodExpirationDate == nil)
    #expect(past.entitlement == .billingRetry)
    let recovered = try view(#"{"isInBillingRetryPeriod":false,"gracePeriodExpiresDate":1700086400000}"#)
    #expect(recovered.gracePeriodExpirationDate == nil)
    #expect(recovered.entitlement == .active)
  }

  @Test(
    arguments: [
      (nil, nil), (.active, false), (.expired, false), (.billingRetry, true), (.billingGracePeriod, true),
      (.revoked, false),
    ] as [(Status?, Bool?)])
  func theStatusTellsOfRetryWhereTheFlagIsAbsent(_ status: Status?, _ isRetrying: Bool?) throws {
    #expect(try view("{}", status: status.map { .known($0) }).isInBillingRetry == isRetrying)
  }

  @Test(arguments: [
    (Status.revoked, Entitlement.revoked), (.expired, .expired), (.active, .active), (.billingRetry, .billingRetry),
  ])
  func revokedAndExpiredStatesDecideByThemselves(_ status: Status, _ entitlement: Entitlement) throws {
    #expect(try view("{}", status: .known(status)).entitlement == entitlement)
  }

  @Test func theRestIsCarriedOver() throws {
    let info = try view(
      #"{"originalTransactionId":"470001234567890123","productId":"gold","signedDate":1,"environment":"Sandbox","#
        + #""recentSubscriptionStartDate":2,"renewalDate":3}"#)
    #expect(info.originalTransactionID == 470_001_234_567_890_123)
    #expect(info.currentProductID == "gold")
    #expect(info.signedDate == Timestamp(milliseconds: 1))
    #expect(info.environment == .known(.sandbox))
    #expect(info.recentSubscriptionStartDate == Timestamp(milliseconds: 2))
    #expect(info.renewalDate == Timestamp(milliseconds: 3))
    #expect(try view(#"{"originalTransactionId":"abc"}"#).originalTransactionID == nil)
  }
}
