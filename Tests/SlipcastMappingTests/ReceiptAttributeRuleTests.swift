import SlipcastLegacy
import SlipcastMapping
import SlipcastTestSupport
import Testing

@Suite struct ReceiptAttributeRuleTests {
  static func overlaid(_ rule: String) throws -> RuleSet {
    let text = "{\"family\":\"receipt-attributes\",\"rules\":[\n\(rule)\n]}"
    return try RuleSet(overlays: [(name: "own.json", bytes: Array(text.utf8))])
  }

  static func errors(_ rule: String) -> [MappingError] {
    do {
      _ = try overlaid(rule)
      return []
    } catch {
      return (error as? MappingErrors)?.errors ?? []
    }
  }

  @Test func everyAttributeThatIsKnownHasItsRule() throws {
    let rules = BuiltIn.rules.receiptAttributes
    let app = Array(0...23) + [25, 32].map { $0 }
    #expect(rules.filter { $0.scope == .receipt }.map(\.type) == app.map(Int64.init))
    #expect(rules.filter { $0.scope == .latest_receipt_info }.map(\.type) == Array(1701...1722).map(Int64.init))
    #expect(rules.allSatisfy { $0.id == "receipt-attributes.\($0.type)" && !$0.name.isEmpty && !$0.source.isEmpty })
  }

  @Test(
    arguments: [
      (0, "receipt_type"), (1, "adam_id app_item_id"), (2, "bundle_id"), (3, "application_version"), (4, ""), (5, ""),
      (8, ""), (12, "receipt_creation_date_ms"), (15, "download_id"), (16, "version_external_identifier"),
      (17, "in_app"),
      (18, "original_purchase_date_ms"), (19, "original_application_version"), (21, "expiration_date_ms"),
      (32, "preorder_date_ms"), (1701, "quantity"), (1702, "product_id"), (1703, "transaction_id"),
      (1704, "purchase_date_ms"), (1705, "original_transaction_id"), (1706, "original_purchase_date_ms"),
      (1707, "product_type"), (1708, "expires_date_ms"), (1710, ""), (1711, "web_order_line_item_id"),
      (1712, "cancellation_date_ms"), (1713, "is_trial_period"), (1719, "is_in_intro_offer_period"),
      (1720, "cancellation_reason"), (1721, "promotional_offer_id"),
    ] as [(Int64, String)])
  func anAttributeBecomesItsKeys(_ type: Int64, _ keys: String) throws {
    let rule = try #require(BuiltIn.rules.receiptAttributes.first { $0.type == type })
    #expect(rule.keys.map(\.name).joined(separator: " ") == keys)
  }

