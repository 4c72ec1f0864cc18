import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import Testing

/// V2's events in plain sentences: one for each, and nothing else in them than products.
@Suite struct EventSentenceTests {
  private let sentences = EventSentences(BuiltIn.rules)

  @Test(
    arguments: [
      ("DID_RENEW", "p", nil, "Renewed p"), ("DID_RENEW", nil, nil, "Renewed the product"),
      ("DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "p", "q", "Will change to q at the next renewal"),
      ("DID_CHANGE_RENEWAL_PREF/DOWNGRADE", "p", nil, "Will change to another product at the next renewal"),
      ("DID_RENEW/NEW_SUBTYPE", "p", nil, "Renewed p"), ("NEW_TYPE/X", "p", nil, "Event NEW_TYPE/X"),
    ] as [(String, String?, String?, String)])
  func productsStandInTheirPlaces(event: String, product: String?, next: String?, sentence: String) {
    #expect(sentences.sentence(of: event, product: product, next: next) == sentence)
  }

  @Test func everyEventOfV2HasASentence() {
    for type in NotificationType.allCases {
      for subtype in type.subtypes {
        let name = EventName(notificationType: type.rawValue, subtype: subtype?.rawValue).description
        #expect(!sentences.sentence(of: name, product: "p", next: "q").hasPrefix("Event "), "\(name)")
      }
    }
  }

  @Test func aFamilyOfWordsMustBeWhole() {
    let own = """
      {"family": "words", "words": [{"of": "event", "is": "x", "about": "x", "words": {
        "DID_RENEW": "Renewed {produkt}", "DID_RENEWED": "Renewed"}}]}
      """
    let messages = RuleErrorTests.errors([("own.json", own)]).map(\.message)
    for part in ["REFUND has no sentence", "place for something else than a product", "DID_RENEWED"] {
      #expect(messages.contains { $0.contains(part) }, "\(part): \(messages)")
    }
  }

  @Test func aTypeThatAPeriodHasOnceIsOneOfV2() {
    #expect(BuiltIn.rules.onceInAPeriod.contains("EXPIRED") && !BuiltIn.rules.onceInAPeriod.contains("REFUND"))
    let entry = """
      {"id": "decision.once", "order": ["DID_RENEW", "DID_RECOVER"], "meaning": "x", "confidence": "inferred",
       "source": "INFERENCE"}
      """
    let messages = RuleErrorTests.errors(in: "decisions", entry).map(\.message)
    #expect(messages.contains { $0.contains("\"DID_RECOVER\" is not a V2 type") }, "\(messages)")
  }
}
