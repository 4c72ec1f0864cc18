internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Collects what the entries of a life show of its states; `intervals(asOf:)` derives the intervals.
struct LifeStates {
  struct Change {
    var time: Int64
    var status: AutoRenewStatus
    var evidence: [Int64]
  }

  private var periods: [UntoldPeriod.Key: LifePeriod] = [:]
  /// How certain the renewals are that no message reports.
  private var unreported: [UntoldPeriod.Key: Confidence] = [:]
  /// Changes of auto-renew.
  private var changes: [Change] = []
  private var products = ListedProducts()
  /// When the newest period that a message is about was bought.
  private var newest = Int64.min
  private var isSandbox = false
  private var isFamily = false
  private let catalogue: GapCatalogue

  init(catalogue: GapCatalogue) { self.catalogue = catalogue }

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
    var order = shown.sorted { ($0.activeFrom, $0.expires, $0.key.id) < ($1.activeFrom, $1.expires, $1.key.id) }
    order = order.reduce(into: []) { kept, period in
      if !period.neverBegan(after: kept.last) { kept.append(period) }
    }
    return LifeIntervals(
      periods: order, changes: changes.sorted { $0.time < $1.time }, windows: windows, catalogue: catalogue, asOf: asOf)
  }

  /// The periods that only lists show.
  private func listed() -> [LifePeriod] {
    guard let evidence = catalogue.evidence else { return [] }
    var found: [UntoldPeriod.Key: LifePeriod] = [:]
    var open = Array(periods.keys)
    while let key = open.popLast() {
      for period in [evidence.untold(after: key), evidence.firstUntold(before: key)].compactMap(\.self)
      where periods[period.key] == nil && found[period.key] == nil {
        found[period.key] = LifePeriod(period, productId: products[period.product], isFamily: isFamily)
        open.append(period.key)
      }
    }
    return Array(found.values)
  }

  /// Adds what other records show of a period.
  private func settled(_ period: LifePeriod, _ windows: LifeWindows) -> LifePeriod {
    var period = period
    let end = period.name.flatMap { catalogue.evidence?.end(ofPeriod: $0, bought: period.key.purchase) }
    if let end { period.learn(end, isFamily: isFamily) }
    period.proof.confidence = max(period.proof.confidence, unreported[period.key] ?? .documented)
    // A refund whose message is missing would have ended it earlier.
    period.isUntouched =
      end?.isShownAfter == true
      || catalogue.isComplete(from: period.key.purchase, until: period.expires + windows.delivery)
    return period
  }

  // MARK: events

  private mutating func add(_ group: EventGroup) {
    if let environment = group.facts.environment { isSandbox = environment == Environment.sandbox.rawValue }
    let proof = LifePeriod.Proof(
      confidence: group.confidence ?? .documented,
      evidence: [group.lead.place] + group.companions.map(\.event.place))
    addChange(of: group, proof)
    guard let transaction = group.facts.transaction, let name = transaction.lineName,
      let purchase = transaction.purchaseDate?.milliseconds, let expires = transaction.expiresDate?.milliseconds
    else { return }
    if transaction.inAppOwnershipType?.known == .familyShared { isFamily = true }
    newest = max(newest, purchase)
    products.learn(transaction.productId)
    let key = transaction.key(name)
    // A message that shows a period proves that, whatever it reports.
    let shown = LifePeriod.Proof(confidence: min(proof.confidence, .inferred), evidence: proof.evidence)
    var period = periods[key] ?? LifePeriod(transaction, name, expires: expires, shown)
    period.expires = max(period.expires, expires)
    period.productId = transaction.productId ?? period.productId
    period.offerType = transaction.offerType?.known ?? period.offerType
    period.discount = transaction.offerDiscountType?.known ?? period.discount
    period.plan = transaction.billingPlanType?.known ?? period.plan
    if let ownership = transaction.inAppOwnershipType { period.isShared = ownership.known == .familyShared }
    if group.after != nil, let time = group.time { period.activeFrom = max(purchase, time) }
    period.learnEnd(group, transaction, proof)
    // What a message says of the renewal is about the newest period.
    if purchase == newest { period.learnRenewal(group, proof) }
    periods[key] = period
  }

  private mutating func addChange(of group: EventGroup, _ proof: LifePeriod.Proof) {
    guard let status = group.facts.renewal?.autoRenewStatus?.known, let time = group.time else { return }
    // A message about a purchase says how the renewal stands from then on; others may come between.
    let purchase = group.reportsPurchase ? group.facts.purchase : nil
    for time in [purchase.map { min($0, time) }, time].compactMap(\.self) {
      changes.append(Change(time: time, status: status, evidence: proof.evidence))
    }
  }

  private mutating func add(_ gap: Gap) {
    guard let key = gap.period else { return }
    if gap.isSent {
      unreported[key] = gap.confidence
    } else if gap.event.notificationType == NotificationType.expired.rawValue {
      let isCertain = gap.candidates.isEmpty && gap.timing == .exact
      let confidence = isCertain ? gap.confidence : max(gap.confidence, .inferred)
      let proof = LifePeriod.Proof(confidence: confidence, evidence: [])
      periods[key]?.end = (gap.timing == .exact ? gap.time : nil, proof)
    }
  }
}

extension LifePeriod {
  fileprivate mutating func learnEnd(_ group: EventGroup, _ transaction: EventFacts.Transaction, _ proof: Proof) {
    let reportsRevocation = group.mayBe(.refund) || group.mayBe(.revoke)
    if group.candidates.isEmpty, group.mayBe(.refundReversed) {
      reversed = max(reversed ?? .min, group.time ?? .min)
      revocation = nil
    }
    if transaction.isUpgraded == true {
      isReplaced = true
      replacedAt = transaction.revocationDate?.milliseconds ?? replacedAt
    } else if let time = transaction.revocationDate?.milliseconds, time > reversed ?? .min,
      reportsRevocation || revocation == nil
    {
      let type = group.mayBe(.revoke) ? NotificationType.revoke.rawValue : group.notificationType
      let reason = AccessReason.ofRevocation(
        isUpgraded: false, revocationType: transaction.revocationType?.rawValue, notificationType: type)
      // Any other message states the date, whatever it reports itself.
      let confidence = reportsRevocation ? proof.confidence : .documented
      revocation = (time, reason, Proof(confidence: confidence, evidence: proof.evidence))
    }
    if group.isCertainEnd, let time = group.time { end = (max(time, expires), proof) }
  }

  fileprivate mutating func learnRenewal(_ group: EventGroup, _ proof: Proof) {
    let renewal = group.facts.renewal
    let isRetrying = renewal?.isInBillingRetryPeriod == true
    let isRetryEnd = group.isCertainEnd && group.subtype == Subtype.billingRetry.rawValue
    if isRetrying || isRetryEnd || group.mayBe(.didFailToRenew) {
      let known =
        failure?.proof ?? Proof(confidence: isRetrying ? .documented : proof.confidence, evidence: proof.evidence)
      failure = (failure?.graceEnd ?? renewal?.gracePeriodExpiresDate?.milliseconds, known)
    }
  }
}

extension EventGroup {
  fileprivate var isCertainEnd: Bool { candidates.isEmpty && mayBe(.expired) }
}
