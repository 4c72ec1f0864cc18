@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

extension KnownRecord {
  /// Looks at everything the decision table may ask.
  ///
  /// A fact is unknown where the record lacks the value that would show it. A missing key counts as shown where V1
  /// documents that it leaves the key out to say no, and the object that could hold it is there.
  func findFacts() -> FactSet {
    var facts = FactSet()
    let target = subject.target
    let asked = compiled.decisions(of: type).asked
    facts.set(.sandbox, input.environment.isStated ? isSandbox : nil)
    facts.insert(.targetMissing, if: target == nil)
    facts.insert(.historyVisible, if: !record.list.isEmpty)
    if let target {
      addPeriodFacts(periods[target], &facts)
      if asked & Self.groupFacts != 0 { addGroupFacts(target, &facts) }
    } else {
      facts.setUnknown(Self.targetFacts)
    }
    facts.insert(.cancelled, if: record.instant(record.body, .cancellation) != nil)
    if asked & Fact.renewedWithOffer.bit != 0 { addOfferFact(&facts) }
    if asked & Self.previousFacts != 0 { addPreviousFacts(&facts) }
    addRenewalFacts(&facts)
    addTimeFacts(&facts)
    addUnreadable(&facts)
    return facts
  }

  /// What the event's transaction shows by itself.
  static let ownFacts = Fact.bits([.subscription, .familyShared, .offerOnPeriod, .cancelled, .upgraded])

  private static let targetFacts = ownFacts | neighborFacts | groupFacts

  // MARK: the event's transaction

  func hasOffer(_ row: Int) -> Bool {
    record.rows.slot(row, .promotional_offer_id) != 0 || record.rows.slot(row, .offer_code_ref_name) != 0
  }

  private func addPeriodFacts(_ period: Period, _ facts: inout FactSet) {
    facts.insert(.subscription, if: isSubscription(period.row))
    facts.set(.familyShared, record.isFamilyShared(period.row) ?? (mayBeFamilyShared ? nil : false))
    facts.insert(.purchaserOwned, if: record.isFamilyShared(period.row) == false)
    if record.isOwnerUnclear(period.row) { facts.leaveOpen(Fact.bits([.familyShared, .purchaserOwned])) }
    facts.insert(.promotionalOffer, if: record.rows.slot(period.row, .promotional_offer_id) != 0)
    addNextProductFact(period, &facts)
    let isMarkable = formHasUpgradeKey(period.row)
    facts.insert(.offerOnPeriod, if: hasOffer(period.row))
    // Flat objects have no keys for offers; for purchases, rows of the decision table allow for that.
    if !isMarkable, type.changesAutoRenew, period.purchase >= compiled.parameters.offersStart,
      record.flag(record.body, .auto_renew_status) == false
    {
      facts.setUnknown(Fact.offerOnPeriod.bit)
    }
    facts.set(.cancelled, period.isCancelled || !record.isCancellationUnclear(period.row) ? period.isCancelled : nil)
    facts.set(.upgraded, period.isUpgraded ? true : isMarkable ? false : nil)
    facts.insert(.upgradeKeyInForm, if: isMarkable)
    addOriginalFacts(period, &facts)
    let latest = period.isCancelled ? period.cancellation : period.purchase
    if !isMarkable, type.is(.afterUpgrade), latest >= compiled.parameters.offersStart {
      facts.setUnknown(Fact.offerOnNextPeriod.bit)
    }
    if period.isUpgraded { facts.insert(.offerOnNextPeriod, if: hasOfferOnNextPeriod(period)) }
    facts.insert(.newerProductListed, if: period.isUpgraded && hasNewerProduct(than: period))
    guard period.isCancelled else { return }
    let action = compiled.parameters.action
    if !period.isUpgraded {
      facts.insert(.offerOnNextPeriod, if: isOtherProductBought(near: period, within: action, hasOffer: true))
    }
    facts.insert(.cancellationForApp, if: record.integer(period.row, .cancellation_reason) == 1)
    facts.insert(.cancelledNearUpgrade, if: isOtherProductBought(near: period, within: compiled.parameters.upgrade))
    facts.insert(.cancelledAtPurchase, if: isOtherProductBought(near: period, within: action))
  }

  /// The body's own status and product: those of a renewal entry may be older.
  private func addNextProductFact(_ period: Period, _ facts: inout FactSet) {
    guard record.flag(record.body, .auto_renew_status) == true,
      let next = record.text(record.body, .auto_renew_product_id), let own = record.text(period.row, .product_id)
    else { return }
    facts.insert(.otherProductRenews, if: !(next == own))
  }

  /// V1 may have sent this type to a family member.
  var mayBeFamilyShared: Bool { mayBeFamilyShared(at: judgeTime) }

