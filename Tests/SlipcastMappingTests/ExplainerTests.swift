import SlipcastLegacy
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

@Suite struct ExplainerTests {
  static let explainer = Explainer(rules: BuiltIn.rules)

  @Test func explainsEveryLegacyKey() {
    let keys = LegacyScope.allCases.flatMap { scope in scope.fields.map(\.key.name) }
    #expect(Set(keys).filter { Self.explainer.pages(for: $0).isEmpty } == [])
  }

  @Test func explainsEveryFieldOfWhatIsWritten() {
    let names =
      JWSTransactionDecodedPayload.fields.map(\.name) + JWSRenewalInfoDecodedPayload.fields.map(\.name)
      + ResponseBodyV2DecodedPayload.fields.map(\.name) + NotificationData.fields.map(\.name)
      + HistoryResponse.fields.map(\.name) + StatusResponse.fields.map(\.name)
    #expect(Set(names).subtracting(["migration"]).filter { Self.explainer.pages(for: $0).isEmpty } == [])
  }

  @Test func explainsEveryNotificationTypeAndSubtype() {
    let names = NotificationType.allCases.map(\.rawValue) + Subtype.allCases.map(\.rawValue)
    let silent = Set(names).filter { Self.explainer.pages(for: $0).isEmpty }
    #expect(silent == [])
  }

  @Test func explainsEveryValueThatARecordCanCarry() {
    let words =
      ProductType.allCases.map(\.rawValue) + InAppOwnershipType.allCases.map(\.rawValue)
      + TransactionReason.allCases.map(\.rawValue) + OfferDiscountType.allCases.map(\.rawValue)
    let codes =
      Status.allCases.map { "status=\($0.rawValue)" } + OfferType.allCases.map { "offerType=\($0.rawValue)" }
      + ExpirationIntent.allCases.map { "expirationIntent=\($0.rawValue)" }
      + PriceIncreaseStatus.allCases.map { "priceIncreaseStatus=\($0.rawValue)" }
      + RevocationReason.allCases.map { "revocationReason=\($0.rawValue)" }
      + AutoRenewStatus.allCases.map { "autoRenewStatus=\($0.rawValue)" }
    #expect((words + codes).filter { Self.explainer.pages(for: $0).isEmpty } == [])
  }

  @Test(arguments: ["noIncreasePending", "agreed", "inGracePeriod", "didNotConsentToPriceIncrease"])
  func explainsTheWordsOfADevice(_ word: String) {
    let pages = Self.explainer.pages(for: word)
    #expect(pages.contains { $0.lines.contains { $0.label == "value" && $0.text.hasPrefix(word + " = ") } })
  }

  @Test func tableSpellsOutWhereAKeyStandsAndWhatTheRuleRestsOn() throws {
    let table = MappingTable(rules: BuiltIn.rules)
    let row = try #require(table.rows.first { $0.id == "renewal.priceIncreaseStatus" })
    #expect(row.keys.contains("pending_renewal_info.price_consent_status"))
    #expect(table.rows.allSatisfy { !$0.citations.isEmpty })
  }

  @Test func explainsEveryRuleByItsId() throws {
    let rules = BuiltIn.rules
    let ids = rules.fields.map(\.id) + rules.types.map(\.id) + rules.serverEvents.map(\.id) + rules.storekit.map(\.id)
    #expect(ids.filter { Self.explainer.pages(for: $0).isEmpty } == [])
  }

  @Test func everyPageOfARuleNamesItsSource() {
    for name in Self.explainer.names {
      for page in Self.explainer.pages(for: name) {
        // What convert notices of a record's form, no document says; facts and our words are defined by their meaning.
        let isOurs =
          page.summary.hasPrefix("a finding of convert")
          || ["a fact of the decision table", "a class of diff"].contains(page.summary)
          || page.lines.contains { ["about", "see"].contains($0.label) }
        #expect(isOurs || page.lines.contains { $0.label == "source" }, "\(page.title)")
        #expect(page.lines.allSatisfy { !$0.text.isEmpty })
      }
    }
  }
}
