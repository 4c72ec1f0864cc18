public import SlipcastWire

/// A transaction: one purchase or one renewal.
///
/// Text: ids of family-shared transactions do not fit a `Double`.
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

  /// Apple's name of the object.
  public static let modelName = "JWSTransactionDecodedPayload"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("originalTransactionId", in: page, { $0.originalTransactionId }, { $0.originalTransactionId = $1 }),
    .text("transactionId", in: page, { $0.transactionId }, { $0.transactionId = $1 }),
    .text("webOrderLineItemId", in: page, { $0.webOrderLineItemId }, { $0.webOrderLineItemId = $1 }),
    .text("bundleId", in: page, { $0.bundleId }, { $0.bundleId = $1 }),
    .text("productId", in: page, { $0.productId }, { $0.productId = $1 }),
    .text(
      "subscriptionGroupIdentifier", in: page, { $0.subscriptionGroupIdentifier },
      { $0.subscriptionGroupIdentifier = $1 }),
    .milliseconds("purchaseDate", in: page, { $0.purchaseDate }, { $0.purchaseDate = $1 }),
    .milliseconds("originalPurchaseDate", in: page, { $0.originalPurchaseDate }, { $0.originalPurchaseDate = $1 }),
    .milliseconds("expiresDate", in: page, { $0.expiresDate }, { $0.expiresDate = $1 }),
    .integer32("quantity", in: page, { $0.quantity }, { $0.quantity = $1 }),
    .word("type", in: page, of: "type", { $0.type }, { $0.type = $1 }),
    .uuid("appAccountToken", in: page, { $0.appAccountToken }, { $0.appAccountToken = $1 }),
    .word(
      "inAppOwnershipType", in: page, of: "inAppOwnershipType", { $0.inAppOwnershipType },
      { $0.inAppOwnershipType = $1 }),
    .milliseconds("signedDate", in: page, { $0.signedDate }, { $0.signedDate = $1 }),
    .code("revocationReason", in: page, of: "revocationReason", { $0.revocationReason }, { $0.revocationReason = $1 }),
    .milliseconds("revocationDate", in: page, { $0.revocationDate }, { $0.revocationDate = $1 }),
    .boolean("isUpgraded", in: page, { $0.isUpgraded }, { $0.isUpgraded = $1 }),
    .code("offerType", in: page, of: "offerType", { $0.offerType }, { $0.offerType = $1 }),
    .text("offerIdentifier", in: page, { $0.offerIdentifier }, { $0.offerIdentifier = $1 }),
    .word("environment", in: page, of: "environment", { $0.environment }, { $0.environment = $1 }),
    .text("storefront", in: page, { $0.storefront }, { $0.storefront = $1 }),
    .text("storefrontId", in: page, { $0.storefrontId }, { $0.storefrontId = $1 }),
    .word(
      "transactionReason", in: page, of: "transactionReason", { $0.transactionReason }, { $0.transactionReason = $1 }),
    .integer64("price", in: page, kind: .milliunits, { $0.price }, { $0.price = $1 }),
    .text("currency", in: page, { $0.currency }, { $0.currency = $1 }),
    .word(
      "offerDiscountType", in: page, of: "offerDiscountType", { $0.offerDiscountType }, { $0.offerDiscountType = $1 }),
    .text("appTransactionId", in: page, { $0.appTransactionId }, { $0.appTransactionId = $1 }),
    .text("offerPeriod", in: page, { $0.offerPeriod }, { $0.offerPeriod = $1 }),
    .word("revocationType", in: page, of: "revocationType", { $0.revocationType }, { $0.revocationType = $1 }),
    .integer32("revocationPercentage", in: page, { $0.revocationPercentage }, { $0.revocationPercentage = $1 }),
    .word("billingPlanType", in: page, of: "billingPlanType", { $0.billingPlanType }, { $0.billingPlanType = $1 }),
    .object("commitmentInfo", in: page, { $0.commitmentInfo }, { $0.commitmentInfo = $1 }),
    .object("advancedCommerceInfo", in: page, { $0.advancedCommerceInfo }, { $0.advancedCommerceInfo = $1 }),
    .text(
      "previousOriginalTransactionId", in: page, { $0.previousOriginalTransactionId },
      { $0.previousOriginalTransactionId = $1 }),
    .object("multiSeatInfo", in: page, { $0.multiSeatInfo }, { $0.multiSeatInfo = $1 }),
    .word(
      "additionalTransactionReason", in: page, of: "additionalTransactionReason", { $0.additionalTransactionReason },
      { $0.additionalTransactionReason = $1 }),
  ]

  private static let page = "App Store Server Notifications, JWSTransactionDecodedPayload"
}