  /// - Parameter time: `nil` for any time.
  func mayBeFamilyShared(at time: Int64?) -> Bool {
    let start = type.familyStart
    return start != .max && time.map { $0 >= start } ?? true
  }

  /// The list of a body or answer marks upgraded periods; flat objects and `in_app` have no such key.
  func formHasUpgradeKey(_ row: Int) -> Bool { record.list.contains(row) }

  /// A first purchase is its own original transaction, bought at its original date.
  private func addOriginalFacts(_ period: Period, _ facts: inout FactSet) {
    var age: Int64?
    if period.purchase != Period.none, let original = record.instant(period.row, .originalPurchase) {
      age = period.purchase - original
    }
    let isOlder = age.map { $0 > length(compiled.parameters.first) }
    var isRenumbered: Bool?
    if let own = record.text(period.row, .transaction_id),
      let original = period.original
    {
      isRenumbered = !(own == original)
    }
    // Either of the two shows by itself that a purchase is the first one.
    facts.set(.originalPurchaseOlder, isOlder ?? (isRenumbered == false ? false : nil))
    facts.set(.transactionRenumbered, isRenumbered ?? (isOlder == false ? false : nil))
  }

  /// The period that was bought next after the event's own, in the same subscription or else in its group.
  ///
  /// An upgrade may be bought shortly before the period that it ends begins.
  private func hasOfferOnNextPeriod(_ target: Period) -> Bool {
    var next: Period?
    for period in periods where period.row != target.row {
      guard period.isSameOriginal || isSameGroup(period.row, target.row) == true, !isEnded(period, by: target),
        period.isNewer(than: target)
          || isEnded(target, by: period) && period.expires > target.purchase
      else { continue }
      if let known = next {
        guard known.isSameOriginal == period.isSameOriginal ? known.isNewer(than: period) : period.isSameOriginal else {
          continue
        }
      }
      next = period
    }
    return next.map { hasOffer($0.row) } ?? false
  }

  /// The period was charged early, and the other purchase ended it before it began.
  func isEnded(_ period: Period, by purchase: Period) -> Bool {
    period.isUpgraded
      && periods.contains { $0.expires == period.purchase && $0.purchase < purchase.purchase && $0.isSameOriginal }
  }

  /// Whether two transactions are of one subscription group; `nil` where one of them does not name its group.
  func isSameGroup(_ left: Int, _ right: Int) -> Bool? {
    record.isSame(.subscription_group_identifier, in: left, and: right)
  }

  // MARK: the subscription group

  /// The list shows all periods that Apple knows: it is there, and not so long that it may be cut.
  private var isHistoryWhole: Bool {
    !record.list.isEmpty && record.list.count < compiled.parameters.listLimit && !gaps.isDamaged
  }

  static let groupFacts = Fact.bits([
    .earlierPeriodInGroupExpired, .earlierPeriodOfUnknownGroup, .earlierFamilyPeriod, .otherPeriodRunning,
  ])

  private func addGroupFacts(_ target: Int, _ facts: inout FactSet) {
    let own = periods[target]
    let isOwn = record.isFamilyShared(own.row) == false
    for index in periods.indices where index != target {
      let period = periods[index]
      guard period.expires != Period.none else { continue }
      let isSame = period.isSameOriginal ? true : isSameGroup(own.row, period.row)
      if isOwn, isSame != false, record.isFamilyShared(period.row) == true {
        facts.insert(.earlierFamilyPeriod, if: isSame == true && period.purchase < own.purchase)
        continue
      }
      // The next period of another subscription shows whether it ended.
      if !period.isSameOriginal, isContinued(period, before: own.purchase) { continue }
      guard period.end < own.purchase, !isInGrace(period, at: own.purchase) else {
        if isSame == true, !period.isSameOriginal, own.isNewer(than: period) { facts.insert(.otherPeriodRunning) }
        continue
      }
      if isSame == true {
        facts.insert(.earlierPeriodInGroupExpired)
      } else if isSame == nil {
        facts.insert(.earlierPeriodOfUnknownGroup)
      }
    }
    guard !isHistoryWhole else { return }
    facts.setUnknown(Self.groupFacts)
  }

  /// The same subscription was bought again by a time, before the period ended or right after it.
  private func isContinued(_ period: Period, before time: Int64) -> Bool {
    guard let original = period.original, periods.count <= SubjectFinder.mostSearched else { return false }
    let end = period.end + length(compiled.parameters.gap)
    return periods.contains { next in
      next.row != period.row && next.purchase > period.purchase && next.purchase <= min(end, time)
        && next.original == original
    }
  }

