@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

// The transactions of a record, in an order that does not depend on that of the record.

extension Converter {
  /// The transactions of rows, in an order of their own.
  func periods(of rows: some Collection<Int>, after known: [Period] = []) -> [Period] {
    var periods = known
    periods.reserveCapacity(known.count + rows.count + 1)
    let first = periods.count
    var isSorted = true
    for row in rows {
      let period = Period(record, row, after: periods.last)
      if periods.count > first, let last = periods.last, isBefore(period, last) { isSorted = false }
      periods.append(period)
    }
    guard !isSorted else { return periods }
    let sorted = periods[first...].sorted(by: isBefore)
    periods.removeSubrange(first...)
    for period in sorted { periods.append(Period(record, period.row, after: periods.last)) }
    return periods
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

  func prepareAnswer(_ input: RecordInput) {
    var periods = periods(of: record.transactions)
    addUnknown(record.inApp, to: &periods)
    if let flat = record.flat { addUnknown(flat..<flat + 1, to: &periods) }
    let gaps = RecordGaps(input, periods)
    if gaps.isListOfNewest {
      builder.note(.oldTransactionsExcluded, record.rows.slot(record.body, .latest_receipt_info))
    }
    builder.begin(KnownRecord(input, periods, gaps, Subject(), EventTimes(answer: input)))
    noteRepeatedLineItems()
  }

  /// A restored purchase repeats a line item under another transaction id.
  private func noteRepeatedLineItems() {
    var ids: [JSONText: JSONText] = [:]
    for period in known.periods {
      guard let line = record.text(period.row, .web_order_line_item_id),
        let id = record.text(period.row, .transaction_id)
      else { continue }
      if let other = ids.updateValue(id, forKey: line), !(other == id) {
        return builder.note(.lineItemRepeated, record.rows.slot(period.row, .web_order_line_item_id))
      }
    }
  }

  /// Adds what the list does not have yet: transactions without an id, and those of another id.
  private func addUnknown(_ rows: Range<Int>, to periods: inout [Period]) {
    guard !rows.isEmpty else { return }
    var unknown: [Int] = []
    // The first row of a transaction, and its place among the periods that are known already.
    var known: [JSONText: (row: Int, place: Int?)] = [:]
    for (place, period) in periods.enumerated() {
      if let id = record.text(period.row, .transaction_id), known[id] == nil { known[id] = (period.row, place) }
    }
    for row in rows {
      if let id = record.text(row, .transaction_id) {
        if let first = known[id] {
          if !record.isRepeat(row, of: first.row) {
            builder.note(.listedDifferently, record.rows.origin(row))
            if let place = first.place { periods[place].learnCancellation(record, of: row) }
          }
          continue
        }
        known[id] = (row, nil)
      }
      unknown.append(row)
    }
    periods = self.periods(of: unknown, after: periods)
  }

  /// The periods that an output of many transactions has, one of each transaction id: the one with all values of the
  /// other, else the first in their order; a notification keeps that of its event.
  func periodsListedOnce() -> [Int] {
    var (listed, places) = ([Int](), [JSONText: Int]())
    for index in known.periods.indices {
      let row = known.periods[index].row
      guard let id = record.text(row, .transaction_id) else {
        listed.append(index)
        continue
      }
      guard let place = places[id] else {
        places[id] = listed.count
        listed.append(index)
        continue
      }
      let other = known.periods[listed[place]].row
      let differs = !record.isRepeat(row, of: other)
      if differs { builder.note(.listedDifferently, record.rows.origin(row)) }
      let isMore = differs && record.isRepeat(other, of: row)
      if index == known.subject.target || isMore && listed[place] != known.subject.target { listed[place] = index }
    }
    return listed
  }
}
