internal import SlipcastBulk
package import SlipcastMapping
internal import SlipcastV2

/// Collects what the entries of a life show of its states; `intervals(asOf:)` derives the intervals.
package struct LifeStates {
  private var periods: [UntoldPeriod.Key: LifePeriod] = [:]
  /// How certain the renewals are that no message reports.
  private var unreported: [UntoldPeriod.Key: Confidence] = [:]
  private var autoRenew = AutoRenewChanges()
  private var products = ListedProducts()
  /// What lists of single records show of periods.
  private var shownByLists: [UntoldPeriod.Key: UntoldPeriod] = [:]
  /// The end of the newest period by what records say of the next renewal, and the earliest record that states it.
  private var shownEnd: (end: Int64, time: Int64)?
  /// When the first purchase was made, as far as records state it.
  private(set) var began = Int64.max
  /// When the newest period that a message is about was bought.
  private var newest = Int64.min
  private var isSandbox = false
  private var isFamily = false
  private let catalogue: GapCatalogue

  package init(catalogue: GapCatalogue) { self.catalogue = catalogue }

  mutating func add(_ entry: TimelineEntry) {
    switch entry {
    case .event(let group): add(group)
    case .gap(let gap): add(gap)
    // Apple's own transactions are shown next to the life that V1's messages report.
    case .transaction: break
    }
  }

  /// The intervals of the life, in order.
  ///
  /// - Parameter asOf: up to when the archive is known to be complete; what follows the last known period until then is
  ///   an interval too.
  func intervals(asOf: Int64?) -> [LifeInterval] { lived(asOf: asOf).all() }

  /// What the intervals are derived from.
  func lived(asOf: Int64?) -> LifeIntervals {
    let windows = catalogue.windows(isSandbox: isSandbox)
    let shown = periods.values.map { settled($0, windows) } + listed()
    var order = shown.sorted { ($0.key.purchase, $0.expires, $0.key.id) < ($1.key.purchase, $1.expires, $1.key.id) }
    order = order.reduce(into: []) { kept, period in
      if period.beginning(after: kept, early: windows.early) != .never { kept.append(period) }
    }
    // Who buys another product while Apple retries a renewal ends the retry: a recovery came before.
    for (place, next) in zip(order.indices, order.dropFirst()) {
      order[place].activeFrom = min(order[place].activeFrom, next.key.purchase)
    }
    if let unnamed = unnamed(after: order) { order.append(unnamed) }
    return LifeIntervals(
      periods: order, changes: autoRenew.inOrder, windows: windows, catalogue: catalogue, asOf: asOf,
      isFamily: isFamily)
  }

  /// A newer period, of which records only say when it ends.
  private func unnamed(after periods: [LifePeriod]) -> LifePeriod? {
    guard let shownEnd, let last = periods.map(\.expires).max(), shownEnd.end > last else { return nil }
    let key = UntoldPeriod.Key(id: .max, purchase: max(last, shownEnd.time))
    guard key.purchase < shownEnd.end else { return nil }
    var period = LifePeriod(
      UntoldPeriod(key: key, expires: shownEnd.end, product: 0), productId: nil, isFamily: isFamily)
    period.isStartUnknown = shownEnd.time > last
    return period
  }

  /// The periods that only lists show.
  private func listed() -> [LifePeriod] {
    let single = shownByLists.values.filter { periods[$0.key] == nil }
      .map { LifePeriod($0, productId: nil, isFamily: isFamily) }
    guard let evidence = catalogue.evidence else { return single }
    var found: [UntoldPeriod.Key: LifePeriod] = [:]
    var open = Array(periods.keys)
    while let key = open.popLast() {
      for period in [evidence.untold(after: key), evidence.firstUntold(before: key)].compactMap(\.self)
      where periods[period.key] == nil && found[period.key] == nil {
        found[period.key] = LifePeriod(period, productId: products[period.product], isFamily: isFamily)
        open.append(period.key)
      }
    }
    return single + found.values
  }

  /// Adds what other records show of a period.
  private func settled(_ period: LifePeriod, _ windows: LifeWindows) -> LifePeriod {
    var period = period
    let end = period.isTold ? catalogue.evidence?.end(of: period.key) : nil
    if let end { period.learn(end, isFamily: isFamily) }
    if let listed = shownByLists[period.key] { period.learn(listed, isFamily: isFamily) }
    period.proof.confidence = max(period.proof.confidence, unreported[period.key] ?? .documented)
    // A refund whose message is missing would have ended it earlier.
    period.isUntouched =
      end?.isShownAfter == true
      || catalogue.isComplete(
        from: period.key.purchase, until: period.expires &+ windows.delivery, isFamily: isFamily)
    return period
  }

  // MARK: single records

  package mutating func learn(isSandbox: Bool) { self.isSandbox = isSandbox }

  /// Notes a period that the list of a record shows, in addition to the one that the record is about.
  package mutating func note(_ listed: UntoldPeriod) {
    var known = shownByLists[listed.key] ?? listed
    known.expires = max(known.expires, listed.expires)
    known.revocation = min(known.revocation, listed.revocation)
    known.isUpgraded = known.isUpgraded || listed.isUpgraded
    known.isReplacedBeforeItBegan = known.isReplacedBeforeItBegan || listed.isReplacedBeforeItBegan
    shownByLists[listed.key] = known
  }

  /// Notes what a record says of the end of the newest period, whichever it is about.
  ///
  /// - Parameter time: when the record was written at the earliest.
  package mutating func note(newestEnd end: Int64, shownAt time: Int64) {
    guard let known = shownEnd, known.end >= end else {
      shownEnd = (end, time)
      return
    }
    if known.end == end { shownEnd = (end, min(known.time, time)) }
  }

  // MARK: events

  private mutating func add(_ group: EventGroup) {
    if let environment = group.facts.environment { isSandbox = environment == Environment.sandbox.rawValue }
    let proof = LifePeriod.Proof(
      confidence: group.confidence ?? .documented,
      evidence: [group.lead.place] + group.companions.map(\.event.place))
    autoRenew.add(group, proof.evidence, catalogue.windows(isSandbox: isSandbox))
    if let fact = LifeFact(group, proof) { add(fact) }
  }

  /// Adds what one record says of a period.
  package mutating func add(_ fact: LifeFact) {
    if fact.isFamily { isFamily = true }
    newest = max(newest, fact.key.purchase)
    began = min(began, fact.began ?? .max)
    products.learn(fact.productId)
    // A message that shows a period proves that, whatever it reports.
    let shown = LifePeriod.Proof(confidence: min(fact.proof.confidence, .inferred), evidence: fact.proof.evidence)
    var period = periods[fact.key] ?? LifePeriod(fact, shown)
    period.learn(fact)
    // What a message says of the renewal is about the newest period.
    if fact.isNewest ?? (fact.key.purchase == newest) { period.learnRenewal(fact) }
    periods[fact.key] = period
  }

  private mutating func add(_ gap: Gap) {
    guard let key = gap.period else { return }
    if gap.isRenewal {
      unreported[key] = gap.confidence
      autoRenew.renew(gap, catalogue.windows(isSandbox: isSandbox))
    } else if gap.event.notificationType == NotificationType.expired.rawValue {
      let isCertain = gap.candidates.isEmpty && gap.timing == .exact
      let confidence = isCertain ? gap.confidence : max(gap.confidence, .inferred)
      let proof = LifePeriod.Proof(confidence: confidence, evidence: [])
      periods[key]?.end = (gap.timing == .exact ? gap.time : nil, proof)
    }
  }
}
