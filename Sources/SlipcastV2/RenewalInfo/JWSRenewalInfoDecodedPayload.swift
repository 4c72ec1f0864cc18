public import SlipcastWire

/// What happens, or happened, at the end of a subscription's period.
///
/// Source: App Store Server Notifications, JWSRenewalInfoDecodedPayload.
public struct JWSRenewalInfoDecodedPayload: FieldModel {
  /// Why the subscription expired; absent while it has not.
  public var expirationIntent: Open<ExpirationIntent>?
  /// The first transaction of the subscription.
  public var originalTransactionId: String?
  /// The product that renews next; kept when automatic renewal is off.
  public var autoRenewProductId: String?
  /// The current product.
  public var productId: String?
  /// Whether the subscription renews.
  public var autoRenewStatus: Open<AutoRenewStatus>?
  /// Whether the App Store is trying to renew the expired subscription.
  public var isInBillingRetryPeriod: Bool?
  /// The state of a price increase; absent without a price increase.
  public var priceIncreaseStatus: Open<PriceIncreaseStatus>?
  /// When the billing grace period ends; may be in the past.
  public var gracePeriodExpiresDate: Timestamp?
  /// What kind of offer the next renewal uses.
  public var offerType: Open<OfferType>?
  /// The offer of the next renewal; absent for introductory offers.
  public var offerIdentifier: String?
  /// When the App Store signed the renewal information.
  public var signedDate: Timestamp?
  /// The environment that signed the renewal information.
  public var environment: Open<Environment>?
  /// When the subscription began, lapses of up to 60 days ignored.
  public var recentSubscriptionStartDate: Timestamp?
  /// When the latest period ends; present for expired subscriptions too.
  public var renewalDate: Timestamp?
  /// The price of the next renewal, in milliunits of `currency`.
  public var renewalPrice: Int64?
  /// The currency of `renewalPrice`, ISO 4217.
  public var currency: String?
  /// How the offer of the next renewal is paid.
  public var offerDiscountType: Open<OfferDiscountType>?
  /// The win-back offers that the customer may use, the best first.
  public var eligibleWinBackOfferIds: [String]?
  /// The app's own id for the customer, for the next renewal.
  public var appAccountToken: String?
  /// The customer's download of the app.
  public var appTransactionId: String?
  /// The duration of the next renewal's offer, ISO 8601.
  public var offerPeriod: String?
  /// The Advanced Commerce details; Advanced Commerce products only.
  public var advancedCommerceInfo: AdvancedCommerceRenewalInfo?
  /// The commitment that starts with the next renewal.
  public var commitmentInfo: RenewalCommitmentInfo?
  /// How the commitment is billed from the next renewal on.
  public var renewalBillingPlanType: Open<BillingPlanType>?
  /// How many seats renew; may change often.
  public var renewalQuantity: Int32?
  /// The seats of the next renewal.
  public var multiSeatInfo: RenewalMultiSeatInfo?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, JWSRenewalInfoDecodedPayload"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .code("expirationIntent", \.expirationIntent),
    .text("originalTransactionId", \.originalTransactionId),
    .text("autoRenewProductId", \.autoRenewProductId),
    .text("productId", \.productId).column("renewalProductId"),
    .code("autoRenewStatus", \.autoRenewStatus),
    .boolean("isInBillingRetryPeriod", \.isInBillingRetryPeriod),
    .code("priceIncreaseStatus", \.priceIncreaseStatus),
    .milliseconds("gracePeriodExpiresDate", \.gracePeriodExpiresDate),
    .code("offerType", \.offerType).column("renewalOfferType"),
    .text("offerIdentifier", \.offerIdentifier).column("renewalOfferIdentifier"),
    .milliseconds("signedDate", \.signedDate).column("renewalSignedDate"),
    .word("environment", \.environment),
    .milliseconds("recentSubscriptionStartDate", \.recentSubscriptionStartDate),
    .milliseconds("renewalDate", \.renewalDate),
    .milliunits("renewalPrice", \.renewalPrice),
    .text("currency", \.currency).column("renewalCurrency"),
    .word("offerDiscountType", \.offerDiscountType).column("renewalOfferDiscountType"),
    .texts("eligibleWinBackOfferIds", \.eligibleWinBackOfferIds),
    .uuid("appAccountToken", \.appAccountToken),
    .text("appTransactionId", \.appTransactionId),
    .text("offerPeriod", \.offerPeriod).column("renewalOfferPeriod"),
    .object("advancedCommerceInfo", \.advancedCommerceInfo).withoutColumn,
    .object("commitmentInfo", \.commitmentInfo),
    .word("renewalBillingPlanType", \.renewalBillingPlanType),
    .integer32("renewalQuantity", \.renewalQuantity),
    .object("multiSeatInfo", \.multiSeatInfo).withRulesInside,
  ]
}
