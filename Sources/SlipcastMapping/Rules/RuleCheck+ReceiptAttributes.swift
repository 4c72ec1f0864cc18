internal import SlipcastLegacy

extension RuleCheck {
  /// Each attribute has one rule, and no key is filled from two.
  func checkReceiptAttributes(_ errors: inout [MappingError]) {
    var types: [Int64: String] = [:]
    var keys: [String: String] = [:]
    for rule in rules.receiptAttributes {
      checkSources(rule.source, rule.id, &errors)
      if let other = types.updateValue(rule.id, forKey: rule.type) {
        report(rule.id, "\(rule.type) is already described by \(other); use its id to replace it", &errors)
      }
      for key in rule.keys {
        if let other = keys.updateValue(rule.id, forKey: "\(rule.scope.rawValue).\(key.name)") {
          report(rule.id, "\"\(key.name)\" is already filled by \(other)", &errors)
        }
      }
    }
    for type in ReceiptAttributeRule.decisive where types[type] == nil {
      report("receipt-attributes", "\(type) is missing, on which the trust in a receipt depends", &errors)
    }
  }
}

extension ReceiptAttributeRule {
  /// Receipt type, bundle id, opaque value, device hash, creation date and purchase: what verifying looks at.
  package static let decisive: [Int64] = [0, 2, 4, 5, 12, 17]
}
