@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

// The transactions or subscriptions of a record one by one, with their accounts in numbers.

extension Caster {
  /// Casts all transactions of the record, oldest first, and hands each out.
  ///
  /// - Throws: `CastError` for an answer without receipt data.
  package func forEachTransaction(_ outline: CastOutline, _ use: () -> Void) throws(CastError) {
    try refuseErrorAnswer()
    state.index = PeriodIndex(state.record, state.periods)
    apply(compiled.history, to: state.history)
    fillEnvelope(state.history)
    for index in chronological() {
      castTransaction(index)
      outline.begin(self, rows: [state.periods[index].row] + rowsOfWhole)
      add(state.history, .history, "receipt", to: outline)
      add(state.transaction, .transaction, "transaction", to: outline)
      outline.addLosses(self, .receipt)
      use()
    }
  }

  /// Casts the newest state of every subscription of the record and hands each out.
  ///
  /// - Throws: `CastError` for an answer without receipt data.
  package func forEachSubscription(_ outline: CastOutline, _ use: () -> Void) throws(CastError) {
    try refuseErrorAnswer()
    apply(compiled.statuses, to: state.statuses)
    fillEnvelope(state.statuses)
    forEachSubscription { newest in
      let renewal = state.renewalEntry >= 0 ? [state.renewalEntry] : []
      outline.begin(self, rows: [state.periods[newest].row] + renewal + rowsOfWhole)
      add(state.statuses, .statuses, "statuses", to: outline)
      add(state.statusGroup, .group, "statuses", "data.", to: outline)
      let name = CellLayout.statusName
      if let from = CompiledRules.lastTransactionLayout.slot(name), let to = CompiledRules.dataLayout.slot(name),
        let cell = state.lastTransaction[from]
      {
        outline.add(cell, .data, to, self)
        // The status has one place, beside the dates that it is judged by.
        state.lastTransaction.remove(from)
      }
      add(state.lastTransaction, .item, "statuses", "data.lastTransactions.", to: outline)
      add(state.transaction, .transaction, "transaction", to: outline)
      add(state.renewal, .renewal, "renewal", to: outline)
      outline.addLosses(self, .statuses)
      use()
    }
  }

  /// The objects around transactions and renewals.
  private var rowsOfWhole: [Int] {
    let record = state.record
    return [record.body, record.unifiedReceipt, record.receipt].compactMap(\.self)
  }

  func add(
    _ row: CellRow, _ part: CastOutline.Part, _ family: String, _ under: String = "", to outline: CastOutline
  ) {
    let name = CompiledRules.ObjectName(family: family, under: under)
    outline.add(row, part, compiled.absences[name] ?? [], self)
  }
}

extension CellLayout {
  /// The status of a subscription, beside its transaction.
  fileprivate static let statusName = "status"
}
