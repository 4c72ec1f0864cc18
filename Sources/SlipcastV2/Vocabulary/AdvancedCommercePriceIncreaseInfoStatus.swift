/// How far a price increase of an Advanced Commerce item has come.
///
/// Source: App Store Server Notifications, advancedCommercePriceIncreaseInfoStatus.
public enum AdvancedCommercePriceIncreaseInfoStatus: String, CaseIterable, Hashable, Sendable {
  /// Planned; the customer has not been told.
  case scheduled = "SCHEDULED"
  /// The customer was told and has not answered.
  case pending = "PENDING"
  /// The customer consented, or was told of an increase that needs no consent.
  case accepted = "ACCEPTED"
}
