@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

// What accounts ask about the V1 objects of the current record.

extension RecordBuilder {
  /// The object at hand is what the message takes back, and its row has no date of that.
  var takesBackUndated: Bool {
    guard known.type.is(.reversal), let current = focus.period, current == known.subject.target else { return false }
    return !known.periods[current].isCancelled
  }

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
      let (drift, index) = (finding.drift, Int(finding.index))
      // The first attribute is written as the last key.
      if drift == .duplicateKey, known.input.isOfAttributes {
        let message = "the receipt has an attribute twice; the first one counts"
        use(RecordFinding(words: .ofRecord(drift.code, isWarning: drift.isWarning, message), index: index))
      } else {
        use(RecordFinding(words: .drift(drift), index: index))
      }
    }
    for (note, index) in notes.notes {
      if note == .decision, let finding = decision?.finding {
        use(RecordFinding(words: .ofRecord(finding.code, isWarning: true, finding.message), index: index))
      } else {
        use(RecordFinding(words: .note(note), index: index))
      }
    }
    for remark in notes.remarks {
      use(RecordFinding(words: .ofRecord(remark.code, isWarning: true, remark.message), index: remark.index))
    }
  }
}
