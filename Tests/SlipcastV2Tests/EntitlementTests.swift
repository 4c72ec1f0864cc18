@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastV2

@Suite struct EntitlementTests {
  typealias Reason = StoreKitRenewalInfo.ExpirationReason

  static let now = Timestamp(milliseconds: 1_700_000_000_000)
  static let before = Timestamp(milliseconds: 1_699_999_999_999)
  static let after = Timestamp(milliseconds: 1_700_000_000_001)

  struct Row: Sendable {
    let retry: Bool
    let reason: Open<Reason>?
    let grace: Timestamp?
    let result: Entitlement

    init(_ retry: Bool, _ reason: Open<Reason>?, _ grace: Timestamp?, _ result: Entitlement) {
      self.retry = retry
      self.reason = reason
      self.grace = grace
      self.result = result
    }
  }

  @Test(arguments: [
    Row(false, nil, nil, .active),
    Row(true, .known(.billingError), after, .gracePeriod),
    Row(true, .known(.billingError), nil, .billingRetry),
    Row(false, .known(.billingError), nil, .expired),
  ])
  func theFourRowsOfTheTableHold(_ row: Row) { expectResult(row) }

  @Test(arguments: [
    Row(true, .known(.billingError), before, .billingRetry),
    Row(true, .known(.billingError), now, .billingRetry),
    Row(false, nil, after, .active),
    Row(false, .known(.billingError), after, .expired),
    Row(true, nil, nil, .billingRetry),
    Row(true, nil, after, .gracePeriod),
    Row(true, .known(.autoRenewDisabled), nil, .billingRetry),
    Row(false, .known(.autoRenewDisabled), nil, .expired),
    Row(false, .known(.didNotConsentToPriceIncrease), nil, .expired),
    Row(false, .known(.productUnavailable), nil, .expired),
    Row(false, .known(.unknown), nil, .expired),
    Row(false, .unknown(9), nil, .expired),
  ])
  func everyOtherCombinationHasAnAnswerToo(_ row: Row) { expectResult(row) }

  @Test(arguments: [
    (Entitlement.active, true), (.gracePeriod, true), (.billingRetry, false), (.expired, false), (.revoked, false),
  ])
  func serviceIsDueWhileActiveAndInTheGracePeriod(_ entitlement: Entitlement, _ isEntitled: Bool) {
    #expect(entitlement.isEntitled == isEntitled)
  }

  private func expectResult(_ row: Row, at place: SourceLocation = #_sourceLocation) {
    let result = Entitlement(
      isInBillingRetry: row.retry, expirationReason: row.reason, gracePeriodExpirationDate: row.grace, at: Self.now)
    #expect(result == row.result, sourceLocation: place)
  }
}
