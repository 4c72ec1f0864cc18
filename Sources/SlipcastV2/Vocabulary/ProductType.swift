/// What kind of product was bought.
///
/// Source: App Store Server Notifications, type.
public enum ProductType: String, CaseIterable, Hashable, Sendable {
  /// A subscription that renews by itself.
  case autoRenewableSubscription = "Auto-Renewable Subscription"
  /// A purchase that lasts.
  case nonConsumable = "Non-Consumable"
  /// A purchase that is used up.
  case consumable = "Consumable"
  /// A subscription for a fixed time.
  case nonRenewingSubscription = "Non-Renewing Subscription"
}
