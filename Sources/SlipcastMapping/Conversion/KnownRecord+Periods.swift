@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

// The periods of one original transaction.

extension KnownRecord {
  /// Where transactions of one original id have several original purchase dates, that of the original transaction if it
  /// is listed, else the period's own; `nil` where all agree.
  func otherOriginalDate(than index: Int) -> (date: Int64, source: Int)? {
    let row = periods[index].row
    guard let own = record.instant(row, .originalPurchase), let original = periods[index].original,
      let first = openOriginal(original, own)
    else { return nil }
    let source = first >= 0 ? periods[first].row : row
    let holder = record.instant(source, .originalPurchase) == nil ? row : source
    return (record.instant(holder, .originalPurchase) ?? own, record.rows.source(holder, .originalPurchase))
  }

  /// The period of an original transaction whose original purchase dates differ, or -1; `nil` where all agree.
  private func openOriginal(_ original: JSONText, _ date: Int64) -> Int? {
    if let all = index { return all.openOriginal(original) }
    let skew = length(compiled.parameters.original)
    // Dates first: comparing ids costs more, and in most records all dates are equal.
    let differs = periods.contains { other in
      record.instant(other.row, .originalPurchase).map { !$0.isNear(date, within: skew) } ?? false
        && other.original == original
    }
    guard differs else { return nil }
    return periods.firstIndex { record.text($0.row, .transaction_id) == original } ?? -1
  }

  /// The period before one, of the same original transaction (by purchase, then expiry).
  ///
  /// The same in every form of a record: values that follow from it do not depend on the event.
  func previous(of index: Int) -> Int? { precedingPeriod(of: index) }

  /// The periods of a period's original transaction that have an end, newest first.
  func chain(of newest: Int) -> [Int] {
    if let index {
      return periods[newest].original.map { index.chain(of: $0).filter { periods[$0].expires != Period.none } } ?? []
    }
    var chain: [Int] = []
    chain.reserveCapacity(periods.count)
    var isSorted = true
    for index in periods.indices
    where periods[index].isSameOriginal && periods[index].expires != Period.none {
      if let last = chain.last, periods[index].isNewer(than: periods[last]) { isSorted = false }
      chain.append(index)
    }
    if !isSorted { chain.sort { periods[$0].isNewer(than: periods[$1]) } }
    return chain
  }

  /// The newest period that is older than one, of the same original transaction; upgraded ones count: they were paid.
  func precedingPeriod(of index: Int) -> Int? {
    if let all = self.index { return all.predecessor(of: index) }
    let period = periods[index]
    return SubjectFinder.newest(periods) { other in
      guard period.isNewer(than: other), other.expires != Period.none else { return false }
      return period.isSameOriginal && other.isSameOriginal
        || period.original != nil && period.original == other.original
    }
  }
}
