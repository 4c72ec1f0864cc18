@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

// What accounts ask about the V1 objects of the current record.

extension RecordBuilder {
  /// Visits the rows that rules read at the moment; a row may come twice.
  @inline(__always)
  func forEachRowInUse(_ use: (Int) -> Void) {
    for scope in LegacyScope.allCases {
      let row = row(of: scope)
      if row >= 0 { use(row) }
    }
    if let flat = record.flat, isOfCurrent(flat) { use(flat) }
  }

  /// The flat object describes the event's transaction, or no other object does.
  private func isOfCurrent(_ flat: Int) -> Bool {
    guard record.form == .notification, let current = focus.period, known.periods[current].row != flat,
      let own = record.text(flat, .transaction_id), let id = record.text(known.periods[current].row, .transaction_id)
    else { return true }
    return own == id
  }

  /// The row that an object of V2 describes at the moment; -1 for objects that describe the whole record.
  func owner(of part: ObjectPart) -> Int {
    switch part {
    case .transaction: focus.period.map { known.periods[$0].row } ?? -1
    case .renewal: focus.renewalEntry
    default: -1
    }
  }

  func scope(of row: Int) -> LegacyScope {
    if row == record.body { return record.form == .notification ? .responseBodyV1 : .verifyReceipt }
    if row == record.unifiedReceipt { return .unified_receipt }
    if row == record.receipt { return .receipt }
    return record.renewals.contains(row) ? .pending_renewal_info : .latest_receipt_info
  }

  /// Visits what a person should know about the record, in the order in which it was noticed.
  func forEachFinding(_ use: (RecordFinding) -> Void) {
    for finding in record.findings {
      let drift = finding.drift
      // The first attribute is written as the last key.
      let isAttribute = drift == .duplicateKey && known.input.isOfAttributes
      let message = isAttribute ? "the receipt has an attribute twice; the first one counts" : drift.message
      use(RecordFinding(drift.code, isWarning: drift.isWarning, message, at: Int(finding.index)))
    }
    for (note, index) in notes.notes {
      if note == .decision, let finding = decision?.finding {
        use(RecordFinding(finding.code, isWarning: true, finding.message, at: index))
      } else {
        use(RecordFinding(note.code, isWarning: note.isWarning, note.message, at: index))
      }
    }
    for remark in notes.remarks { use(RecordFinding(remark.code, isWarning: true, remark.message, at: remark.index)) }
  }
}

/// A finding whose path is not spelled yet.
struct RecordFinding {
  let code: String
  let severity: Finding.Severity
  let message: String
  /// The place of the value on the tape; 0 for the record itself.
  let index: Int

  init(_ code: String, isWarning: Bool, _ message: String, at index: Int) {
    (self.code, self.message, self.index) = (code, message, index)
    severity = isWarning ? .warning : .info
  }
}
