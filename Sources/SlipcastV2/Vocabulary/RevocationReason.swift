/// Why the App Store refunded a transaction.
///
/// Source: App Store Server Notifications, revocationReason.
public enum RevocationReason: Int32, CaseIterable, Hashable, Sendable {
  /// Another reason, such as a purchase by mistake.
  case other = 0
  /// An actual or perceived issue in the app.
  case issueInApp = 1
}
