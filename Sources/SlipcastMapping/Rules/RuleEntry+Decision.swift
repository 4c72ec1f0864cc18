@_spi(Slipcast) internal import SlipcastWire

extension RuleEntry {
  /// A parameter of the decisions: `milliseconds` (and `sandbox`), `count`, or `order`.
  func decisionRule() throws(MappingError) -> DecisionRule {
    try only(["id", "milliseconds", "sandbox", "count", "order", "meaning", "confidence", "source"])
    return DecisionRule(
      id: try text("id"), value: try decisionValue(), meaning: try text("meaning"), confidence: try confidence(),
      source: try text("source"))
  }

  private func decisionValue() throws(MappingError) -> DecisionRule.Value {
    if element["milliseconds"] != nil {
      return .window(milliseconds: try length("milliseconds"), sandbox: try sandboxLength())
    }
    if element["count"] != nil {
      guard let count = element["count"]?.integer, (1...1_000_000).contains(count) else {
        throw fault("\"count\" is a number from 1 to 1000000")
      }
      return .limit(Int(count))
    }
    let words = try texts("order")
    guard !words.isEmpty else { throw fault("expected \"milliseconds\", \"count\" or \"order\"") }
    return .order(words)
  }

  private func sandboxLength() throws(MappingError) -> Int64? {
    element["sandbox"] == nil ? nil : try length("sandbox")
  }

  private func length(_ name: String) throws(MappingError) -> Int64 {
    guard let value = element[name]?.integer, (0...31_536_000_000).contains(value) else {
      throw fault("\"\(name)\" is a number from 0 to 31536000000")
    }
    return value
  }
}
