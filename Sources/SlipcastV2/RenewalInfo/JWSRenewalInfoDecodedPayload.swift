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

  /// Apple's name of the object.
  public static let modelName = "JWSRenewalInfoDecodedPayload"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .code("expirationIntent", in: page, of: "expirationIntent", { $0.expirationIntent }, { $0.expirationIntent = $1 }),
    .text("originalTransactionId", in: page, { $0.originalTransactionId }, { $0.originalTransactionId = $1 }),
    .text("autoRenewProductId", in: page, { $0.autoRenewProductId }, { $0.autoRenewProductId = $1 }),
    .text("productId", in: page, { $0.productId }, { $0.productId = $1 }),
    .code("autoRenewStatus", in: page, of: "autoRenewStatus", { $0.autoRenewStatus }, { $0.autoRenewStatus = $1 }),
    .boolean("isInBillingRetryPeriod", in: page, { $0.isInBillingRetryPeriod }, { $0.isInBillingRetryPeriod = $1 }),
    .code(
      "priceIncreaseStatus", in: page, of: "priceIncreaseStatus", { $0.priceIncreaseStatus },
      { $0.priceIncreaseStatus = $1 }),
    .milliseconds(
      "gracePeriodExpiresDate", in: page, { $0.gracePeriodExpiresDate }, { $0.gracePeriodExpiresDate = $1 }),
    .code("offerType", in: page, of: "offerType", { $0.offerType }, { $0.offerType = $1 }),
    .text("offerIdentifier", in: page, { $0.offerIdentifier }, { $0.offerIdentifier = $1 }),
    .milliseconds("signedDate", in: page, { $0.signedDate }, { $0.signedDate = $1 }),
    .word("environment", in: page, of: "environment", { $0.environment }, { $0.environment = $1 }),
    .milliseconds(
      "recentSubscriptionStartDate", in: page, { $0.recentSubscriptionStartDate },
      { $0.recentSubscriptionStartDate = $1 }),
    .milliseconds("renewalDate", in: page, { $0.renewalDate }, { $0.renewalDate = $1 }),
    .integer64("renewalPrice", in: page, kind: .milliunits, { $0.renewalPrice }, { $0.renewalPrice = $1 }),
    .text("currency", in: page, { $0.currency }, { $0.currency = $1 }),
    .word(
      "offerDiscountType", in: page, of: "offerDiscountType", { $0.offerDiscountType }, { $0.offerDiscountType = $1 }),
    .texts("eligibleWinBackOfferIds", in: page, { $0.eligibleWinBackOfferIds }, { $0.eligibleWinBackOfferIds = $1 }),
    .uuid("appAccountToken", in: page, { $0.appAccountToken }, { $0.appAccountToken = $1 }),
    .text("appTransactionId", in: page, { $0.appTransactionId }, { $0.appTransactionId = $1 }),
    .text("offerPeriod", in: page, { $0.offerPeriod }, { $0.offerPeriod = $1 }),
    .object("advancedCommerceInfo", in: page, { $0.advancedCommerceInfo }, { $0.advancedCommerceInfo = $1 }),
    .object("commitmentInfo", in: page, { $0.commitmentInfo }, { $0.commitmentInfo = $1 }),
    .word(
      "renewalBillingPlanType", in: page, of: "billingPlanType", { $0.renewalBillingPlanType },
      { $0.renewalBillingPlanType = $1 }),
    .integer32("renewalQuantity", in: page, { $0.renewalQuantity }, { $0.renewalQuantity = $1 }),
    .object("multiSeatInfo", in: page, { $0.multiSeatInfo }, { $0.multiSeatInfo = $1 }),
  ]

  private static let page = "App Store Server Notifications, JWSRenewalInfoDecodedPayload"
}
