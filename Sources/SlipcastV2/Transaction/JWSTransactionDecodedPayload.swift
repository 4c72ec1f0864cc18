public import SlipcastWire

/// A transaction: one purchase or one renewal.
///
/// Ids are text, because those of family-shared transactions do not fit a `Double`.
///
/// Source: App Store Server Notifications, JWSTransactionDecodedPayload.
public struct JWSTransactionDecodedPayload: FieldModel {
  /// The first transaction of the purchase.
  public var originalTransactionId: String?
  /// The transaction.
  public var transactionId: String?
  /// One subscription purchase across devices; auto-renewable subscriptions only.
  public var webOrderLineItemId: String?
  /// The app's bundle id.
  public var bundleId: String?
  /// The product.
  public var productId: String?
  /// The product's subscription group; auto-renewable subscriptions only.
  public var subscriptionGroupIdentifier: String?
  /// When the App Store charged the customer.
  public var purchaseDate: Timestamp?
  /// When the first transaction of the purchase was made.
  public var originalPurchaseDate: Timestamp?
  /// When the subscription expires or renews; auto-renewable subscriptions only.
  public var expiresDate: Timestamp?
  /// How many were bought; of a multiseat purchase the number of seats.
  public var quantity: Int32?
  /// What kind of product it is.
  public var type: Open<ProductType>?
  /// The app's own id for the customer; absent when the app set none.
  public var appAccountToken: String?
  /// Whether the customer bought it or shares it.
  public var inAppOwnershipType: Open<InAppOwnershipType>?
  /// When the App Store signed the transaction.
  public var signedDate: Timestamp?
  /// Why it was refunded.
  public var revocationReason: Open<RevocationReason>?
  /// When it was refunded or removed from Family Sharing; never for an upgrade, nor while seats remain.
  public var revocationDate: Timestamp?
  /// Whether the customer upgraded from it; Apple's servers send it only when true.
  public var isUpgraded: Bool?
  /// What kind of offer it used.
  public var offerType: Open<OfferType>?
  /// The offer; absent for introductory offers.
  public var offerIdentifier: String?
  /// The environment that signed the transaction.
  public var environment: Open<Environment>?
  /// The customer's App Store, ISO 3166-1 alpha-3.
  public var storefront: String?
  /// The customer's App Store as Apple numbers it.
  public var storefrontId: String?
  /// Whether the customer or the App Store caused it.
  public var transactionReason: Open<TransactionReason>?
  /// The price in milliunits of `currency`; of a multiseat purchase the average price of a seat.
  public var price: Int64?
  /// The currency of `price`, ISO 4217.
  public var currency: String?
  /// How the offer is paid.
  public var offerDiscountType: Open<OfferDiscountType>?
  /// The customer's download of the app.
  public var appTransactionId: String?
  /// The duration of the offer, ISO 8601.
  public var offerPeriod: String?
  /// The kind of revocation.
  public var revocationType: Open<RevocationType>?
  /// How much was refunded, in milliunits of a percent: 50000 is 50 %.
  public var revocationPercentage: Int32?
  /// How the commitment is billed.
  public var billingPlanType: Open<BillingPlanType>?
  /// The commitment that it is part of.
  public var commitmentInfo: TransactionCommitmentInfo?
  /// The Advanced Commerce details; Advanced Commerce products only.
  public var advancedCommerceInfo: AdvancedCommerceTransactionInfo?
  /// The `originalTransactionId` before a migration; documented, but in none of Apple's libraries.
  public var previousOriginalTransactionId: String?
  /// The seats of a multiseat purchase.
  public var multiSeatInfo: TransactionMultiSeatInfo?
  /// Why the period has several transactions; on all of them, and from then on also on the first one.
  public var additionalTransactionReason: Open<AdditionalTransactionReason>?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, JWSTransactionDecodedPayload"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("originalTransactionId", \.originalTransactionId),
    .text("transactionId", \.transactionId),
    .text("webOrderLineItemId", \.webOrderLineItemId),
    .text("bundleId", \.bundleId),
    .text("productId", \.productId),
    .text("subscriptionGroupIdentifier", \.subscriptionGroupIdentifier),
    .milliseconds("purchaseDate", \.purchaseDate),
    .milliseconds("originalPurchaseDate", \.originalPurchaseDate),
    .milliseconds("expiresDate", \.expiresDate),
    .integer32("quantity", \.quantity),
    .word("type", \.type, of: "type"),
    .uuid("appAccountToken", \.appAccountToken),
    .word("inAppOwnershipType", \.inAppOwnershipType),
    .milliseconds("signedDate", \.signedDate).column("transactionSignedDate"),
    .code("revocationReason", \.revocationReason),
    .milliseconds("revocationDate", \.revocationDate),
    .boolean("isUpgraded", \.isUpgraded),
    .code("offerType", \.offerType),
    .text("offerIdentifier", \.offerIdentifier),
    .word("environment", \.environment),
    .text("storefront", \.storefront),
    .text("storefrontId", \.storefrontId),
    .word("transactionReason", \.transactionReason),
    .milliunits("price", \.price),
    .text("currency", \.currency),
    .word("offerDiscountType", \.offerDiscountType),
    .text("appTransactionId", \.appTransactionId),
    .text("offerPeriod", \.offerPeriod),
    .word("revocationType", \.revocationType),
    .integer32("revocationPercentage", \.revocationPercentage),
    .word("billingPlanType", \.billingPlanType),
    .object("commitmentInfo", \.commitmentInfo),
    .object("advancedCommerceInfo", \.advancedCommerceInfo).withoutColumn,
    .text("previousOriginalTransactionId", \.previousOriginalTransactionId),
    .object("multiSeatInfo", \.multiSeatInfo).withRulesInside,
    .word("additionalTransactionReason", \.additionalTransactionReason),
  ]
}
