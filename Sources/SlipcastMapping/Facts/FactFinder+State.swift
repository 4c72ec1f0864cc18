@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

// Facts about the renewal and the time of the event.

extension KnownRecord {
  static let renewalFacts = Fact.bits([
    .pendingOffer, .inBillingRetry, .graceAfterEvent, .consentGiven, .consentPending, .increaseAgreed,
  ])

  func addRenewalFacts(_ facts: inout FactSet) {
    let row = renewalEntry
    let body = record.body
    let product = record.text(body, .auto_renew_product_id)
    let entry = row >= 0 ? record.text(row, .auto_renew_product_id) : nil
    // The event is a choice of product: the body's own value identifies it, also when it was written later.
    let next = type.changesProduct ? product ?? entry : entry ?? product
    facts.insert(.pendingKnown, if: next != nil)
    facts.insert(.renewalListed, if: row >= 0)
    let own = subject.newest.flatMap { record.text(periods[$0].row, .product_id) }
    if type.is(.failure), row >= 0, !isFailing(row) { facts.assume(Fact.graceAfterEvent.bit) }
    if let next, let now = own ?? (row >= 0 ? record.text(row, .product_id) : nil) {
      facts.insert(.pendingProductDiffers, if: !(next == now))
      if let entry, !(entry == next) {
        facts.assume(Fact.pendingProductDiffers.bit | Fact.pendingOffer.bit)
        let differs = Fact.pendingProductDiffers.bit
        if (entry == now) != (next == now) { facts.dispute(differs, facts.facts & differs ^ differs) }
      }
    } else {
      facts.setUnknown(Fact.pendingProductDiffers.bit)
    }
    // The entry and the list name different products as the one that runs.
    if type.changesProduct, let own, row >= 0, let stated = record.text(row, .product_id),
      !(stated == own)
    {
      facts.assume(Fact.pendingProductDiffers.bit)
    }
    addAutoRenewFacts(&facts)
    addIntentFacts(&facts)
    guard row >= 0 else { return facts.setUnknown(Self.renewalFacts) }
    facts.insert(.pendingOffer, if: hasOffer(row))
    facts.insert(.inBillingRetry, if: record.flag(row, .is_in_billing_retry_period) == true)
    let consent = record.flag(row, .price_consent_status)
    let increase = record.flag(row, .price_increase_status)
    facts.insert(.consentGiven, if: consent == true)
    facts.insert(.increaseAgreed, if: increase == true)
    facts.insert(.consentPending, if: increase == false || consent == false)
  }

  /// The entry shows a failed renewal; where it does not, it was written after a recovery.
  private func isFailing(_ row: Int) -> Bool {
    record.flag(row, .is_in_billing_retry_period) == true || record.integer(row, .expiration_intent) != nil
      || record.instant(row, .grace).map { grace in judgeTime.map { grace > $0 } ?? true } == true
  }

  private func addAutoRenewFacts(_ facts: inout FactSet) {
    let stated = record.flag(record.body, .auto_renew_status)
    let isOn = (renewalEntry >= 0 ? record.flag(renewalEntry, .auto_renew_status) : nil) ?? stated
    // The event is a change of status: the body's own value is the new status.
    let changed = type.changesAutoRenew ? stated ?? isOn : isOn
    facts.set(.autoRenewOn, changed)
    facts.set(.autoRenewOff, changed.map { !$0 })
    guard let changed, bodyConflicts.contains(.auto_renew_status) else { return }
    // An entry that was written after a later purchase shows the status since then.
    let isEntryLater = type.changesAutoRenew && eventTime.map(isSnapshotLater) ?? false
    guard !isEntryLater else { return }
    let (on, off) = (Fact.autoRenewOn.bit, Fact.autoRenewOff.bit)
    facts.dispute(changed ? on : off, changed ? off : on)
  }

  /// When auto-renew was last changed, where a message other than a change says that it is on.
  var autoRenewOnSince: Int64? {
    guard !type.changesAutoRenew, let date = record.instant(record.body, .statusChange),
      record.flag(record.body, .auto_renew_status) == true,
      renewalEntry < 0 || record.flag(renewalEntry, .auto_renew_status) != false
    else { return nil }
    return date
  }

  private func addIntentFacts(_ facts: inout FactSet) {
    let entry = renewalEntry >= 0 ? record.integer(renewalEntry, .expiration_intent) : nil
    let stated = record.integer(record.body, .expiration_intent)
    let intent = entry ?? stated
    if let intent {
      facts.facts |= bit(ofIntent: intent)
    } else if renewalEntry < 0 {
      facts.setUnknown(Fact.bits(Fact.intents))
    }
    guard let entry, let stated, entry != stated else { return }
    facts.assume(Fact.bits(Fact.intents))
    facts.dispute(bit(ofIntent: entry), bit(ofIntent: stated))
  }

  private func bit(ofIntent value: Int64) -> UInt64 {
    value < 1 ? 0 : Fact.intents[Int(min(value, Int64(Fact.intents.count))) - 1].bit
  }

