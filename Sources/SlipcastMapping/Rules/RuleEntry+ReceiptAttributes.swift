internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

extension RuleEntry {
  func receiptAttributeRule() throws(MappingError) -> ReceiptAttributeRule {
    try only(["id", "type", "in", "as", "to", "name", "note", "confidence", "source"])
    guard let type = element["type"]?.integer, type >= 0 else { throw fault("expected a number \"type\"") }
    let place = try text("in")
    guard place == "receipt" || place == "in_app" else { throw fault("\"in\" is receipt or in_app") }
    guard let encoding = ReceiptAttributeRule.Encoding(rawValue: try text("as")) else {
      throw fault("\"as\" is none of \(words(ReceiptAttributeRule.Encoding.self))")
    }
    let scope = place == "receipt" ? LegacyScope.receipt : .latest_receipt_info
    var keys: [LegacyKey] = []
    for name in try texts("to") {
      guard let key = LegacyKey(name: name), scope.fields.contains(where: { $0.key == key }) else {
        let known = scope.fields.map(\.key.name)
        throw fault("\"\(name)\" is no legacy key here\(RuleCheck.suggestion(name, known))")
      }
      keys.append(key)
    }
    return ReceiptAttributeRule(
      id: element["id"]?.string ?? "\(family).\(type)", type: type, scope: scope, encoding: encoding, keys: keys,
      name: try text("name"), note: element["note"]?.string, confidence: try confidence(), source: try text("source"))
  }
}
