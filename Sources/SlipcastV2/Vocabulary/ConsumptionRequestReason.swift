/// The reason that a customer gave for a refund request.
///
/// Source: App Store Server Notifications, consumptionRequestReason.
public enum ConsumptionRequestReason: String, CaseIterable, Hashable, Sendable {
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
}
