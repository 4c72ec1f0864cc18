import SlipcastMapping
import Testing

@Suite struct SearchTests {
  static let index: SearchIndex = {
    do { return SearchIndex(Explainer(rules: try RuleSet.builtIn()).searchEntries) } catch { fatalError("\(error)") }
  }()

  @Test(arguments: [
    ("expired", "expiry"), ("expires", "expiration"), ("cancelled", "cancellation"), ("canceled", "cancel"),
    ("renewal", "renewed"), ("refunds", "refunded"), ("retries", "retry"), ("priceIncrease", "price_increase"),
    ("AUTO_RENEW", "auto-renew"), ("purchases", "purchased"), ("families", "family"), ("statuses", "status"),
  ])
  func formsOfAWordHaveOneStem(_ one: String, _ other: String) {
    #expect(SearchWords.stems(one) == SearchWords.stems(other))
  }

  @Test(arguments: [("off", "offer"), ("on", "one"), ("price", "prior"), ("renew", "new"), ("grace", "great")])
  func otherWordsHaveOtherStems(_ one: String, _ other: String) {
    #expect(SearchWords.stems(one) != SearchWords.stems(other))
  }

  @Test(arguments: [
    ("auto-renew off after expiry", "type.DID_CHANGE_RENEWAL_STATUS.customer"),
    ("auto renew disabled after it expired", "type.DID_CHANGE_RENEWAL_STATUS.customer"),
    ("refund after upgrade", "type.CANCEL.upgraded.late"), ("refund after upgrade", "type.CANCEL.upgraded.forApp"),
    ("price increase consent", "type.PRICE_INCREASE_CONSENT.any"),
    ("price increase consent", "renewal.priceIncreaseStatus"), ("proration refund", "grouping.upgrade.cancel"),
    ("second loss of revenue", "grouping.upgrade.cancel"), ("conversion of an offer", "expirationIntent=3"),
    ("family sharing ended", "type.REVOKE.family"),
    ("end of billing retry", "type.DID_CHANGE_RENEWAL_STATUS.billingRetry"),
    ("wrong shared secret", "verifyReceipt.status=21004"), ("auto-renw off", "type.DID_CHANGE_RENEWAL_STATUS.off"),
  ])
  func aPhraseFindsItsEntryAmongTheBest(_ phrase: String, _ name: String) {
    let hits = Self.index.hits(for: phrase)
    let best = hits.prefix(8).map(\.entry.name)
    #expect(best.contains(name), "\(phrase): \(best)")
    #expect(hits.allSatisfy { $0.hasAllWords })
  }

  @Test(arguments: ["", "the of", "quux blarg", "zzzzzz", "?!"])
  func wordsThatNothingHasFindNothing(_ phrase: String) {
    #expect(Self.index.hits(for: phrase).isEmpty)
  }

  @Test func entriesWithMostWordsAreFoundWhereNoneHasAll() {
    let hits = Self.index.hits(for: "quux price increase consent")
    #expect(!hits.isEmpty && hits.allSatisfy { !$0.hasAllWords })
    #expect(hits.contains { $0.entry.name == "renewal.priceIncreaseStatus" })
  }

  @Test func everyEntryThatIsFoundCanBeExplained() throws {
    let explainer = Explainer(rules: try RuleSet.builtIn())
    let silent = explainer.searchEntries.filter { explainer.pages(for: $0.name).isEmpty || $0.summary.isEmpty }
    #expect(silent.map(\.name) == [])
  }
}
