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
        let kind = rule.scope.fields.first { $0.key == key }?.kind
        if kind.map({ !rule.encoding.fills($0) }) ?? true {
          report(rule.id, "\"\(rule.encoding.rawValue)\" cannot fill \"\(key.name)\"", &errors)
        }
      }
      if rule.encoding == .set, rule.isInApp || rule.keys != [.in_app] {
        report(rule.id, "a set is a purchase: it stands in the receipt and becomes in_app", &errors)
      }
    }
    for type in ReceiptAttributeRule.decisive where types[type] == nil {
      report("receipt-attributes", "\(type) is missing, on which the trust in a receipt depends", &errors)
    }
  }
}

extension ReceiptAttributeRule {
  /// What verifying looks at: receipt type, app id, bundle id, opaque value, device hash, creation date, purchase.
  package static let decisive: [Int64] = [0, 1, 2, 4, 5, 12, 17]
}

extension ReceiptAttributeRule.Encoding {
  /// A value written so can stand under a legacy key of that kind: numbers are copied to JSON as they are.
  fileprivate func fills(_ kind: LegacyKind) -> Bool {
    switch self {
    case .utf8, .ia5: kind == .text || kind == .identifier || kind == .uuid
    case .date: kind == .milliseconds
    case .integer: kind == .number || kind == .integer || kind == .identifier || kind == .eitherNumber
    case .identifier: kind == .number || kind == .identifier || kind == .eitherNumber
    case .flag: kind == .flagWord
    case .set: kind == .objects
    case .raw: false
    }
  }
}
