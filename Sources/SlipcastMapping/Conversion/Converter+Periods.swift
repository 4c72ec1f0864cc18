@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

// The transactions of a record, in an order that does not depend on that of the record.

extension Converter {
  /// Adds rows in an order of their own, whatever that of the record is.
  func append(_ rows: some Sequence<Int>, to periods: inout [Period]) {
    let first = periods.count
    var isSorted = true
    for row in rows {
      let period = Period(record, row, after: periods.last)
      if periods.count > first, let last = periods.last, isBefore(period, last) { isSorted = false }
      periods.append(period)
    }
    guard !isSorted else { return }
    let sorted = periods[first...].sorted(by: isBefore)
    periods.removeSubrange(first...)
    for period in sorted { periods.append(Period(record, period.row, after: periods.last)) }
  }

  private func isBefore(_ left: Period, _ right: Period) -> Bool {
    if left.isBefore(right) { return true }
    return right.isBefore(left) ? false : isSpelledBefore(left.row, right.row)
  }

  /// An order of rows with equal ids and dates: by their values, key by key.
  private func isSpelledBefore(_ left: Int, _ right: Int) -> Bool {
    for key in LegacyKey.allCases {
      let (one, two) = (record.text(left, key)?.string ?? "", record.text(right, key)?.string ?? "")
      if one != two { return one > two }
    }
    return false
  }

  func prepareReceipt() {
    state.type = .unknown
    addUnknown(record.inApp)
    if let flat = record.flat { addUnknown(flat..<flat + 1) }
    findGaps()
    if state.gaps.isListOfNewest {
      state.note(.oldTransactionsExcluded, record.rows.slot(record.body, .latest_receipt_info))
    }
    state.subject = Subject()
    state.newestPeriod = nil
    state.renewalEntry = -1
    if let receipt = record.receipt, let time = record.instant(receipt, .request) {
      (state.eventTime, state.eventTimeSource) = (time, record.rows.source(receipt, .request))
    }
    state.judgeTime = state.eventTime ?? state.receivedAt
    noteRepeatedLineItems()
  }

  /// A restored purchase repeats a line item under another transaction id.
  private func noteRepeatedLineItems() {
    var ids: [JSONText: JSONText] = [:]
    for period in state.periods {
      guard let line = record.text(period.row, .web_order_line_item_id),
        let id = record.text(period.row, .transaction_id)
      else { continue }
      if let other = ids.updateValue(id, forKey: line), !(other == id) {
        return state.note(.lineItemRepeated, record.rows.slot(period.row, .web_order_line_item_id))
      }
    }
  }

  /// Adds what the list does not have yet: transactions without an id, and those of another id.
  private func addUnknown(_ rows: Range<Int>) {
    guard !rows.isEmpty else { return }
    var unknown: [Int] = []
    var known: [JSONText: Int] = [:]
    for period in state.periods {
      if let id = record.text(period.row, .transaction_id), known[id] == nil { known[id] = period.row }
    }
    for row in rows {
      if let id = record.text(row, .transaction_id) {
        if let first = known[id] {
          if !record.isRepeat(row, of: first) { state.note(.listedDifferently, record.rows.origin(row)) }
          continue
        }
        known[id] = row
      }
      unknown.append(row)
    }
    var periods: [Period] = []
    swap(&periods, &state.periods)
    append(unknown, to: &periods)
    swap(&periods, &state.periods)
  }

  /// The periods that an output of many transactions has, one of each transaction id: the one with all values of the
  /// other, else the first; a notification keeps that of its event.
  func periodsListedOnce() -> [Int] {
    var (listed, places) = ([Int](), [JSONText: Int]())
    for index in state.periods.indices {
      let row = state.periods[index].row
      guard let id = record.text(row, .transaction_id) else {
        listed.append(index)
        continue
      }
      guard let place = places[id] else {
        places[id] = listed.count
        listed.append(index)
        continue
      }
      let other = state.periods[listed[place]].row
      let differs = !record.isRepeat(row, of: other)
      if differs { state.note(.listedDifferently, record.rows.origin(row)) }
      let isMore = differs && record.isRepeat(other, of: row)
      if index == state.subject.target || isMore && listed[place] != state.subject.target { listed[place] = index }
    }
    return listed
  }
}
