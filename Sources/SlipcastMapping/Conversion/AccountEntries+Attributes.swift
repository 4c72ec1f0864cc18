@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

// Values of an app receipt: they are known as well as the attributes that they were read from.

extension AccountEntries {
  /// The weakest link of a value that was read from an attribute; `nil` for a value of no attribute.
  func confidenceOfAttributes(_ cell: Cell) -> Confidence? {
    guard let row = row(holding: Int(cell.source)), let own = attribute(at: Int(cell.source), of: row) else {
      return nil
    }
    let isRevoking = compiled.rules.fields[Int(cell.rule)].transform?.traits.contains(.revoking)
    guard isRevoking ?? false else { return own.confidence }
    // A cancellation is also that of an upgrade: the type and the reason distinguish the two.
    let deciding = [LegacyKey.product_type, .cancellation_reason].compactMap { key in
      record.rows.slot(row, key) == 0 ? nil : accounts.attributes[CompiledRules.KeyPlace(scope: own.scope, key: key)]
    }
    return deciding.reduce(own.confidence) { max($0, $1.confidence) }
  }

  /// What was expected of an attribute that cannot be read.
  func expectationOfAttribute(_ value: Unmapped) -> String? {
    guard builder.known.input.isOfAttributes, let rule = attribute(at: Int(value.index), of: value.row) else {
      return nil
    }
    return "attribute \(rule.type) as \(rule.encoding.expectation)"
  }

  private func attribute(at index: Int, of row: Int) -> ReceiptAttributeRule? {
    guard let key = LegacyKey(tape[index]) else { return nil }
    return accounts.attributes[CompiledRules.KeyPlace(scope: builder.scope(of: row), key: key)]
  }
}

extension ReceiptAttributeRule.Encoding {
  fileprivate var expectation: String {
    switch self {
    case .utf8: "a UTF8String"
    case .ia5: "an IA5String"
    case .date: "an IA5String with a date like 2025-03-08T10:00:00Z"
    case .integer, .identifier: "an INTEGER from 0 to 2^63 - 1"
    case .flag: "the INTEGER 0 or 1"
    case .raw: "bytes"
    case .set: "a SET"
    }
  }
}
