@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

// What accounts, in words or in numbers, ask about the V1 objects of the record of the moment.

extension Caster {
  /// The rows that the cells of the moment speak of; a row may come twice.
  @inline(__always)
  func forEachRowInUse(_ use: (Int) -> Void) {
    for scope in LegacyScope.allCases {
      let row = state.row(of: scope)
      if row >= 0 { use(row) }
    }
    if let flat = state.record.flat, isOfCurrent(flat) { use(flat) }
  }

  /// The flat object describes the event's transaction, or there is no other that does.
  private func isOfCurrent(_ flat: Int) -> Bool {
    let record = state.record
    guard record.form == .notification, let current = state.current, state.periods[current].row != flat,
      let own = record.text(flat, .transaction_id),
      let id = record.text(state.periods[current].row, .transaction_id)
    else { return true }
    return own == id
  }

  /// Which object a row is.
  func scope(of row: Int) -> LegacyScope {
    let record = state.record
    if row == record.body { return record.form == .notification ? .responseBodyV1 : .verifyReceipt }
    if row == record.unifiedReceipt { return .unified_receipt }
    if row == record.receipt { return .receipt }
    return record.renewals.contains(row) ? .pending_renewal_info : .latest_receipt_info
  }

  /// The rule that tells what becomes of a value without a V2 place, or one of `LossNote`.
  @inline(__always)
  func lossNote(_ index: Int, _ scope: LegacyScope, _ form: CompiledRules.LossForm) -> Int16 {
    let key = Int(state.record.tape[index].key)
    guard key < LegacyKey.count else { return CompiledRules.LossNote.undocumented }
    return compiled.lossNotes[form.rawValue][scope.number][key]
  }

  /// The relation of a single V1 key, where it is another than the rule's.
  func relation(_ relations: [String: Relation], _ source: Int) -> Relation? {
    source == 0 || relations.isEmpty ? nil : relations[state.record.tape.key(source).string]
  }
}

extension LegacyKey {
  /// What stands there are objects that have rows of their own.
  var holdsRows: Bool {
    switch self {
    case .unified_receipt, .latest_receipt_info, .latest_expired_receipt_info, .pending_renewal_info, .receipt, .in_app:
      true
    default: false
    }
  }
}
