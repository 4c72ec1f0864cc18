/// How a subscription with a commitment is billed.
///
/// Source: App Store Server Notifications, billingPlanType and renewalBillingPlanType.
public enum BillingPlanType: String, CaseIterable, Hashable, Sendable {
  /// One payment for the whole commitment.
  case billedUpfront = "BILLED_UPFRONT"
  /// A payment in each month of the commitment.
  case monthly = "MONTHLY"
}
