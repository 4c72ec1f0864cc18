internal import SlipcastV2

extension EventTable {
  /// The columns of CSV output in their order.
  static let columns = {
    let places = Dictionary(uniqueKeysWithValues: firstColumns.enumerated().map { ($1, $0) })
    return EventColumns().all.enumerated().sorted {
      (places[$0.element.name] ?? places.count, $0.offset) < (places[$1.element.name] ?? places.count, $1.offset)
    }.map(\.element)
  }()

  /// Columns about Slipcast's reading of the event.
  static let accountColumns = [
    TableColumn("rule", .text, about: "migration.rule"),
    TableColumn("confidence", .text, about: "migration.confidence"),
    TableColumn("candidates", .list, about: "migration.candidates"),
    TableColumn("absorbedInto", .text, about: "migration.absorbed.into"),
    TableColumn("settledFrom", .text, about: "migration.settled.from"),
    TableColumn("autoRenewOnSince", .time, about: "migration.autoRenewOnSince"),
  ]

  static let accountNames = accountColumns.map(\.name)

  /// The columns of CSV output with their types.
  package static let description = TableDescription(
    "events", about: "One row for each event of convert --to FILE.csv; see Examples/archives.md.",
    columns: columns.map(\.description) + accountColumns)

  /// The order of the columns that tables had first; those of later members follow in the order of the schemas.
  ///
  /// The id comes first: some ids are decided when the row is written already, and replaced in it.
  static let firstColumns = """
    notificationUUID notificationType subtype version signedDate environment bundleId appAppleId bundleVersion status
    consumptionRequestReason originalTransactionId subscriptionGroupIdentifier transactionId webOrderLineItemId
    productId type inAppOwnershipType purchaseDate originalPurchaseDate expiresDate quantity appAccountToken
    transactionReason additionalTransactionReason isUpgraded revocationDate revocationReason revocationType
    revocationPercentage offerType offerIdentifier offerDiscountType offerPeriod storefront storefrontId price
    currency billingPlanType previousOriginalTransactionId appTransactionId transactionSignedDate billingPeriodNumber
    totalBillingPeriods commitmentPrice commitmentExpiresDate invitationManagement revokedSeatQuantity autoRenewStatus
    autoRenewProductId renewalProductId expirationIntent isInBillingRetryPeriod gracePeriodExpiresDate
    priceIncreaseStatus renewalDate recentSubscriptionStartDate renewalOfferType renewalOfferIdentifier
    renewalOfferDiscountType renewalOfferPeriod renewalPrice renewalCurrency renewalBillingPlanType renewalQuantity
    renewalSignedDate commitmentAutoRenewProductId commitmentAutoRenewStatus commitmentRenewalBillingPlanType
    commitmentRenewalDate commitmentRenewalPrice requestIdentifier succeededCount failedCount externalPurchaseId
    tokenType tokenCreationDate tokenExpirationDate versionExternalIdentifier applicationVersion
    originalApplicationVersion originalPlatform receiptCreationDate preorderDate requestDate deviceVerification
    deviceVerificationNonce appOriginalPurchaseDate
    """.split { $0.isWhitespace }.map(String.init)
}