  // MARK: time

  static let timeFacts = Fact.bits([
    .graceAfterEvent, .periodRunning, .periodExpired, .periodRevoked, .retryPeriodElapsed, .boughtNearEvent,
    .cancelledNearEvent, .upgradedNearEvent,
  ])

  static let runningFacts = Fact.bits([.periodRunning, .periodExpired, .periodRevoked, .retryPeriodElapsed])

  /// Facts about the state at the event, which a list that was written later no longer shows.
  private static let stateFacts =
    Fact.bits(Fact.intents) | renewalFacts | runningFacts | Fact.pendingProductDiffers.bit

  static let neighborFacts = Fact.bits([.boughtNearEvent, .cancelledNearEvent, .upgradedNearEvent])

  static let autoRenewFacts = Fact.bits([.autoRenewOn, .autoRenewOff])

  func addTimeFacts(_ facts: inout FactSet) {
    guard let time = judgeTime else {
      facts.isTimeUnknown = true
      return facts.setUnknown(Self.timeFacts)
    }
    facts.insert(.eventTimeKnown)
    if time < compiled.newestEra {
      for (number, start) in compiled.eraStarts.enumerated() where time < start { facts.insert(before: number) }
    }
    addRunningFacts(time, &facts)
    let asked = compiled.decisions(of: type).asked
    if asked & Self.neighborFacts != 0 { addNeighborFacts(time, &facts) }
    // Only a period that ended has an intent: the record contradicts itself, or Apple had charged the renewal ahead.
    if type.changesAutoRenew, facts.facts & Fact.periodRunning.bit != 0,
      facts.facts & Fact.bits(Fact.intents) != 0
    {
      facts.assume(Self.runningFacts)
    }
    guard asked & Self.stateFacts != 0, eventTime != nil, isSnapshotLater(than: time) else { return }
    let stated = type.changesAutoRenew && record.flag(record.body, .auto_renew_status) != nil
    facts.assume(Self.stateFacts | (stated ? 0 : Self.autoRenewFacts))
  }

  private func addRunningFacts(_ time: Int64, _ facts: inout FactSet) {
    if renewalEntry >= 0, let grace = record.instant(renewalEntry, .grace) {
      facts.insert(.graceAfterEvent, if: grace > time)
    }
    guard let newest = newest(at: time) ?? subject.target, periods[newest].expires != Period.none else {
      return facts.setUnknown(Self.runningFacts)
    }
    let period = periods[newest]
    let age = time - period.expires
    facts.insert(period.expires > time ? .periodRunning : .periodExpired)
    facts.insert(.periodRevoked, if: period.isRevoked && period.cancellation <= time)
    if !period.isCancelled, record.isCancellationUnclear(period.row) { facts.setUnknown(Fact.periodRevoked.bit) }
    facts.insert(
      .retryPeriodElapsed,
      if: isBetween(age, compiled.parameters.retryEndFrom, compiled.parameters.retryEndUntil))
    // Within the tolerance the customer may have turned auto-renew off as well.
    if age < length(compiled.parameters.retryEndFrom) || age > length(compiled.parameters.retryEndUntil) {
      facts.doubt(.retryPeriodElapsed)
    }
    // A period that runs is not being retried, even where the record has no renewal entry for it.
    if period.expires > time, renewalEntry < 0 { facts.unknown &= ~Fact.inBillingRetry.bit }
  }

  /// Not before the first limit, and not after the second one, tolerances included.
  private func isBetween(_ age: Int64, _ from: DecisionParameters.Window, _ until: DecisionParameters.Window) -> Bool {
    age >= length(from) - from.tolerance(isSandbox: isSandbox)
      && age <= length(until) + until.tolerance(isSandbox: isSandbox)
  }

  /// The newest period that was bought by a time, also if it was upgraded later; where the list shows none, the newest
  /// one.
  func newest(at time: Int64) -> Int? {
    guard let newest = subject.newest else { return nil }
    // A purchase turns auto-renew on: what was turned off before it is not the new period's.
    let isOff = type.changesAutoRenew && record.flag(record.body, .auto_renew_status) == false
    let window = isOff ? compiled.parameters.companion : compiled.parameters.action
    return newestPeriod(boughtBy: time + length(window), newest)
  }

  /// Whether a purchase was part of the change of auto-renew depends on the status, which cannot be read.
  func isNewestUnclear(at time: Int64) -> Bool {
    guard type.changesAutoRenew, record.isUnreadable(record.body, .auto_renew_status),
      let newest = subject.newest
    else { return false }
    let limits = [compiled.parameters.companion, compiled.parameters.action].map { time + length($0) }
    return newestPeriod(boughtBy: limits[0], newest) != newestPeriod(boughtBy: limits[1], newest)
  }

  private func newestPeriod(boughtBy limit: Int64, _ newest: Int) -> Int? {
    guard periods[newest].purchase > limit else { return newest }
    let begun = SubjectFinder.newest(periods) {
      $0.isSameOriginal && $0.purchase <= limit
        && !record.isReplacedBeforeItBegan($0, periods, early: length(compiled.parameters.early))
    }
    return begun ?? newest
  }

