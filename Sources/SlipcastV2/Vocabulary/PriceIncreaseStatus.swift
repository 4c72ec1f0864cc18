/// The state of a price increase in a renewal; absent without one.
///
/// Absent and 0 are different: only 0 means that an answer is outstanding.
///
/// Source: App Store Server Notifications, priceIncreaseStatus.
public enum PriceIncreaseStatus: Int32, CaseIterable, Hashable, Sendable {
  /// Consent is needed and the customer has not answered.
  case noResponse = 0
  /// The customer consented, or was notified of an increase that needs no consent.
  case consentedOrNotified = 1
}
