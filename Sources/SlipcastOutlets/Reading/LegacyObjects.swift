@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// The transactions, renewals and statuses of a V1 record, as its conversion has them.
enum LegacyObjects {
  /// - Throws: `ConversionError` for an answer without receipt data.
  static func read(_ converter: Converter) throws(ConversionError) -> FoundObjects {
    var found = FoundObjects()
    let asOf = converter.asOf?.milliseconds
    try converter.convert(into: .history)
    for object in converter.tree.objects where object.part == .transaction {
      found.purchases.append(Purchase(ConvertedValues(row: object.row), asOf: asOf))
    }
    let environment = converter.tree.objects.first.flatMap { ConvertedValues(row: $0.row).text("environment") }
    for place in found.purchases.indices {
      found.purchases[place].environment = found.purchases[place].environment ?? environment
    }
    try converter.convert(into: .statuses)
    for object in converter.tree.objects {
      let values = ConvertedValues(row: object.row)
      switch object.part {
      case .renewal where !object.row.isEmpty: found.renewals.append(RenewalState(values, asOf: asOf))
      case .item:
        guard let id = values.text("originalTransactionId"), let status = values.integer("status") else { continue }
        found.statuses.append(StatusState(originalTransactionId: id, status: status, asOf: asOf))
      default: break
      }
    }
    return found
  }
}
