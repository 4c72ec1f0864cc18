internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

extension RuleEntry {
  func receiptAttributeRule() -> ReceiptAttributeRule? {
    only(["id", "type", "in", "as", "to", "name", "note", "confidence", "source"])
    let type = element["type"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
    if type == nil { fault("expected a number \"type\"", at: "type") }
    let place = text("in")
    let scope: LegacyScope? = place == "receipt" ? .receipt : place == "in_app" ? .latest_receipt_info : nil
    if place != nil, scope == nil { fault("\"in\" is receipt or in_app", at: "in") }
    let encoding = element["as"] == nil ? nil : word("as", ReceiptAttributeRule.Encoding.self)
    if element["as"] == nil { fault("expected a string \"as\"") }
    let keys = scope.map(attributeKeys) ?? []
    let (id, name, note) = (optionalText("id"), text("name"), optionalText("note"))
    let (confidence, source) = (self.confidence(), text("source"))
    guard let scope else { return nil }
    // No other rule has a negative type, so the stand-in collides with none.
    return ReceiptAttributeRule(
      id: id ?? type.map { "\(family).\($0)" } ?? substituteID, type: type ?? Int64(-1 - offset), scope: scope,
      encoding: encoding ?? .raw, keys: encoding == nil ? [] : keys, name: name ?? "", note: note,
      confidence: confidence, source: source ?? "")
  }

  private func attributeKeys(in scope: LegacyScope) -> [LegacyKey] {
    let known = scope.fields.map(\.key.name)
    return texts("to").compactMap { name in
      if let key = LegacyKey(name: name), known.contains(name) { return key }
      fault("\"\(name)\" is not a legacy key here\(RuleCheck.suggestion(name, known))", at: "to")
      return nil
    }
  }
}
