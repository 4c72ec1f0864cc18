/// Which periods are shown by lists that lack nothing.
///
/// A list that seems whole and lacks an older period which another list shows is not: it was made without old transactions.
extension UnitedPeriods {
  /// When the periods of the subscription itself were bought, in order.
  private var purchases: [Int64] { entries.values.filter(\.isTerm).map(\.period.purchase).sorted() }

  mutating func noteWholeLists(_ messages: [HistoryMessage]) {
    let purchases = purchases
    var open = purchases.count
    // The last list usually shows most periods.
    for message in messages.reversed() where message.scope.contains(.whole) {
      guard open > 0 else { return }
      let own = message.periods.filter { $0.traits.contains(.own) && $0.expires != HistoryMessage.noTime }
      guard let newest = own.map(\.purchase).max(),
        Set(own.map(\.id)).count >= purchases.count(until: newest)
      else { continue }
      for period in own where entries[period.id]?.isListedWhole == false {
        entries[period.id]?.isListedWhole = true
        open -= 1
      }
    }
  }

  /// The kept periods; a list of one run lacks an older period that only another run shows.
  static func checked(_ kept: [KeptPeriod]) -> [KeptPeriod] {
    guard let first = kept.first, kept.contains(where: { $0.run != first.run }) else { return kept }
    let all = Set(kept.map(\.entry.key)).map(\.purchase).sorted()
    let runs = Dictionary(grouping: kept, by: \.run).mapValues { $0.map(\.entry.period.purchase).sorted() }
    return kept.map { period in
      let purchase = period.entry.period.purchase
      guard let own = runs[period.run], own.count(until: purchase) < all.count(until: purchase) else { return period }
      var period = period
      period.entry.isListedWhole = false
      return period
    }
  }
}

extension [Int64] {
  /// How many elements of a sorted array are not greater than a number.
  fileprivate func count(until number: Int64) -> Int { firstIndex(after: number) ?? count }
}
