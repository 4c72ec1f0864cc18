package import SlipcastWire

/// Every model and vocabulary of this module by name: what lists print and what is compared with Apple's libraries.
package enum ModelCatalog {
  /// The values of one vocabulary, numbers as text.
  package struct Vocabulary: Sendable {
    package let name: String
    package let values: [String]

    init<Word: RawRepresentable & CaseIterable>(_ word: Word.Type) {
      name = "\(word)"
      values = word.allCases.map { "\($0.rawValue)" }
    }
  }

  /// Apple's objects, without Slipcast's own `migration`.
  package static let types: [any FieldModel.Type] = [
    ResponseBodyV2.self, ResponseBodyV2DecodedPayload.self, NotificationData.self, Summary.self,
    ExternalPurchaseToken.self, AppData.self, UnclaimInfo.self, JWSDecodedHeader.self,
    JWSTransactionDecodedPayload.self, TransactionCommitmentInfo.self, TransactionMultiSeatInfo.self,
    JWSRenewalInfoDecodedPayload.self, RenewalCommitmentInfo.self, RenewalMultiSeatInfo.self, MultiSeatPriceTier.self,
    AppTransaction.self, StatusResponse.self, SubscriptionGroupIdentifierItem.self, LastTransactionsItem.self,
    HistoryResponse.self, TransactionInfoResponse.self, AppTransactionInfoResponse.self, RefundHistoryResponse.self,
    OrderLookupResponse.self, NotificationHistoryResponse.self, NotificationHistoryResponseItem.self,
    SendAttemptItem.self, DecodedRealtimeRequestBody.self, AdvancedCommerceTransactionInfo.self,
    AdvancedCommerceTransactionItem.self, AdvancedCommerceRenewalInfo.self, AdvancedCommerceRenewalItem.self,
    AdvancedCommercePriceIncreaseInfo.self, AdvancedCommerceDescriptors.self, AdvancedCommerceOffer.self,
    AdvancedCommerceRefund.self,
  ]

  /// Slipcast's own objects in converted records.
  package static let ownTypes: [any FieldModel.Type] = [
    Migration.self, MigrationCandidate.self, MigrationAbsorbed.self, MigrationCompanion.self, MigrationSettled.self,
    MigrationWitness.self,
  ]

  package static let models = types.map { ObjectSchema($0) }
  package static let ownModels = ownTypes.map { ObjectSchema($0) }

  /// Members that hold signed texts, each with the member that decoded records have instead.
  package static let decodedNames = Dictionary(
    models.flatMap(\.fields).compactMap { field in field.traits.decoded.map { (field.name, $0.name) } },
    uniquingKeysWith: { first, _ in first })

  /// Apple's enumerations.
  package static let vocabularies: [Vocabulary] =
    ([
      NotificationType.self, Subtype.self, Status.self, AutoRenewStatus.self, ExpirationIntent.self,
      PriceIncreaseStatus.self, OfferType.self, RevocationReason.self, ProductType.self, Environment.self,
      InAppOwnershipType.self, TransactionReason.self, OfferDiscountType.self, RevocationType.self,
      ConsumptionRequestReason.self, PurchasePlatform.self, BillingPlanType.self, TokenType.self,
      SendAttemptResult.self, OrderLookupStatus.self, InvitationManagement.self, AdditionalTransactionReason.self,
      AdvancedCommercePeriod.self, AdvancedCommerceOfferPeriod.self, AdvancedCommerceOfferReason.self,
      AdvancedCommercePriceIncreaseInfoStatus.self, AdvancedCommerceRefundReason.self,
      AdvancedCommerceRefundType.self, AdvancedCommerceEffective.self, AdvancedCommerceReason.self,
    ] as [any (RawRepresentable & CaseIterable).Type]).map { Vocabulary($0) }
}
