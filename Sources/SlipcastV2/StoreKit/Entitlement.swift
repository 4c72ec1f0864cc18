public import SlipcastWire

/// Whether a customer is to be served, and why.
///
/// | isInBillingRetry | expirationReason | gracePeriodExpirationDate | entitlement |
/// | --- | --- | --- | --- |
/// | false | none | – | `active` |
/// | true | billingError | later | `gracePeriod`, until that date |
/// | true | billingError | none, or past | `billingRetry` |
/// | false | billingError | – | `expired` |
///
/// Source: StoreKit, isInBillingRetry; `revoked` is its RenewalState.
public enum Entitlement: String, CaseIterable, Hashable, Sendable {
  /// Active: service is due.
  case active
  /// In the billing grace period: service is due until it ends.
  case gracePeriod
  /// In billing retry: no service is due until a payment goes through.
  case billingRetry
  /// Expired: no service is due.
  case expired
  /// Refunded, or gone from Family Sharing: no service is due.
  case revoked

  /// Whether service is due.
  public var isEntitled: Bool {
    switch self {
    case .active, .gracePeriod: true
    case .billingRetry, .expired, .revoked: false
    }
  }

  /// Reads StoreKit's table, for every combination of values; never gives `revoked`, which only a status tells.
  ///
  /// The table lists four combinations. The others follow from what its columns mean: billing retry happens only
  /// after a billing issue, whatever reason stands beside it, and a reason without retry means expired. A grace period
  /// lies within billing retry, so its date counts for nothing without it.
  ///
  /// - Parameters:
  ///   - isInBillingRetry: Whether the App Store is trying to renew the expired subscription.
  ///   - reason: Why the subscription expired, `nil` while it has not.
  ///   - graceEnd: When the billing grace period ends; service is due before this time, not at it.
  ///   - time: The time to judge at.
  public init(
    isInBillingRetry: Bool, expirationReason reason: Open<StoreKitRenewalInfo.ExpirationReason>?,
    gracePeriodExpirationDate graceEnd: Timestamp?, at time: Timestamp
  ) {
    if isInBillingRetry {
      self = graceEnd.map { time < $0 } == true ? .gracePeriod : .billingRetry
    } else {
      self = reason == nil ? .active : .expired
    }
  }
}
