/// Why an Advanced Commerce item was refunded.
///
/// Source: App Store Server Notifications, advancedCommerceRefundReason.
public enum AdvancedCommerceRefundReason: String, CaseIterable, Hashable, Sendable {
  /// The purchase was not meant.
  case unintendedPurchase = "UNINTENDED_PURCHASE"
  /// The product was not delivered or did not work.
  case fulfillmentIssue = "FULFILLMENT_ISSUE"
  /// The customer is not satisfied.
  case unsatisfiedWithPurchase = "UNSATISFIED_WITH_PURCHASE"
  /// A legal reason.
  case legal = "LEGAL"
  /// Another reason.
  case other = "OTHER"
  /// The customer changed the items of the subscription.
  case modifyItemsRefund = "MODIFY_ITEMS_REFUND"
  /// A test in Sandbox: the App Store declines the refund.
  case simulateRefundDecline = "SIMULATE_REFUND_DECLINE"
}
