extension StoreKitRenewalInfo {
  /// Why a subscription expired; the raw values are those of `ExpirationIntent`.
  ///
  /// Source: StoreKit, Product.SubscriptionInfo.RenewalInfo.ExpirationReason.
  public enum ExpirationReason: Int32, CaseIterable, Hashable, Sendable {
    /// The customer turned automatic renewal off; `ExpirationIntent.customerCancelled`.
    case autoRenewDisabled = 1
    /// Billing failed; `ExpirationIntent.billingError`.
    case billingError = 2
    /// The customer did not consent to a price increase; `ExpirationIntent.noConsentToPriceIncrease`.
    case didNotConsentToPriceIncrease = 3
    /// The product was not for sale at renewal; `ExpirationIntent.productNotAvailable`.
    case productUnavailable = 4
    /// Another reason; `ExpirationIntent.other`.
    case unknown = 5
  }
}