  /// The renewal entry of the period's own subscription shows a grace period at a time.
  private func isInGrace(_ period: Period, at time: Int64) -> Bool {
    guard !period.isRevoked, let original = period.original, record.renewals.count <= SubjectFinder.mostSearched else {
      return false
    }
    return record.renewals.contains { entry in
      guard record.text(entry, .original_transaction_id) == original, let grace = record.instant(entry, .grace) else {
        return false
      }
      return period.expires < grace && time < grace
    }
  }

  // MARK: the period before

  static let previousFacts = Fact.bits([
    .previousPeriod, .previousPeriodExpired, .previousPeriodRunning, .previousPeriodUpgraded, .previousPeriodRevoked,
    .purchaseInGrace, .productChanged, .gapBefore, .lapseBeyondGrace, .lapseBeyondRetry, .renewedToNextProduct,
    .boughtAtExpiry, .upgradedToNextProduct,
  ])

  private func addPreviousFacts(_ facts: inout FactSet) {
    guard let target = subject.target.map({ periods[$0] }) else {
      return facts.setUnknown(Self.previousFacts)
    }
    // Only this type has a row for a previous period that is unknown.
    if target.purchase == Period.none || type.is(.laterPurchase) && isPreviousUncertain(target) {
      return facts.setUnknown(Self.previousFacts)
    }
    guard let previous = subject.previous.map({ periods[$0] }) else {
      if !isHistoryWhole || !isFirstEver(target) { facts.setUnknown(Self.previousFacts) }
      return
    }
    facts.insert(.previousPeriod)
    let grace = graceEnd(of: previous, before: target)
    // A refund after the purchase changes nothing about the state at the purchase.
    let isRevoked = previous.isRevoked && previous.cancellation < target.purchase
    let isInGrace = grace.map { $0 > target.purchase && previous.end < target.purchase && !isRevoked } ?? false
    let end = grace.map { $0 <= target.purchase && !isRevoked ? $0 : previous.end } ?? previous.end
    facts.insert(.purchaseInGrace, if: isInGrace)
    // A grace period of a paid period: its renewal had failed.
    if grace != nil, type.is(.renewal) { facts.assume(Fact.gapBefore.bit) }
    facts.insert(.failureShown, if: grace != nil || isFailureShown(before: target))
    facts.insert(end < target.purchase && !isInGrace ? .previousPeriodExpired : .previousPeriodRunning)
    if previous.isTakenBackBeforeItBegan, isRunning(until: previous, at: target) {
      facts.assume(Fact.previousPeriodExpired.bit | Fact.previousPeriodRunning.bit)
    }
    facts.insert(.previousPeriodRevoked, if: isRevoked)
    // Apple may have charged the renewal before the refund: then nothing lapsed.
    if isRevoked, !type.isPurchaseByHand, isAtEnd(target, of: previous) {
      facts.doubt(.previousPeriodRevoked)
      facts.doubt(.previousPeriodExpired)
    }
    let isOther = record.isSame(.product_id, in: target.row, and: previous.row).map { !$0 }
    if !previous.isCancelled, record.isCancellationUnclear(previous.row) { facts.assume(Self.endingFacts) }
    addEndingFacts(target, after: previous, isOther: isOther, isRevoked: isRevoked, &facts)
    addGapFact(target, after: previous, isRevoked: isRevoked, &facts)
    if !previous.isUpgraded { addLapseFacts(target.purchase - previous.end, &facts) }
    if let isOther {
      facts.insert(.productChanged, if: isOther)
      let isChange = isOther && mayBeRenewedSince(target)
      facts.insert(previous.isUpgraded ? .upgradedToNextProduct : .renewedToNextProduct, if: isChange)
    } else {
      facts.setUnknown(Fact.bits([.productChanged, .renewedToNextProduct, .upgradedToNextProduct]))
    }
  }

  /// Whether a lapse is longer than what Apple tries after a failed renewal.
  private func addLapseFacts(_ lapse: Int64, _ facts: inout FactSet) {
    for (fact, limit) in [
      (Fact.lapseBeyondGrace, compiled.parameters.grace), (.lapseBeyondRetry, compiled.parameters.retry),
    ] {
      facts.insert(fact, if: lapse > length(limit))
      // Just beyond a limit the reading of the near side stays possible.
      if isAtLimit(lapse, limit) { lapse > length(limit) ? facts.doubt(fact) : facts.assume(fact.bit) }
    }
  }

