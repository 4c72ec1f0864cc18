import SlipcastLegacy
import SlipcastMapping
import SlipcastTestSupport
import Testing

extension RuleSet {
  func overlaid(_ text: String) throws -> RuleSet {
    try RuleSet(overlays: [(name: "own.json", bytes: Array(text.utf8))])
  }
}

@Suite struct InverseRuleTests {
  static func errors(_ rule: String) -> [String] {
    do {
      _ = try BuiltIn.rules.overlaid("{\"family\":\"verify-receipt\",\"rules\":[\n\(rule)\n]}")
      return []
    } catch {
      return (error as? MappingErrors)?.errors.map(\.description) ?? []
    }
  }

  @Test(arguments: [
    (#"{"in":"receipt","to":"bundle_id","from":["bundleId"],"using":"text","source":"INFERENCE"}"#, "\"in\" is one of"),
    (
      #"{"in":"latest_receipt_info","to":"product_idd","from":["productId"],"using":"text","source":"INFERENCE"}"#,
      "not a key of latest_receipt_info; did you mean"
    ),
    (
      #"{"id":"own.a","in":"latest_receipt_info","to":"product_id","from":["productId"],"using":"text","source":"INFERENCE"}"#,
      "already filled by"
    ),
    (
      #"{"in":"latest_receipt_info","to":"product_id","from":["productIdd"],"using":"text","source":"INFERENCE"}"#,
      "not a member of JWSTransactionDecodedPayload; did you mean"
    ),
    (
      #"{"in":"latest_receipt_info","to":"product_id","from":["purchaseDate"],"using":"text","source":"INFERENCE"}"#,
      "\"text\" cannot write \"purchaseDate\""
    ),
    (#"{"in":"latest_receipt_info","to":"product_id","from":["productId"],"source":"INFERENCE"}"#, "has \"using\""),
    (
      #"{"in":"latest_receipt_info","to":"is_trial_period","from":["offerType"],"using":"truth","source":"INFERENCE"}"#,
      "\"truth\" needs \"when\""
    ),
    (#"{"in":"latest_receipt_info","from":["price"],"source":"INFERENCE"}"#, "needs its reason"),
    (#"{"in":"latest_receipt_info","source":"INFERENCE"}"#, "expected \"to\", \"from\" or \"without\""),
    (#"{"in":"latest_receipt_info","from":["price"],"note":"x","source":"NOWHERE"}"#, "not a key of sources.json"),
    (
      #"{"in":"latest_receipt_info","to":"quantity","from":["productId"],"using":"text","source":"INFERENCE"}"#,
      "the member \"quantity\" of JWSTransactionDecodedPayload has no rule"
    ),
  ])
  func aWrongRuleIsNamed(_ rule: String, _ message: String) {
    let errors = Self.errors(rule)
    #expect(errors.contains { $0.contains(message) }, "\(errors)")
  }

  @Test func bothDirectionsOfAFieldAreExplained() throws {
    let explainer = Explainer(rules: BuiltIn.rules)
    let page = try #require(explainer.pages(for: "renewal.priceIncreaseStatus").first)
    let back = page.lines.filter { $0.label == "back to V1" }.map(\.text)
    #expect(back.contains("priceIncreaseStatus → price_increase_status: the same as text"))
    #expect(
      back.contains(
        "priceIncreaseStatus → price_consent_status: the same as text, where priceIncreaseStatus is 0"))
    let inverse = try #require(
      explainer.pages(for: "verify-receipt.pending_renewal_info.price_consent_status").first)
    #expect(inverse.lines.contains { $0.label == "to V2" && $0.text == "renewal.priceIncreaseStatus: narrowed" })
    #expect(explainer.pages(for: "consentUnknowable").count == 1)
    let rows = MappingTable(rules: BuiltIn.rules).rows
    #expect(rows.first { $0.id == "transaction.revocationDate" }?.back == "cancellation_date")
    #expect(rows.filter { $0.relation == "inverse" }.map(\.id) == BuiltIn.rules.inverse.map(\.id))
  }
}
