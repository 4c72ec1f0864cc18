/// The progress of a price increase of an Advanced Commerce item.
///
/// Source: App Store Server Notifications, advancedCommercePriceIncreaseInfoStatus.
public enum AdvancedCommercePriceIncreaseInfoStatus: String, CaseIterable, Hashable, Sendable {
  /// Planned; the customer has not been notified.
  case scheduled = "SCHEDULED"
  /// The customer was notified and has not answered.
  case pending = "PENDING"
  /// The customer consented, or was notified of an increase that needs no consent.
  case accepted = "ACCEPTED"
}
