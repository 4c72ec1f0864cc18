@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

// The transactions or subscriptions of a record one by one, with their accounts in numbers.

extension Converter {
  /// Converts the transactions of the record, oldest first, or the newest state of every subscription, and hands each out.
  ///
  /// - Parameter emission: a history for transactions, or statuses for subscriptions.
  /// - Throws: `ConversionError` for an answer without receipt data.
  package func forEachUnit(
    of emission: Emission, _ outline: ConversionOutline, _ use: () -> Void
  ) throws(ConversionError) {
    try convert(into: emission)
    entries.beginRecord()
    let isOfTransactions = emission == .history
    var group = 0
    for (place, object) in tree.objects.enumerated() {
      if object.part == .group { group = place }
      guard object.part == (isOfTransactions ? .transaction : .item) else { continue }
      builder.returnTo(object)
      let objects = isOfTransactions ? [0, place] : [0, group, place, place + 1, place + 2]
      let rows = isOfTransactions ? [rowOfCurrent] : [rowOfCurrent, builder.focus.renewalEntry]
      entries.fill(objects: objects, rows: rows + rowsOfWhole)
      outline.fill(entries)
      use()
    }
  }

  private var rowOfCurrent: Int { builder.focus.period.map { known.periods[$0].row } ?? -1 }

  /// The objects around transactions and renewals.
  private var rowsOfWhole: [Int] {
    return [record.body, record.unifiedReceipt, record.receipt].compactMap(\.self)
  }
}
