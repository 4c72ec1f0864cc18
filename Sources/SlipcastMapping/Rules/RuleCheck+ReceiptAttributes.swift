internal import SlipcastLegacy

extension RuleCheck {
  /// Each attribute has one rule, and no key is filled from two.
  mutating func checkReceiptAttributes() {
    let family = "receipt-attributes"
    var types: [Int64: String] = [:]
    var keys: [String: String] = [:]
    for rule in rules.receiptAttributes {
      if let other = types.updateValue(rule.id, forKey: rule.type) {
        report(rule.id, "\(rule.type) is already described by \(other); use its id to replace it", at: "type")
      }
      for key in rule.keys {
        if let other = keys.updateValue(rule.id, forKey: "\(rule.scope.rawValue).\(key.name)") {
          report(rule.id, "\"\(key.name)\" is already filled by \(other)", at: "to")
        }
        let kind = rule.scope.fields.first { $0.key == key }?.kind
        if kind.map({ !rule.encoding.fills($0) }) ?? true {
          report(rule.id, "\"\(rule.encoding.rawValue)\" cannot fill \"\(key.name)\"", at: "as")
        }
      }
      let isWhole = !read.faulty.contains(rule.id)
      if rule.encoding == .set, rule.isInApp || rule.keys != [.in_app] && isWhole {
        report(rule.id, "a set is a purchase: it is in the receipt and becomes in_app", at: "as")
      }
    }
    for type in ReceiptAttributeRule.decisive where types[type] == nil {
      // An entry or file that cannot be read may describe it.
      if read.unread.hasFile(of: family) || read.unread.mentions("\(family).\(type)", in: [family]) { continue }
      report(family, "\(type) is missing, on which the trust in a receipt depends")
    }
  }
}

extension ReceiptAttributeRule {
  /// What verifying looks at: receipt type, app id, bundle id, opaque value, device hash, creation date, purchase.
  package static let decisive: [Int64] = [0, 1, 2, 4, 5, 12, 17]
}

extension LegacyKind {
  fileprivate var holdsIdentifiers: Bool { self == .number || self == .identifier || self == .eitherIdentifier }
}

extension ReceiptAttributeRule.Encoding {
  /// True when a legacy key of that kind can have a value in this encoding: numbers are copied to JSON unchanged.
  fileprivate func fills(_ kind: LegacyKind) -> Bool {
    switch self {
    case .utf8, .ia5: kind == .text || kind == .identifier || kind == .uuid
    case .date: kind == .milliseconds
    case .integer: kind == .integer || kind == .eitherNumber || kind.holdsIdentifiers
    case .identifier: kind.holdsIdentifiers
    case .flag: kind == .flagWord
    case .set: kind == .objects
    case .raw: false
    }
  }
}