  /// Whether the purchase ended the period before, and how sure that is.
  private func addEndingFacts(
    _ target: Period, after previous: Period, isOther: Bool?, isRevoked: Bool, _ facts: inout FactSet
  ) {
    let lapse = target.purchase - previous.end
    if previous.isUpgraded {
      // Whatever ended it long before, or went back to its product, was another purchase.
      let isEnder = isOther != false && lapse <= length(compiled.parameters.grace)
      facts.set(.previousPeriodUpgraded, isEnder ? true : nil)
      if isAtLimit(lapse, compiled.parameters.grace) { facts.assume(Fact.previousPeriodUpgraded.bit) }
    } else {
      facts.set(.previousPeriodUpgraded, formHasUpgradeKey(previous.row) ? false : nil)
    }
    if type.is(.laterPurchase), isOther == true, !previous.isUpgraded {
      facts.insert(.boughtAtExpiry, if: lapse == 0 && !isRevoked)
      // The other purchase may have been an upgrade, which also leaves a cancellation date.
      if isRevoked, target.purchase - previous.cancellation <= length(compiled.parameters.action) {
        facts.insert(.previousPeriodRunning)
        facts.doubt(.previousPeriodExpired)
      }
    }
  }

  /// A refund ends a period early; whether its renewal, charged when it would have ended, had failed is not shown.
  private func addGapFact(_ target: Period, after previous: Period, isRevoked: Bool, _ facts: inout FactSet) {
    let gap = length(compiled.parameters.gap)
    guard !previous.isUpgraded, target.purchase - previous.end > gap else { return }
    guard isRevoked, target.purchase - previous.expires <= gap else { return facts.insert(.gapBefore) }
    facts.assume(Fact.gapBefore.bit)
  }

  /// The purchase is where a renewal of the period would be: Apple charges up to a day before the end.
  private func isAtEnd(_ purchase: Period, of period: Period) -> Bool {
    guard period.expires != Period.none else { return false }
    return (-length(compiled.parameters.early)...length(compiled.parameters.gap))
      .contains(purchase.purchase - period.expires)
  }

  static let endingFacts = Fact.bits([
    .previousPeriodRevoked, .previousPeriodExpired, .previousPeriodRunning,
  ])

  /// The period before a renewal that was taken back before it began still ran at a purchase: whether it counts then is
  /// not documented.
  private func isRunning(until renewal: Period, at purchase: Period) -> Bool {
    purchase.purchase < renewal.purchase
      && periods.contains { $0.isSameOriginal && $0.expires == renewal.purchase && !$0.isRevoked }
  }

  /// Only what is certainly no renewal, or was renewed long before, says no.
  private func addOfferFact(_ facts: inout FactSet) {
    guard let target = subject.target.map({ periods[$0] }) else {
      return facts.setUnknown(Fact.renewedWithOffer.bit)
    }
    guard hasOffer(target.row), mayBeRenewedSince(target) else { return }
    let mayBeRenewal =
      subject.previous.map { !periods[$0].isUpgraded } ?? !(isHistoryWhole && isFirstEver(target))
    facts.insert(.renewedWithOffer, if: mayBeRenewal)
  }

  /// A listed purchase may be the period before the event's: it lacks the date or the id that would show it.
  private func isPreviousUncertain(_ target: Period) -> Bool {
    let known = subject.previous.map { periods[$0] }
    return periods.contains { period in
      guard period.row != target.row, period.row != known?.row else { return false }
      let isUnnamed = record.rows.slot(period.row, .original_transaction_id) == 0
      let isRelated = period.isSameOriginal || isSameGroup(period.row, target.row) == true
      guard isRelated || isUnnamed && isSameGroup(period.row, target.row) == nil,
        period.purchase == Period.none || period.expires == Period.none || !isRelated
      else { return false }
      if period.purchase == Period.none { return target.purchase != Period.none }
      return target.isNewer(than: period) && known.map { period.isNewer(than: $0) } ?? true
    }
  }

  /// The grace date of the renewal entry, where it belongs to the period before: a date after the end of the newer
  /// period belongs to that one.
  private func graceEnd(of previous: Period, before target: Period) -> Int64? {
    guard renewalEntry >= 0, let grace = record.instant(renewalEntry, .grace), grace > previous.expires else {
      return nil
    }
    return target.expires == Period.none || grace <= target.expires ? grace : nil
  }

  /// The retry state of the renewal entry, which was written before the newest purchase and not renewed with it.
  private func isFailureShown(before target: Period) -> Bool {
    guard renewalEntry >= 0, subject.newest.map({ periods[$0].row == target.row }) == true else {
      return false
    }
    let isRetrying = record.flag(renewalEntry, .is_in_billing_retry_period)
    let intent = record.integer(renewalEntry, .expiration_intent)
    return isRetrying == true || intent == 2 && isRetrying == nil
  }

  /// An undated message may have been written before its newest period was bought.
  private func mayBeRenewedSince(_ newest: Period) -> Bool {
    guard newest.purchase != Period.none, let receivedAt else { return true }
    return receivedAt - newest.purchase <= length(compiled.parameters.delivery)
  }
}