  @Test(arguments: [
    (#"{"type":26,"in":"receipt","as":"utf8","to":["bundle_idd"],"name":"x","source":"INFERENCE"}"#, "did you mean"),
    (
      #"{"type":26,"in":"in_app","as":"utf8","to":["adam_id"],"name":"x","source":"INFERENCE"}"#,
      "not a legacy key here"
    ),
    (#"{"type":26,"in":"app","as":"utf8","name":"x","source":"INFERENCE"}"#, "receipt or in_app"),
    (#"{"type":26,"in":"receipt","as":"text","name":"x","source":"INFERENCE"}"#, "\"as\" is not one of"),
    (#"{"type":"26","in":"receipt","as":"utf8","name":"x","source":"INFERENCE"}"#, "a number \"type\""),
    (#"{"type":-1,"in":"receipt","as":"utf8","name":"x","source":"INFERENCE"}"#, "a number \"type\""),
    (#"{"type":26,"in":"receipt","as":"utf8","source":"INFERENCE"}"#, "a string \"name\""),
    (#"{"type":26,"in":"receipt","as":"utf8","name":"x"}"#, "a string \"source\""),
    (#"{"type":26,"in":"receipt","as":"utf8","name":"x","source":"NOWHERE"}"#, "not a key of sources.json"),
    (#"{"type":26,"in":"receipt","as":"utf8","nam":"x","source":"INFERENCE"}"#, "unknown key \"nam\""),
    (#"{"id":"own.2","type":2,"in":"receipt","as":"utf8","name":"x","source":"INFERENCE"}"#, "already described by"),
    (
      #"{"type":26,"in":"receipt","as":"utf8","to":["bundle_id"],"name":"x","source":"INFERENCE"}"#,
      "already filled by receipt-attributes.2"
    ),
    (#"{"type":3,"in":"receipt","as":"utf8","to":["adam_id"],"name":"x","source":"INFERENCE"}"#, "cannot fill"),
    (#"{"type":1713,"in":"in_app","as":"flag","to":["quantity"],"name":"x","source":"INFERENCE"}"#, "cannot fill"),
    (
      #"{"type":1704,"in":"in_app","as":"ia5","to":["purchase_date_ms"],"name":"x","source":"INFERENCE"}"#,
      "cannot fill"
    ),
    (#"{"type":5,"in":"receipt","as":"raw","to":["request_date"],"name":"x","source":"INFERENCE"}"#, "cannot fill"),
    (#"{"type":26,"in":"receipt","as":"set","name":"x","source":"INFERENCE"}"#, "a set is a purchase"),
    (#"{"type":1730,"in":"in_app","as":"set","name":"x","source":"INFERENCE"}"#, "a set is a purchase"),
  ])
  func namesTheFaultOfABrokenRuleWithItsLine(_ rule: String, _ words: String) {
    let errors = Self.errors(rule)
    #expect(errors.contains { $0.message.contains(words) && $0.file == "own.json" && $0.line == 2 }, "\(errors)")
  }

  @Test func aDecisiveAttributeCannotBeRenumberedAway() {
    let rule = #"{"id":"receipt-attributes.12","type":99,"in":"receipt","as":"date","name":"x","source":"INFERENCE"}"#
    #expect(Self.errors(rule).contains { $0.message.contains("12 is missing") })
  }

  @Test func aRuleWithAKnownIdReplacesItAndANewOneIsAdded() throws {
    let known = BuiltIn.rules.receiptAttributes.count
    let replaced = try Self.overlaid(
      #"{"type":1710,"in":"in_app","as":"integer","to":["item_id"],"name":"mine","source":"INFERENCE"}"#)
    #expect(replaced.receiptAttributes.count == known)
    #expect(replaced.receiptAttributes.first { $0.type == 1710 }?.keys == [.item_id])
    #expect(replaced.overlaid == ["receipt-attributes.1710"])
    let added = try Self.overlaid(#"{"type":26,"in":"receipt","as":"utf8","name":"mine","source":"INFERENCE"}"#)
    #expect(added.receiptAttributes.count == known + 1)
  }

  /// What no genuine receipt has, sources do not call checked on genuine receipts.
  @Test(
    arguments: [
      (22, "RECEIPT-IDEASONCANVAS"), (23, "RECEIPT-IDEASONCANVAS; RECEIPT-READDLE"), (32, "RECEIPT-READDLE"),
      (1720, "RECEIPT-READDLE"), (1721, "RECEIPT-READERS"), (1707, "RECEIPT-PEERS"), (1712, "RECEIPT-FIELDS"),
    ] as [(Int64, String)])
  func anAttributeCitesThoseThatReadIt(_ type: Int64, _ source: String) throws {
    #expect(BuiltIn.rules.receiptAttributes.first { $0.type == type }?.source == source)
  }

  @Test func rulesOfOneFileDoNotReplaceEachOther() throws {
    #expect(Set(BuiltIn.rules.receiptAttributes.map(\.id)).count == 48)
  }

  @Test(arguments: ["1712", "receipt-attributes.1712"])
  func anAttributeIsExplainedByItsNumber(_ name: String) throws {
    let pages = Explainer(rules: BuiltIn.rules).pages(for: name)
    let page = try #require(pages.first)
    #expect(pages.count == 1)
    #expect(page.summary == "cancellation date → receipt.in_app[].cancellation_date_ms")
    #expect(page.lines.first { $0.label == "V2" }?.text == "data.transactionInfo.revocationDate")
    #expect(page.lines.contains { $0.label == "source" })
  }

  @Test func theTableSaysWhereAttributesEnd() throws {
    let table = MappingTable(rules: BuiltIn.rules)
    let rows = table.rows.filter { $0.relation == "attribute" }
    #expect(rows.count == 48)
    let row = try #require(rows.first { $0.id == "receipt-attributes.1707" })
    #expect(row.v1 == "attribute 1707, receipt.in_app[].product_type")
    #expect(row.v2 == "data.transactionInfo.type")
    #expect(rows.first { $0.id == "receipt-attributes.4" }?.v2 == "")
  }
}
