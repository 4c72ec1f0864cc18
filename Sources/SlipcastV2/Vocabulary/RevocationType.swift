/// The kind of revocation of a transaction.
///
/// Source: App Store Server Notifications, revocationType.
public enum RevocationType: String, CaseIterable, Hashable, Sendable {
  /// Refunded in full.
  case refundFull = "REFUND_FULL"
  /// Refunded in part.
  case refundProrated = "REFUND_PRORATED"
  /// No longer shared with the family; nothing was refunded.
  case familyRevoke = "FAMILY_REVOKE"
  /// The organization or the purchaser removed the seat; nothing was refunded, and no family is involved.
  case assignmentRevoke = "ASSIGNMENT_REVOKE"
}
