@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

// The transactions or subscriptions of a record one by one, with their accounts in numbers.

extension Converter {
  /// Converts all transactions of the record, oldest first, and hands each out.
  ///
  /// - Throws: `ConversionError` for an answer without receipt data.
  package func forEachTransaction(_ outline: ConversionOutline, _ use: () -> Void) throws(ConversionError) {
    try convert(into: .history)
    entries.beginRecord()
    for place in tree.objects.indices.dropFirst() {
      state.returnTo(tree.objects[place])
      entries.fill(objects: [0, place], rows: [rowOfCurrent] + rowsOfWhole)
      outline.fill(entries)
      use()
    }
  }

  /// Converts the newest state of every subscription of the record and hands each out.
  ///
  /// - Throws: `ConversionError` for an answer without receipt data.
  package func forEachSubscription(_ outline: ConversionOutline, _ use: () -> Void) throws(ConversionError) {
    try convert(into: .statuses)
    entries.beginRecord()
    var group = 0
    for place in tree.objects.indices {
      if tree.objects[place].part == .group { group = place }
      guard tree.objects[place].part == .item else { continue }
      state.returnTo(tree.objects[place])
      entries.fill(
        objects: [0, group, place, place + 1, place + 2], rows: [rowOfCurrent, state.renewalEntry] + rowsOfWhole)
      outline.fill(entries)
      use()
    }
  }

  private var rowOfCurrent: Int { state.current.map { state.periods[$0].row } ?? -1 }

  /// The objects around transactions and renewals.
  private var rowsOfWhole: [Int] {
    let record = state.record
    return [record.body, record.unifiedReceipt, record.receipt].compactMap(\.self)
  }
}
