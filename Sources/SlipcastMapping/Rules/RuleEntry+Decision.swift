@_spi(Slipcast) internal import SlipcastWire

extension RuleEntry {
  /// A parameter of the decisions: `milliseconds` (and `sandbox`), `count`, or `order`.
  func decisionRule() -> DecisionRule {
    only(["id", "milliseconds", "sandbox", "count", "order", "meaning", "confidence", "source"])
    return DecisionRule(
      id: text("id") ?? substituteID, value: decisionValue(), meaning: text("meaning") ?? "", confidence: confidence(),
      source: text("source") ?? "")
  }

  private func decisionValue() -> DecisionRule.Value {
    if element["milliseconds"] != nil {
      let sandbox = element["sandbox"] == nil ? nil : length("sandbox")
      return .window(milliseconds: length("milliseconds") ?? 0, sandbox: sandbox)
    }
    if element["count"] != nil {
      let count = element["count"]?.integer.flatMap { (1...1_000_000).contains($0) ? Int($0) : nil }
      if count == nil { fault("\"count\" is a number from 1 to 1000000", at: "count") }
      return .limit(count ?? 1)
    }
    if element["order"] == nil { fault("expected \"milliseconds\", \"count\" or \"order\"") }
    return .order(texts("order"))
  }

  private func length(_ name: String) -> Int64? {
    let value = element[name]?.integer.flatMap { (0...31_536_000_000).contains($0) ? $0 : nil }
    if value == nil { fault("\"\(name)\" is a number from 0 to 31536000000", at: name) }
    return value
  }
}
