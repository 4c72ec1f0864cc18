@_spi(Slipcast) internal import SlipcastWire

extension RuleEntry {
  /// A parameter of the decisions: `milliseconds` (and `sandbox`), `count`, or `order`.
  func decisionRule() -> DecisionRule {
    only(["id", "milliseconds", "sandbox", "tolerance", "count", "order", "meaning", "confidence", "source"])
    return DecisionRule(
      id: text("id") ?? substituteID, value: decisionValue(), tolerance: tolerance(), meaning: text("meaning") ?? "",
      confidence: confidence(),
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

  private func tolerance() -> DecisionRule.Tolerance? {
    guard let object = element["tolerance"] else { return nil }
    guard let milliseconds = object["milliseconds"]?.integer, let reason = object["reason"]?.string, !reason.isEmpty,
      (0...31_536_000_000).contains(milliseconds)
    else {
      fault("\"tolerance\" is an object with a number \"milliseconds\" and a string \"reason\"", at: "tolerance")
      return nil
    }
    let sandbox = object["sandbox"]?.integer.flatMap { (0...31_536_000_000).contains($0) ? $0 : nil }
    return DecisionRule.Tolerance(milliseconds: milliseconds, sandbox: sandbox, reason: reason)
  }

  private func length(_ name: String) -> Int64? {
    let value = element[name]?.integer.flatMap { (0...31_536_000_000).contains($0) ? $0 : nil }
    if value == nil { fault("\"\(name)\" is a number from 0 to 31536000000", at: name) }
    return value
  }
}
