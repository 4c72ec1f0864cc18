/// Why a subscription expired.
///
/// Source: App Store Server Notifications, expirationIntent.
public enum ExpirationIntent: Int32, CaseIterable, Hashable, Sendable {
  /// The customer cancelled.
  case customerCancelled = 1
  /// Billing failed, for example because a card was no longer valid.
  case billingError = 2
  /// The customer did not consent to a price increase that needs consent.
  case noConsentToPriceIncrease = 3
  /// The product was not for sale at renewal.
  case productNotAvailable = 4
  /// Another reason.
  case other = 5
}
