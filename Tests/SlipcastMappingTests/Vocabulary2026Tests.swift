import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import Testing

/// Apple's names and dates of 2026, as the rules hold them.
@Suite struct Vocabulary2026Tests {
  private static func values(_ name: String) throws -> Set<String> {
    Set(BuiltIn.rules.values.filter { $0.of == name && $0.vocabulary == "V2" }.map(\.value))
  }

  /// A value that the rules do not name counts as unknown in comparisons.
  @Test func theRulesNameEveryValueOfEveryVocabularyInATransactionOrRenewal() throws {
    func check<Word: CaseIterable & RawRepresentable>(_ word: Word.Type, _ name: String) throws {
      #expect(try Self.values(name) == Set(word.allCases.map { "\($0.rawValue)" }), "\(name)")
    }
    try check(Status.self, "status")
    try check(AutoRenewStatus.self, "autoRenewStatus")
    try check(ExpirationIntent.self, "expirationIntent")
    try check(PriceIncreaseStatus.self, "priceIncreaseStatus")
    try check(OfferType.self, "offerType")
    try check(RevocationReason.self, "revocationReason")
    try check(ProductType.self, "type")
    try check(Environment.self, "environment")
    try check(InAppOwnershipType.self, "inAppOwnershipType")
    try check(TransactionReason.self, "transactionReason")
    try check(OfferDiscountType.self, "offerDiscountType")
    try check(RevocationType.self, "revocationType")
    try check(BillingPlanType.self, "billingPlanType")
    try check(ConsumptionRequestReason.self, "consumptionRequestReason")
    try check(InvitationManagement.self, "invitationManagement")
    try check(AdditionalTransactionReason.self, "additionalTransactionReason")
  }

  @Test(arguments: [
    "UNCLAIM_SEATS", "unclaimInfo", "unclaimSeatIds", "SEATS", "INCREASE_QUANTITY", "DECREASE_QUANTITY",
    "multiSeatInfo", "invitationManagement", "priceTiers", "renewalPriceTiers", "revokedSeatQuantity",
    "additionalTransactionReason", "SEAT_ADDITION", "ASSIGNED", "ASSIGNMENT_REVOKE", "renewalQuantity", "offerType=5",
    "quantityOfSubscription", "DEVELOPER", "MIGRATE", "compare.revised",
  ])
  func everyConfirmedNameIsExplained(_ name: String) throws {
    let pages = Explainer(rules: BuiltIn.rules).pages(for: name)
    #expect(!pages.isEmpty)
    #expect(pages.contains { page in page.lines.contains { $0.label == "source" || page.title == name } })
  }

  @Test(arguments: ["bundleTransactionID", "upgradedToBundle", "willUnbundle"])
  func unconfirmedNamesHaveNoRule(_ name: String) throws {
    #expect(Explainer(rules: BuiltIn.rules).pages(for: name).isEmpty)
  }

  @Test(arguments: [
    ("renewal-failure-events", "2019-11-21"), ("recover-events", "2019-11-22"), ("status-events", "2019-06-01"),
    ("renewal-extension", "2023-01-30"), ("external-purchase-token", "2024-02-29"), ("advanced-commerce", "2025-01-17"),
  ])
  func anEraBeginsOnTheDateOfApplesChangelog(_ era: String, _ date: String) throws {
    #expect(BuiltIn.rules.eras.first { $0.id == era }?.date == date)
  }

  @Test(arguments: [
    ("notification.summary", "renewal-extension"), ("notification.externalPurchaseToken", "external-purchase-token"),
    ("transaction.advancedCommerceInfo", "advanced-commerce"), ("renewal.advancedCommerceInfo", "advanced-commerce"),
  ])
  func aFieldSaysSinceWhenV2HasIt(_ rule: String, _ era: String) throws {
    #expect(BuiltIn.rules.field(id: rule)?.since == era)
  }

  @Test(arguments: [
    (#"{"to":"*","trace":"None.","source":"V2-TYPE"}"#, #""*" needs a subtype or a condition"#),
    (#"{"to":"*/SEAT","trace":"None.","source":"V2-TYPE"}"#, #"did you mean "SEATS"?"#),
    (#"{"to":"*","inAppOwnershipType":"ASIGNED","trace":"None.","source":"V2-TYPE"}"#, #"did you mean "ASSIGNED"?"#),
    (#"{"to":"*","revocationType":"GONE","trace":"None.","source":"V2-TYPE"}"#, #""GONE" is unknown"#),
    (#"{"to":"*","present":"price","trace":"None.","source":"V2-TYPE"}"#, #""price" is unknown"#),
  ])
  func aServerEventThatCanMeanNothingIsReported(_ event: String, _ message: String) throws {
    let file = "{\"family\":\"server-events\",\"events\":[\(event)]}"
    let errors = #expect(throws: MappingErrors.self) {
      try RuleSet(overlays: [("own.json", Array(file.utf8))])
    }
    #expect(errors?.errors.contains { $0.message.contains(message) } == true, "\(String(describing: errors))")
  }

  @Test func anOverlayMayNameWhatTheBuiltInRulesDoNot() throws {
    let rules = BuiltIn.rules
    #expect(rules.knows(type: "UNCLAIM_SEATS") && rules.knows(subtype: "SEATS") && rules.knows(subtype: nil))
    #expect(!rules.knows(type: "NOT_YET_ANNOUNCED") && !rules.knows(subtype: "NOT_YET") && !rules.knows(type: "*"))
    let file =
      #"{"family":"values","values":[{"of":"offerType","vocabulary":"V2","values":{"6":"Ours"},"source":"ASSN"}]}"#
    let own = try RuleSet(overlays: [("own.json", Array(file.utf8))])
    #expect(own.vocabulary("offerType").contains("6") && !rules.vocabulary("offerType").contains("6"))
  }
}
