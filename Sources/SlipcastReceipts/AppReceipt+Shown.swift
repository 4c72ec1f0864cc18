@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastMapping
internal import SlipcastSignatures
internal import SlipcastWire

/// A value of an app receipt under the name that `verifyReceipt` has for it.
package struct ShownValue: Sendable {
  package enum Content: Sendable {
    case text(String)
    /// A number, as JSON has it.
    case number(String)
    /// Milliseconds since 1970 UTC; the answer has three spellings of it.
    case date(Int64)
  }

  /// The key; of a date without `_ms`.
  package var name: String
  package var content: Content
}

extension AppReceipt {
  /// What `verifyReceipt` shows of the receipt itself, in Apple's order, without its purchases.
  package var shown: [ShownValue] { Self.shown(entries, .receipt) }

  /// What it shows of each purchase in the receipt.
  package var shownPurchases: [[ShownValue]] { purchases.map { Self.shown($0, .latest_receipt_info) } }

  private static func shown(_ entries: [Entry], _ scope: LegacyScope) -> [ShownValue] {
    var first: [LegacyKey: Entry] = [:]
    for entry in entries {
      for key in entry.rule?.keys ?? [] where first[key] == nil { first[key] = entry }
    }
    return scope.fields.compactMap { field in
      guard field.key != .product_type, let entry = first[field.key] else { return nil }
      return entry.shown(as: field)
    }
  }
}

extension AppReceipt.Entry {
  fileprivate func shown(as field: LegacyField) -> ShownValue? {
    let name = field.key.name
    // Apple shows the ids of the app as 0 where they are missing; line items are left out.
    if field.kind == .number, case .integer(0)? = attribute.decoded {
      return ShownValue(name: name, content: .number("0"))
    }
    guard let text else { return nil }
    switch field.kind {
    case .milliseconds:
      guard name.hasSuffix("_ms"), let time = Int64(text) else { return nil }
      return ShownValue(name: String(name.dropLast(3)), content: .date(time))
    case .number: return ShownValue(name: name, content: .number(text))
    default: return ShownValue(name: name, content: .text(text))
    }
  }
}
