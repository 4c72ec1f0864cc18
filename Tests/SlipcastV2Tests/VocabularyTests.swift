@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastV2

@Suite struct VocabularyTests {
  struct Vocabulary: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let count: Int
    let documented: Int

    init<Word: CaseIterable>(_ word: Word.Type, _ documented: Int) {
      testDescription = "\(word)"
      count = word.allCases.count
      self.documented = documented
    }
  }

  static let vocabularies: [Vocabulary] = [
    Vocabulary(NotificationType.self, 25),
    Vocabulary(Subtype.self, 22),
    Vocabulary(Status.self, 5),
    Vocabulary(AutoRenewStatus.self, 2),
    Vocabulary(ExpirationIntent.self, 5),
    Vocabulary(PriceIncreaseStatus.self, 2),
    Vocabulary(OfferType.self, 5),
    Vocabulary(RevocationReason.self, 2),
    Vocabulary(ProductType.self, 4),
    Vocabulary(Environment.self, 4),
    Vocabulary(InAppOwnershipType.self, 3),
    Vocabulary(TransactionReason.self, 2),
    Vocabulary(OfferDiscountType.self, 4),
    Vocabulary(RevocationType.self, 4),
    Vocabulary(ConsumptionRequestReason.self, 5),
    Vocabulary(PurchasePlatform.self, 4),
    Vocabulary(BillingPlanType.self, 2),
    Vocabulary(TokenType.self, 2),
    Vocabulary(SendAttemptResult.self, 11),
    Vocabulary(OrderLookupStatus.self, 2),
    Vocabulary(InvitationManagement.self, 2),
    Vocabulary(AdditionalTransactionReason.self, 1),
    Vocabulary(Confidence.self, 4),
    Vocabulary(AdvancedCommercePeriod.self, 6),
    Vocabulary(AdvancedCommerceOfferPeriod.self, 9),
    Vocabulary(AdvancedCommerceOfferReason.self, 3),
    Vocabulary(AdvancedCommercePriceIncreaseInfoStatus.self, 3),
    Vocabulary(AdvancedCommerceRefundReason.self, 7),
    Vocabulary(AdvancedCommerceRefundType.self, 3),
    Vocabulary(AdvancedCommerceEffective.self, 2),
    Vocabulary(AdvancedCommerceReason.self, 3),
  ]

  @Test(arguments: vocabularies)
  func everyVocabularyHasAsManyValuesAsAppleDocuments(_ vocabulary: Vocabulary) {
    #expect(vocabulary.count == vocabulary.documented)
  }

  @Test func valuesAppleHasNotAnnouncedSurvive() throws {
    let json = #"{"notificationType":"PRICE_MAGIC","subtype":"LATER","data":{"environment":"Moon","status":6}}"#
    let body = try ResponseBodyV2DecodedPayload(json: json)
    #expect(body.notificationType == .unknown("PRICE_MAGIC"))
    #expect(body.subtype == .unknown("LATER"))
    #expect(body.data?.environment == .unknown("Moon"))
    #expect(body.data?.status == .unknown(6))
    #expect(body.json == json)
  }

  @Test func confirmedNamesOf2026AreRead() throws {
    let transaction = try JWSTransactionDecodedPayload(
      json: #"""
        {"inAppOwnershipType":"ASSIGNED","offerType":5,"revocationType":"ASSIGNMENT_REVOKE","multiSeatInfo":\#
        {"invitationManagement":"DEVELOPER","priceTiers":[{"price":4990,"quantity":3}],"revokedSeatQuantity":1},\#
        "additionalTransactionReason":"SEAT_ADDITION"}
        """#)
    #expect(transaction.inAppOwnershipType == .known(.assigned))
    #expect(transaction.offerType == .known(.retention))
    #expect(transaction.revocationType == .known(.assignmentRevoke))
    #expect(transaction.multiSeatInfo?.invitationManagement == .known(.developer))
    #expect(transaction.multiSeatInfo?.priceTiers?.first?.price == 4990)
    #expect(transaction.multiSeatInfo?.revokedSeatQuantity == 1)
    #expect(transaction.additionalTransactionReason == .known(.seatAddition))
  }

  /// StoreKit names them; no page of the server does.
  @Test(arguments: ["bundleTransactionID", "bundleOriginalTransactionID", "bundleProductID"])
  func unconfirmedNamesStayUnrecognized(_ name: String) throws {
    let json = "{\"productId\":\"a\",\"\(name)\":\"1\"}"
    let transaction = try JWSTransactionDecodedPayload(json: json)
    #expect(transaction.unrecognized.map(\.name) == [name] && transaction.json == json)
  }

  @Test func anUnconfirmedIntentStaysUnknown() throws {
    let renewal = try JWSRenewalInfoDecodedPayload(json: #"{"expirationIntent":6}"#)
    #expect(renewal.expirationIntent == .unknown(6))
  }

  @Test func valuesAreReadAsTheyAreSpelled() throws {
    let json = #"{"notificationType":"did_renew","data":{"environment":"sandbox"}}"#
    let body = try ResponseBodyV2DecodedPayload(json: json)
    #expect(body.notificationType == .unknown("did_renew"))
    #expect(body.data?.environment == .unknown("sandbox"))
  }

  @Test(arguments: NotificationType.allCases)
  func everyTypeListsItsSubtypesOnce(_ type: NotificationType) {
    #expect(!type.subtypes.isEmpty)
    #expect(Set(type.subtypes).count == type.subtypes.count)
  }

  /// No page says which type these belong to.
  static let withoutType: Set<Subtype> = [.increaseQuantity, .decreaseQuantity]

  @Test(arguments: Subtype.allCases.filter { !withoutType.contains($0) })
  func everySubtypeBelongsToAType(_ subtype: Subtype) {
    #expect(NotificationType.allCases.contains { $0.subtypes.contains(subtype) })
  }

  @Test(arguments: [
    (NotificationType.didChangeRenewalPref, true), (.didFailToRenew, true), (.didRenew, true), (.expired, true),
    (.offerRedeemed, true), (.test, true), (.refund, true), (.subscribed, false), (.didChangeRenewalStatus, false),
    (.priceIncrease, false), (.renewalExtension, false), (.externalPurchaseToken, false),
  ])
  func someTypesMayComeWithoutASubtype(_ type: NotificationType, _ may: Bool) {
    #expect(type.subtypes.contains(nil) == may)
  }
}