  /// The list shows a purchase or cancellation of the subscription that came after the event.
  func isSnapshotLater(than time: Int64) -> Bool {
    let limit = time + length(compiled.parameters.companion)
    return periods.contains { period in
      period.isSameOriginal && (period.purchase > limit || period.isCancelled && period.cancellation > limit)
    }
  }

  private func addNeighborFacts(_ time: Int64, _ facts: inout FactSet) {
    guard let target = subject.target else { return }
    if periods[target].purchase != Period.none {
      insert(.boughtNearEvent, (periods[target].purchase - time).magnitude, &facts)
    } else {
      facts.setUnknown(Fact.boughtNearEvent.bit | Fact.upgradedNearEvent.bit)
    }
    let companion = length(compiled.parameters.companion)
    if isRefundedJustBefore(time, within: length(compiled.parameters.refund)) {
      facts.insert(.cancelledNearEvent)
      // A refund of an older period does not change the status.
      if !isRefundedJustBefore(time, within: companion, only: newest(at: time)) { facts.doubt(.cancelledNearEvent) }
    }
    if periods.contains(where: {
      $0.isSameOriginal && !$0.isCancelled && record.isCancellationUnclear($0.row)
    }) {
      facts.setUnknown(Fact.cancelledNearEvent.bit)
    }
    var hasUpgraded = false
    var nearest = UInt64.max
    for period in periods {
      guard period.isSameOriginal || isSameGroup(period.row, periods[target].row) == true else { continue }
      hasUpgraded = hasUpgraded || period.isUpgraded
      guard period.purchase != Period.none, !period.isUpgraded else { continue }
      nearest = min(nearest, (period.purchase - time).magnitude)
    }
    if hasUpgraded { insert(.upgradedNearEvent, nearest, &facts) }
  }

  /// Dates this far apart belong to one action; the customer may also have acted once more in between.
  private func insert(_ fact: Fact, _ distance: UInt64, _ facts: inout FactSet) {
    facts.insert(fact, if: distance <= length(compiled.parameters.action))
    if distance > length(compiled.parameters.companion) { facts.doubt(fact) }
  }

  /// A period of the event's own original transaction was taken back at the time or shortly before, and none was
  /// bought since.
  ///
  /// - Parameter only: the only period that counts.
  private func isRefundedJustBefore(_ time: Int64, within window: Int64, only: Int? = nil) -> Bool {
    periods.indices.contains { index in
      let refunded = periods[index]
      guard only == nil || only == index, refunded.isSameOriginal, refunded.isRevoked, refunded.cancellation <= time,
        time - refunded.cancellation <= window
      else { return false }
      return !periods.contains { period in
        period.isSameOriginal && period.purchase != Period.none && period.purchase > refunded.cancellation
          && period.purchase <= time
      }
    }
  }

  /// Another product of the group was bought within a window of a period's cancellation.
  ///
  /// - Parameter mustHaveOffer: only purchases with an offer count.
  func isOtherProductBought(
    near cancelled: Period, within window: DecisionParameters.Window, hasOffer mustHaveOffer: Bool = false
  ) -> Bool {
    let distance = self.length(window)
    guard let product = record.text(cancelled.row, .product_id) else { return false }
    let upgrade = upgradeTime(of: cancelled, product)
    let latest = upgrade.map { $0 + length(compiled.parameters.companion) } ?? .max
    let isOther = { [self] (period: Period) -> Bool in
      guard period.row != cancelled.row, period.purchase != Period.none, period.purchase <= latest,
        (period.purchase - cancelled.cancellation).magnitude <= distance,
        let other = record.text(period.row, .product_id), !(other == product),
        !mustHaveOffer || hasOffer(period.row)
      else { return false }
      if period.original != nil, period.original == cancelled.original { return true }
      // What ended the period is known, and belongs to the same subscription.
      if upgrade != nil { return false }
      // Forms without a group may show products of other groups; these are indistinguishable.
      return isSameGroup(period.row, cancelled.row) ?? isSubscription(period.row)
    }
    if let index {
      return index.contains(near: cancelled.cancellation, within: distance, periods, where: isOther)
    }
    return periods.contains(where: isOther)
  }

  /// When another product ended an upgraded period; later purchases ended other ones.
  ///
  /// Lists with more periods, which Apple does not send, are not searched: the time would grow with the cube.
  private func upgradeTime(of period: Period, _ product: JSONText) -> Int64? {
    guard period.isUpgraded, let original = period.original, periods.count <= SubjectFinder.mostSearched else {
      return nil
    }
    return periods.lazy.filter { next in
      next.purchase > period.purchase && !self.isEnded(next, by: period)
        && next.original == original
        && self.record.text(next.row, .product_id).map { !($0 == product) } ?? false
    }.map(\.purchase).min()
  }
}
