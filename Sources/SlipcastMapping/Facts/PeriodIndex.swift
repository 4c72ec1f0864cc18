@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// Periods and renewals by what they are looked up by, made once for a record of which many transactions are cast.
///
/// One event looks at its own few neighbours and needs none of this; a history of thousands of transactions would look
/// through all of them for each.
final class PeriodIndex {
  /// The periods of each original transaction, oldest first.
  private let chains: [JSONText: [Int]]
  /// For each period the newest older one of its original transaction that has an end, or -1.
  private var predecessors: [Int]
  /// Purchase dates of upgraded periods by original transaction, ascending.
  private var upgrades: [JSONText?: [Int64]] = [:]
  /// All periods with a purchase date, by that date.
  private let purchases: [(time: Int64, period: Int)]
  /// Rows of renewal entries by original transaction, in the order of the record.
  private let renewals: [JSONText: [Int]]
  /// A renewal entry of a product: any of them shows that it is a subscription.
  private var productRenewals: [JSONText: Int] = [:]

  /// Original transactions whose rows have several original purchase dates, each with its own period, or -1.
  private let openOriginals: [JSONText: Int]

  /// - Parameters:
  ///   - listed: the periods that count, where transactions are listed twice.
  ///   - skew: how far original purchase dates of one purchase may differ, in milliseconds.
  init(_ record: LegacyRecord, _ periods: [Period], _ listed: [Int], skew: Int64) {
    var chains: [JSONText: [Int]] = [:]
    for index in listed {
      if let original = periods[index].original {
        chains[original, default: []].append(index)
      }
    }
    predecessors = [Int](repeating: -1, count: periods.count)
    for original in Array(chains.keys) {
      // Among equals the first of the record comes last, so that it is the one found.
      chains[original]?.sort { left, right in
        periods[right].isNewer(than: periods[left]) || !periods[left].isNewer(than: periods[right]) && left > right
      }
      Self.link(chains[original] ?? [], periods, &predecessors)
    }
    self.chains = chains
    var openOriginals: [JSONText: Int] = [:]
    for (original, chain) in chains {
      let dates = chain.compactMap { record.instant(periods[$0].row, .originalPurchase) }
      guard dates.contains(where: { !$0.isNear(dates[0], within: skew) }) else { continue }
      openOriginals[original] = chain.first { record.text(periods[$0].row, .transaction_id) == original } ?? -1
    }
    self.openOriginals = openOriginals
    purchases = listed.filter { periods[$0].purchase != Period.none }.map { (periods[$0].purchase, $0) }
      .sorted { ($0.time, $0.period) < ($1.time, $1.period) }
    for period in listed.map({ periods[$0] }) where period.isUpgraded && period.purchase != Period.none {
      upgrades[period.original, default: []].append(period.purchase)
    }
    for key in Array(upgrades.keys) { upgrades[key]?.sort() }
    var renewals: [JSONText: [Int]] = [:]
    for entry in record.renewals {
      let original = record.text(entry, .original_transaction_id)
      if let original { renewals[original, default: []].append(entry) }
      guard let product = record.text(entry, .product_id) else { continue }
      if productRenewals[product] == nil { productRenewals[product] = entry }
    }
    self.renewals = renewals
  }

  private static func link(_ chain: [Int], _ periods: [Period], _ predecessors: inout [Int]) {
    var last = -1
    var waiting: [Int] = []
    var previous: Int?
    for index in chain {
      if let previous, periods[index].isNewer(than: periods[previous]) {
        for other in waiting where periods[other].expires != Period.none { last = other }
        waiting.removeAll(keepingCapacity: true)
      }
      waiting.append(index)
      predecessors[index] = last
      previous = index
    }
  }

  /// The newest period that is older than one, of the same original transaction, with an end.
  func predecessor(of index: Int) -> Int? { predecessors[index] < 0 ? nil : predecessors[index] }

  /// The periods of an original transaction, newest first.
  func chain(of original: JSONText) -> ReversedCollection<[Int]> { (chains[original] ?? []).reversed() }

  /// The period of an original transaction whose rows have several original purchase dates, or -1 where it is not
  /// listed; `nil` where all dates agree.
  func openOriginal(_ original: JSONText) -> Int? { openOriginals[original] }

  /// An upgraded period of that subscription was bought within a distance of an instant.
  func isUpgraded(_ original: JSONText?, near instant: Int64, within distance: Int64) -> Bool {
    guard let dates = upgrades[original] else { return false }
    let first = dates.firstPlace { $0 >= instant - distance }
    return first < dates.count && dates[first] <= instant + distance
  }

  /// Periods that are looked at around one instant; beyond that many, one is taken to fit: the purchases are too dense.
  private static let densest = 1000

  /// A period that fits was bought within a distance of an instant.
  func contains(
    near instant: Int64, within distance: Int64, _ periods: [Period], where fits: (Period) -> Bool
  ) -> Bool {
    let first = purchases.firstPlace { $0.time >= instant - distance }
    for place in first..<purchases.count {
      if purchases[place].time > instant + distance { return false }
      if place - first >= Self.densest || fits(periods[purchases[place].period]) { return true }
    }
    return false
  }

  /// The renewal entries of an original transaction, in the order of the record.
  func renewals(of original: JSONText) -> [Int] { renewals[original] ?? [] }

  func renewal(ofProduct product: JSONText) -> Int? { productRenewals[product] }
}

extension Int64 {
  /// Two instants are in different seconds; texts have no milliseconds.
  func isOtherSecond(than other: Int64) -> Bool { floorDivided(by: 1000) != other.floorDivided(by: 1000) }

  /// Two instants, both of dates that can be read, are no further apart than a length.
  func isNear(_ other: Int64, within length: Int64) -> Bool { (self &- other).magnitude <= length.magnitude }
}

extension Array {
  /// The place of the first element that fits, in an array in which all elements after it fit too.
  func firstPlace(where fits: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if fits(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
