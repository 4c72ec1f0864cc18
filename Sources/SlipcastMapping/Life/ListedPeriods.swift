@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) package import SlipcastWire

/// Chooses, among the periods that lists show, those that may decide what ran at a time: the last two that had begun, for
/// a replaced one may never have begun, and the first one after them.
package struct ListedPeriods: Sendable {
  private var last: UntoldPeriod?
  private var before: UntoldPeriod?
  private var next: UntoldPeriod?
  private let time: Int64

  /// - Parameter time: in milliseconds since 1970 UTC; `nil`: the newest ones.
  package init(around time: Int64?) { self.time = time ?? .max }

  package mutating func add(_ period: UntoldPeriod) {
    let purchase = period.key.purchase
    if purchase > time {
      if next.map({ purchase < $0.key.purchase }) ?? true { next = period }
    } else if last.map({ purchase > $0.key.purchase }) ?? true {
      (last, before) = (period, last)
    } else if before.map({ purchase > $0.key.purchase }) ?? true {
      before = period
    }
  }

  package var chosen: [UntoldPeriod] { [before, last, next].compactMap(\.self) }
}

extension Converter {
  /// More subscriptions of one record are not looked at.
  private static let mostElsewhere = 16

  /// The periods of the event's subscription, other than its own, that may decide what ran at a time.
  ///
  /// - Parameter time: in milliseconds since 1970 UTC; `nil` where it is not known yet: then the newest ones.
  package func listedPeriods(around time: Int64?) -> [UntoldPeriod] {
    guard known.periods.count > 1, let original = known.subject.original else { return [] }
    let (target, own) = (known.subject.target, known.target?.purchase)
    var listed = ListedPeriods(around: time)
    for (place, period) in known.periods.enumerated() where place != target {
      guard period.original == original, let one = untold(period) else { continue }
      // What began before the event's own period decides nothing once that one had begun.
      if let time, let own, own <= time, period.purchase < own { continue }
      listed.add(one)
    }
    return listed.chosen
  }

  /// The other periods of the event's subscription that its list shows as taken back, where it also marks upgrades: a
  /// cancellation is certain to be none.
  package var listedRefunds: [UntoldPeriod] {
    guard known.periods.count > 1, let original = known.subject.original else { return [] }
    let target = known.subject.target
    return known.periods.indices.lazy.filter { [known] place in
      let period = known.periods[place]
      return place != target && period.isRevoked && period.original == original
        && known.formHasUpgradeKey(period.row) && !known.isCancelledAtPurchase(place)
    }.prefix(Self.mostElsewhere).compactMap { [known] in UntoldPeriod(known.periods[$0]) }
  }

  /// The same of the other subscriptions that the record lists, each with its original transaction.
  package func listedElsewhere(around time: Int64?) -> [(original: JSONText, periods: [UntoldPeriod])] {
    listed(around: time) { $0 != known.subject.original }
  }

  /// The same of all subscriptions that the record lists, with the periods that stand for them.
  package func listedEverywhere(around time: Int64?) -> [(original: JSONText, periods: [UntoldPeriod])] {
    listed(around: time) { _ in true }
  }

  private func listed(
    around time: Int64?, where isWanted: (JSONText?) -> Bool
  ) -> [(original: JSONText, periods: [UntoldPeriod])] {
    var found: [(original: JSONText, periods: ListedPeriods)] = []
    for period in known.periods where isWanted(period.original) {
      guard let one = untold(period), let original = period.original else { continue }
      // Rows of one subscription mostly follow each other.
      if let place = found.lastIndex(where: { $0.original == original }) {
        found[place].periods.add(one)
      } else if found.count < Self.mostElsewhere {
        found.append((original, ListedPeriods(around: time)))
        found[found.count - 1].periods.add(one)
      }
    }
    return found.map { ($0.original, $0.periods.chosen) }
  }

  /// What is listed of a period; `nil` for one without an end.
  private func untold(_ period: Period) -> UntoldPeriod? {
    guard var one = UntoldPeriod(period) else { return nil }
    // The period that it would have renewed need not be among those that are chosen.
    one.isReplacedBeforeItBegan = known.record.isReplacedBeforeItBegan(
      period, known.periods, early: known.length(known.compiled.parameters.early))
    return one
  }
}

extension UntoldPeriod {
  /// A listed period, by its purchase; `nil` for one without an end.
  fileprivate init?(_ period: Period) {
    guard period.purchase != Period.none, period.expires != Period.none else { return nil }
    self.init(key: Key(id: 0, purchase: period.purchase), expires: period.expires, product: 0)
    isUpgraded = period.isUpgraded
    if period.isRevoked { revocation = period.cancellation }
  }
}
