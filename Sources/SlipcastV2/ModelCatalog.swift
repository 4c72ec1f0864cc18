package import SlipcastWire

/// Every model and vocabulary of this module by name: what lists print and what is compared with Apple's libraries.
package enum ModelCatalog {
  /// The members of one model, in the order in which they are written.
  package struct Model: Sendable {
    package let name: String
    package let members: [(name: String, kind: FieldKind, document: String)]

    init<Fields: FieldModel>(_ model: Fields.Type) {
      name = model.modelName
      members = model.fields.map { ($0.name, $0.kind, $0.document) }
    }
  }

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
  package static let models: [Model] = [
    Model(ResponseBodyV2.self), Model(ResponseBodyV2DecodedPayload.self), Model(NotificationData.self),
    Model(Summary.self), Model(ExternalPurchaseToken.self), Model(AppData.self), Model(UnclaimInfo.self),
    Model(JWSDecodedHeader.self), Model(JWSTransactionDecodedPayload.self), Model(TransactionCommitmentInfo.self),
    Model(TransactionMultiSeatInfo.self), Model(JWSRenewalInfoDecodedPayload.self), Model(RenewalCommitmentInfo.self),
    Model(RenewalMultiSeatInfo.self), Model(MultiSeatPriceTier.self), Model(AppTransaction.self),
    Model(StatusResponse.self), Model(SubscriptionGroupIdentifierItem.self), Model(LastTransactionsItem.self),
    Model(HistoryResponse.self), Model(TransactionInfoResponse.self), Model(AppTransactionInfoResponse.self),
    Model(RefundHistoryResponse.self), Model(OrderLookupResponse.self), Model(NotificationHistoryResponse.self),
    Model(NotificationHistoryResponseItem.self), Model(SendAttemptItem.self), Model(DecodedRealtimeRequestBody.self),
    Model(AdvancedCommerceTransactionInfo.self), Model(AdvancedCommerceTransactionItem.self),
    Model(AdvancedCommerceRenewalInfo.self), Model(AdvancedCommerceRenewalItem.self),
    Model(AdvancedCommercePriceIncreaseInfo.self), Model(AdvancedCommerceDescriptors.self),
    Model(AdvancedCommerceOffer.self), Model(AdvancedCommerceRefund.self),
  ]

  /// Slipcast's own objects in converted records.
  package static let ownModels: [Model] = [
    Model(Migration.self), Model(MigrationCandidate.self), Model(MigrationAbsorbed.self),
    Model(MigrationCompanion.self), Model(MigrationSettled.self), Model(MigrationWitness.self),
  ]

  /// Apple's enumerations.
  package static let vocabularies: [Vocabulary] = [
    Vocabulary(NotificationType.self), Vocabulary(Subtype.self), Vocabulary(Status.self),
    Vocabulary(AutoRenewStatus.self), Vocabulary(ExpirationIntent.self), Vocabulary(PriceIncreaseStatus.self),
    Vocabulary(OfferType.self), Vocabulary(RevocationReason.self), Vocabulary(ProductType.self),
    Vocabulary(Environment.self), Vocabulary(InAppOwnershipType.self), Vocabulary(TransactionReason.self),
    Vocabulary(OfferDiscountType.self), Vocabulary(RevocationType.self), Vocabulary(ConsumptionRequestReason.self),
    Vocabulary(PurchasePlatform.self), Vocabulary(BillingPlanType.self), Vocabulary(TokenType.self),
    Vocabulary(SendAttemptResult.self), Vocabulary(OrderLookupStatus.self), Vocabulary(InvitationManagement.self),
    Vocabulary(AdditionalTransactionReason.self), Vocabulary(AdvancedCommercePeriod.self),
    Vocabulary(AdvancedCommerceOfferPeriod.self), Vocabulary(AdvancedCommerceOfferReason.self),
    Vocabulary(AdvancedCommercePriceIncreaseInfoStatus.self), Vocabulary(AdvancedCommerceRefundReason.self),
    Vocabulary(AdvancedCommerceRefundType.self), Vocabulary(AdvancedCommerceEffective.self),
    Vocabulary(AdvancedCommerceReason.self),
  ]
}
