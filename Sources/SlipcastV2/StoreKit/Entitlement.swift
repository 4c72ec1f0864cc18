public import SlipcastWire

/// Whether a customer has access, and why.
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
  /// Active: the customer has access.
  case active
  /// In the billing grace period: the customer has access until it ends.
  case gracePeriod
  /// In billing retry: no access until a payment succeeds.
  case billingRetry
  /// Expired: no access.
  case expired
  /// Refunded, or removed from Family Sharing: no access.
  case revoked

  /// Whether the customer has access.
  public var isEntitled: Bool {
    switch self {
    case .active, .gracePeriod: true
    case .billingRetry, .expired, .revoked: false
    }
  }

  /// Applies StoreKit's table to any combination of values; never returns `revoked`, which only a status contains.
  ///
  /// The table lists four combinations. The others follow from the meaning of its columns: billing retry happens only
  /// after a billing issue, whatever the reason states, and a reason without retry means expired. A grace period is
  /// part of billing retry, so its date has no effect without it.
  ///
  /// - Parameters:
  ///   - isInBillingRetry: Whether the App Store is trying to renew the expired subscription.
  ///   - reason: Why the subscription expired, `nil` while it has not.
  ///   - graceEnd: When the billing grace period ends; access ends at this time.
  ///   - time: The reference time.
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
