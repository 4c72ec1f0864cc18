@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

// What a message says, as a number: two messages with one key and other content are no silent duplicates.

extension Converter {
  /// A digest of the content of the current notification.
  ///
  /// Deliveries of one message agree in it: order of keys and rows, spelling as number or text, absent against empty or
  /// null make no difference. Left out is what changes between deliveries by nature: the receipt, the secret, purchases
  /// that the snapshot lists and that are later than the event, and, in a list that Apple cut at 100 rows, the older ones
  /// too, because each later purchase pushes one out.
  package var contentDigest: UInt64 {
    let content = EventContent(record: record)
    var hash = QuickHash(seed: 2)
    hash.add(content.object(Int(record.root)))
    hash.add(content.rows(upTo: cutoff))
    return hash.value
  }

  /// Purchases after it are later than the event.
  private var cutoff: Int64? {
    let purchase = known.subject.target.map { known.periods[$0].purchase }
    guard let latest = [known.eventTime, purchase].compactMap(\.self).max(), latest > Period.none else { return nil }
    return latest
  }
}

private struct EventContent {
  let record: LegacyRecord
  private var tape: JSONTape { record.tape }
  /// Apple lists so many transactions at most.
  private static let mostRows = 100

  init(record: LegacyRecord) { self.record = record }

  func object(_ index: Int) -> UInt64 {
    var sum: UInt64 = 0
    let end = Int(tape[index].nextOrSide)
    var child = index + 1
    while child < end {
      if !isLeftOut(child), let value = value(child) {
        var hash = QuickHash(seed: 3)
        let key = tape[child].key
        if key == JSONEntry.unknownKey { hash.add(tape.key(child)) } else { hash.add(UInt64(key)) }
        hash.add(value)
        sum &+= hash.value
      }
      child = tape.after(child)
    }
    return sum
  }

  /// The listed transactions up to a time; all of them without one.
  func rows(upTo cutoff: Int64?) -> UInt64 {
    let rows = record.transactions
    var sum: UInt64 = 0
    for row in rows {
      let purchase = record.rows.instant(row, .purchase)
      if let cutoff {
        if purchase > cutoff { continue }
        if rows.count >= Self.mostRows, purchase < cutoff { continue }
      }
      var hash = QuickHash(seed: 4)
      hash.add(object(record.rows.origin(row)))
      sum &+= hash.value
    }
    return sum
  }

  private func isLeftOut(_ index: Int) -> Bool {
    switch LegacyKey(tape[index]) {
    case .latest_receipt, .latest_expired_receipt, .password, .deprecation, .request_date, .request_date_ms,
      .request_date_pst:
      true
    // Rows are added by themselves.
    case .latest_receipt_info: tape[index].kind == .array
    default: false
    }
  }

  private func value(_ index: Int) -> UInt64? {
    var hash = QuickHash(seed: 5)
    switch tape[index].kind {
    case .null: return nil
    case .true: hash.add(UInt64(1))
    case .false: hash.add(UInt64(0))
    case .string, .number:
      let text = tape.text(index)
      if text.isEmpty { return nil }
      hash.add(text)
    case .object: hash.add(object(index))
    case .array:
      var sum: UInt64 = 0
      let end = Int(tape[index].nextOrSide)
      var child = index + 1
      while child < end {
        sum &+= value(child) ?? 0
        child = tape.after(child)
      }
      hash.add(sum)
    }
    return hash.value
  }
}
