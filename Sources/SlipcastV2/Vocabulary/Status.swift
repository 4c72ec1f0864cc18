/// The state of an auto-renewable subscription when the payload was signed.
///
/// Source: App Store Server Notifications, status.
public enum Status: Int32, CaseIterable, Hashable, Sendable {
  /// Active.
  case active = 1
  /// Expired.
  case expired = 2
  /// In billing retry: no service is due.
  case billingRetry = 3
  /// In the billing grace period: service is due.
  case billingGracePeriod = 4
  /// Revoked: refunded, or gone from Family Sharing.
  case revoked = 5
}
