/// Whether the subscription renews at the end of its period.
///
/// Source: App Store Server Notifications, autoRenewStatus.
public enum AutoRenewStatus: Int32, CaseIterable, Hashable, Sendable {
  /// The customer turned automatic renewal off.
  case off = 0
  /// The subscription will renew.
  case on = 1
}
