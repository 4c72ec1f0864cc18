internal import SlipcastMapping
internal import SlipcastV2

// The columns of CSV output, in their order. `EventTableTests` compares them with the members of all models.
extension EventTable {
  // The id comes first: some ids are decided when the row is written already, and replaced in it.
  static let columns = event + app + transaction + renewal + notificationKinds

  /// Columns about Slipcast's reading of the event.
  static let accountNames = ["rule", "confidence", "candidates", "absorbedInto", "settledFrom", "autoRenewOnSince"]

  private static let event = ["notificationUUID", "notificationType", "subtype", "version", "signedDate"].map {
    EventColumn($0, nil, .notification)
  }

  private static let app =
    ["environment", "bundleId", "appAppleId"].map { name in
      EventColumn(name, nil, .data, .history, .statuses, .transaction, .renewal).or(in: Summary.self, at: "summary")
        .or(in: ExternalPurchaseToken.self, at: "externalPurchaseToken").or(in: AppData.self, at: "appData")
        .or(name == "environment" ? "receiptType" : nil, in: AppTransaction.self, at: "appData.appTransactionInfo")
    }
    + [
      EventColumn("bundleVersion", nil, .data), EventColumn("status", nil, .data, .item),
      EventColumn("consumptionRequestReason", nil, .data),
      EventColumn("originalTransactionId", nil, .transaction, .renewal, .item),
      EventColumn("subscriptionGroupIdentifier", nil, .transaction, .group),
    ]

  private static let transaction =
    ["transactionId", "webOrderLineItemId"].map { EventColumn($0, nil, .transaction) }
    + [EventColumn("productId", nil, .transaction).or(in: Summary.self, at: "summary")]
    + [
      "type", "inAppOwnershipType", "purchaseDate", "originalPurchaseDate", "expiresDate", "quantity",
    ].map { EventColumn($0, nil, .transaction) }
    + [EventColumn("appAccountToken", nil, .transaction, .renewal)]
    + [
      "transactionReason", "additionalTransactionReason", "isUpgraded", "revocationDate", "revocationReason",
      "revocationType", "revocationPercentage", "offerType", "offerIdentifier", "offerDiscountType", "offerPeriod",
      "storefront", "storefrontId", "price", "currency", "billingPlanType", "previousOriginalTransactionId",
    ].map { EventColumn($0, nil, .transaction) }
    + [
      EventColumn("appTransactionId", nil, .transaction, .renewal)
        .or(in: AppTransaction.self, at: "appData.appTransactionInfo"),
      EventColumn("transactionSignedDate", "signedDate", .transaction),
    ]
    + ["billingPeriodNumber", "totalBillingPeriods", "commitmentPrice", "commitmentExpiresDate"].map {
      EventColumn($0, in: TransactionCommitmentInfo.self, at: "data.transactionInfo.commitmentInfo")
    }
    + ["invitationManagement", "revokedSeatQuantity"].map {
      EventColumn($0, in: TransactionMultiSeatInfo.self, at: "data.transactionInfo.multiSeatInfo")
    }

  private static let renewal =
    ["autoRenewStatus", "autoRenewProductId"].map { EventColumn($0, nil, .renewal) }
    + [EventColumn("renewalProductId", "productId", .renewal)]
    + [
      "expirationIntent", "isInBillingRetryPeriod", "gracePeriodExpiresDate", "priceIncreaseStatus", "renewalDate",
      "recentSubscriptionStartDate",
    ].map { EventColumn($0, nil, .renewal) }
    + [
      EventColumn("renewalOfferType", "offerType", .renewal),
      EventColumn("renewalOfferIdentifier", "offerIdentifier", .renewal),
      EventColumn("renewalOfferDiscountType", "offerDiscountType", .renewal),
      EventColumn("renewalOfferPeriod", "offerPeriod", .renewal), EventColumn("renewalPrice", nil, .renewal),
      EventColumn("renewalCurrency", "currency", .renewal), EventColumn("renewalBillingPlanType", nil, .renewal),
      EventColumn("renewalQuantity", nil, .renewal), EventColumn("renewalSignedDate", "signedDate", .renewal),
    ]
    + [
      "commitmentAutoRenewProductId", "commitmentAutoRenewStatus", "commitmentRenewalBillingPlanType",
      "commitmentRenewalDate", "commitmentRenewalPrice",
    ].map { EventColumn($0, in: RenewalCommitmentInfo.self, at: "data.renewalInfo.commitmentInfo") }

  /// Members of notifications that are about something else than a transaction.
  private static let notificationKinds =
    ["requestIdentifier", "succeededCount", "failedCount"].map {
      EventColumn($0, in: Summary.self, at: "summary")
    }
    + ["externalPurchaseId", "tokenType", "tokenCreationDate", "tokenExpirationDate"].map {
      EventColumn($0, in: ExternalPurchaseToken.self, at: "externalPurchaseToken")
    }
    + [
      "versionExternalIdentifier", "applicationVersion", "originalApplicationVersion", "originalPlatform",
      "receiptCreationDate", "preorderDate", "requestDate", "deviceVerification", "deviceVerificationNonce",
    ].map { EventColumn($0, in: AppTransaction.self, at: "appData.appTransactionInfo") }
    + [
      EventColumn(
        "appOriginalPurchaseDate", "originalPurchaseDate", in: AppTransaction.self, at: "appData.appTransactionInfo")
    ]
}
