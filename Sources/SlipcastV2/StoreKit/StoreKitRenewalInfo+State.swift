extension StoreKitRenewalInfo {
  /// The renewal state of a subscription; the raw values are those of `Status`.
  ///
  /// Source: StoreKit, Product.SubscriptionInfo.RenewalState.
  public enum State: Int32, CaseIterable, Hashable, Sendable {
    /// Active; `Status.active`.
    case subscribed = 1
    /// Expired; `Status.expired`.
    case expired = 2
    /// In billing retry, without service; `Status.billingRetry`.
    case inBillingRetryPeriod = 3
    /// In the billing grace period, with service; `Status.billingGracePeriod`.
    case inGracePeriod = 4
    /// Refunded, or gone from Family Sharing; `Status.revoked`.
    case revoked = 5
  }
}
