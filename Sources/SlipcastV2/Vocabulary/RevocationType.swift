/// How a transaction was taken back.
///
/// Source: App Store Server Notifications, revocationType.
public enum RevocationType: String, CaseIterable, Hashable, Sendable {
  /// Refunded in full.
  case refundFull = "REFUND_FULL"
  /// Refunded in part.
  case refundProrated = "REFUND_PRORATED"
  /// No longer shared with the family; nothing was refunded.
  case familyRevoke = "FAMILY_REVOKE"
}
