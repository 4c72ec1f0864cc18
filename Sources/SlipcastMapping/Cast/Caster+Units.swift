@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

// The transactions or subscriptions of a record one by one, with their accounts in numbers.

extension Caster {
  /// Converts all transactions of the record, oldest first, and hands each out.
  ///
  /// - Throws: `CastError` for an answer without receipt data.
  package func forEachTransaction(_ outline: CastOutline, _ use: () -> Void) throws(CastError) {
    try convert(into: .history)
    for place in tree.objects.indices.dropFirst() {
      let transaction = tree.objects[place]
      state.returnTo(transaction)
      outline.begin(self, rows: [rowOfCurrent] + rowsOfWhole)
      add(tree.objects[0], to: outline)
      add(transaction, to: outline)
      outline.addLosses(self, .receipt)
      use()
    }
  }

  /// Converts the newest state of every subscription of the record and hands each out.
  ///
  /// - Throws: `CastError` for an answer without receipt data.
  package func forEachSubscription(_ outline: CastOutline, _ use: () -> Void) throws(CastError) {
    try convert(into: .statuses)
    var group = 0
    for place in tree.objects.indices {
      if tree.objects[place].part == .group { group = place }
      guard tree.objects[place].part == .item else { continue }
      state.returnTo(tree.objects[place])
      let renewal = state.renewalEntry >= 0 ? [state.renewalEntry] : []
      outline.begin(self, rows: [rowOfCurrent] + renewal + rowsOfWhole)
      add(tree.objects[0], to: outline)
      add(tree.objects[group], to: outline)
      addItem(tree.objects[place], to: outline)
      add(tree.objects[place + 1], to: outline)
      add(tree.objects[place + 2], to: outline)
      outline.addLosses(self, .statuses)
      use()
    }
  }

  /// The status has one place, beside the dates that it is judged by.
  private func addItem(_ item: ConversionTree.Object, to outline: CastOutline) {
    let name = CellLayout.statusName
    if let from = item.row.layout.slot(name), let to = CompiledRules.dataLayout.slot(name), let cell = item.row[from] {
      outline.add(cell, .data, to, self)
      item.row.remove(from)
    }
    add(item, to: outline)
  }

  private var rowOfCurrent: Int { state.current.map { state.periods[$0].row } ?? -1 }

  /// The objects around transactions and renewals.
  private var rowsOfWhole: [Int] {
    let record = state.record
    return [record.body, record.unifiedReceipt, record.receipt].compactMap(\.self)
  }

  func add(_ object: ConversionTree.Object, to outline: CastOutline) {
    outline.add(object.row, object.part, compiled.absences[object.part.rules] ?? [], self)
  }
}

extension CellLayout {
  /// The status of a subscription, beside its transaction.
  fileprivate static let statusName = "status"
}
