/// How much of an Advanced Commerce item was refunded.
///
/// Source: App Store Server Notifications, advancedCommerceRefundType.
public enum AdvancedCommerceRefundType: String, CaseIterable, Hashable, Sendable {
  /// All of it.
  case full = "FULL"
  /// The part not used.
  case prorated = "PRORATED"
  /// An amount of choice.
  case custom = "CUSTOM"
}
