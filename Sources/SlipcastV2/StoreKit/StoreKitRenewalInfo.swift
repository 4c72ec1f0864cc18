public import SlipcastWire

/// A subscription's renewal as an app sees it: the server's renewal information and status in StoreKit's vocabulary.
///
/// Source: StoreKit, Product.SubscriptionInfo.RenewalInfo and Product.SubscriptionInfo.Status.
public struct StoreKitRenewalInfo: Hashable, Sendable {
  /// The renewal state; `nil` when the status is unknown.
  public var state: Open<State>?
  /// Whether the subscription renews; `nil` when the server did not state it.
  public var willAutoRenew: Bool?
  /// The product that renews next; `nil` when the subscription will not renew.
  ///
  /// The server keeps `autoRenewProductId` in that case, so the two may differ without a contradiction.
  public var autoRenewPreference: String?
  /// Why the subscription expired; `nil` while it has not.
  public var expirationReason: Open<ExpirationReason>?
  /// Whether the App Store is trying to renew the expired subscription; `nil` when neither flag nor status states it.
  public var isInBillingRetry: Bool?
  /// When the billing grace period ends; `nil` outside a grace period.
  ///
  /// The server keeps `gracePeriodExpiresDate` after that day.
  public var gracePeriodExpirationDate: Timestamp?
  /// The offer of the next period; `nil` for an introductory offer and without an offer.
  public var offerID: String?
  /// The kind of offer of the next period; `nil` without an offer.
  public var offerType: Open<OfferType>?
  /// The current product.
  public var currentProductID: String?
  /// The state of a price increase; an unknown server code is kept as text.
  public var priceIncreaseStatus: Open<PriceIncreaseStatus>
  /// When the latest period ends, or ended.
  public var renewalDate: Timestamp?
  /// When the subscription began, lapses of up to 60 days ignored.
  public var recentSubscriptionStartDate: Timestamp?
  /// The first transaction; `nil` when the server's text is not a 64-bit number.
  public var originalTransactionID: UInt64?
  /// The environment that signed the renewal information.
  public var environment: Open<Environment>?
  /// When the App Store signed the renewal information.
  public var signedDate: Timestamp?
  /// The time for which the view holds.
  public var asOf: Timestamp

  /// Creates the view from the server's renewal information.
  ///
  /// - Parameters:
  ///   - info: The renewal information.
  ///   - status: The status that came with it, if any.
  ///   - time: The time at which the grace period is evaluated: the event's time for an event, not the current time.
  public init(_ info: JWSRenewalInfoDecodedPayload, status: Open<Status>?, asOf time: Timestamp) {
    // The server may say false in a grace period; StoreKit says true throughout.
    let isRetryingByStatus = status?.known.map { $0 == .billingRetry || $0 == .billingGracePeriod }
    let isRetrying = isRetryingByStatus == true ? true : info.isInBillingRetryPeriod ?? isRetryingByStatus
    state = status.map { Open(rawValue: $0.rawValue) }
    willAutoRenew = info.autoRenewStatus?.known.map { $0 == .on }
    // The server may state a reason up to a minute before the expiry.
    expirationReason = status == .known(.active) ? nil : info.expirationIntent.map { Open(rawValue: $0.rawValue) }
    isInBillingRetry = isRetrying
    offerType = info.offerType.map { Open(rawValue: $0.rawValue) }
    currentProductID = info.productId
    priceIncreaseStatus = PriceIncreaseStatus.of(info.priceIncreaseStatus)
    renewalDate = info.renewalDate
    recentSubscriptionStartDate = info.recentSubscriptionStartDate
    originalTransactionID = info.originalTransactionId.flatMap { UInt64($0) }
    environment = info.environment
    signedDate = info.signedDate
    asOf = time

    let hasLapsed = expirationReason != nil && isRetrying != true
    autoRenewPreference = willAutoRenew == false || hasLapsed ? nil : info.autoRenewProductId
    let graceEnd = info.gracePeriodExpiresDate.flatMap { time < $0 ? $0 : nil }
    gracePeriodExpirationDate = isRetrying == true ? graceEnd : nil
    offerID = offerType == nil || offerType == .known(.introductory) ? nil : info.offerIdentifier
  }

  /// Whether the customer has access at the time of the view, and why.
  ///
  /// A revoked or expired state decides alone; otherwise StoreKit's table decides. An unknown billing retry counts as
  /// no retry.
  public var entitlement: Entitlement {
    switch state {
    case .known(.revoked): .revoked
    case .known(.expired): .expired
    default:
      Entitlement(
        isInBillingRetry: isInBillingRetry ?? false, expirationReason: expirationReason,
        gracePeriodExpirationDate: gracePeriodExpirationDate, at: asOf)
    }
  }
}
