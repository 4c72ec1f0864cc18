internal import SlipcastReceipts

extension Subscription {
  /// The states of a subscription, as providers distinguish them.
  enum State: String, CaseIterable { case active, trial, expired, billingRetry, grace, revoked, unknown }

  /// Apple tries to charge for so long after the end: then the subscription has ended whatever the records leave open.
  private static let retry: Int64 = 60 * 86_400_000

  /// The state at the time of the newest record that shows it; never at the current time.
  var state: State {
    if newest.revocationDate != nil { return .revoked }
    // A status holds for the period that was the newest one then.
    if let status, (status.asOf ?? .max) >= (newest.purchaseDate ?? .min) {
      switch status.status {
      case 1: return isTrial ? .trial : .active
      case 2: return .expired
      case 3: return .billingRetry
      case 4: return .grace
      default: return .revoked
      }
    }
    guard let end = newest.expiresDate, let seen else { return .unknown }
    if end > seen { return isTrial ? .trial : .active }
    if let grace = renewal?.gracePeriodExpiresDate, grace > seen { return .grace }
    if renewal?.isInBillingRetryPeriod == true { return .billingRetry }
    if renewal?.expirationIntent != nil || end + Self.retry < seen { return .expired }
    return .unknown
  }

  private var isTrial: Bool { newest.offerDiscountType == "FREE_TRIAL" }

  static let renewalWords = ["on", "off", "otherProduct", "consentNeeded"]

  /// What happens at the end of the period; `nil` where no record says it.
  var renewalWord: String? {
    guard let renewal, let status = renewal.autoRenewStatus else { return nil }
    if status == 0 { return "off" }
    if renewal.priceIncreaseStatus == 0 { return "consentNeeded" }
    guard let next = renewal.autoRenewProductId, let own = newest.productId, next != own else { return "on" }
    return "otherProduct"
  }
}
