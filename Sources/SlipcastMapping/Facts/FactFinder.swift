@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

extension CastState {
  static let nearby: Int64 = 10 * 60_000
  static let hours: Int64 = 6 * 3_600_000
  static let day: Int64 = 86_400_000

  /// Looks at everything the decision table may ask.
  func findFacts() -> FactSet {
    var facts = FactSet()
    let target = subject.target
    facts.insert(.targetMissing, if: target == nil)
    facts.insert(.historyVisible, if: !record.transactions.isEmpty)
    if let target { addPeriodFacts(periods[target], &facts) }
    facts.insert(.cancelled, if: record.instant(record.body, .cancellation) != nil)
    if let previous = subject.previous, let target { addPreviousFacts(periods[previous], periods[target], &facts) }
    if let target { addGroupFacts(target, &facts) }
    addRenewalFacts(&facts)
    addTimeFacts(&facts)
    return facts
  }

  private func hasOffer(_ row: Int) -> Bool {
    record.rows.slot(row, .promotional_offer_id) != 0 || record.rows.slot(row, .offer_code_ref_name) != 0
  }

  /// The period that was bought next after the event's own, in the same subscription or group.
  private func hasOfferOnNextPeriod(_ target: Period) -> Bool {
    let group = record.text(target.row, .subscription_group_identifier)
    var next: Period?
    for period in periods where period.row != target.row && period.isNewer(than: target) && !period.isUpgraded {
      let other = record.text(period.row, .subscription_group_identifier)
      let isSameGroup = group.flatMap { group in other.map { $0 == group } } ?? false
      guard period.isSameOriginal || isSameGroup else { continue }
      if let known = next, !known.isNewer(than: period) { continue }
      next = period
    }
    return next.map { hasOffer($0.row) } ?? false
  }

  private func addPeriodFacts(_ period: Period, _ facts: inout FactSet) {
    facts.insert(.subscription, if: isSubscription(period.row))
    facts.insert(
      .familyShared, if: record.text(period.row, .in_app_ownership_type).map { $0 == "FAMILY_SHARED" } ?? false)
    facts.insert(.offerOnPeriod, if: hasOffer(period.row))
    if period.isUpgraded { facts.insert(.offerOnNextPeriod, if: hasOfferOnNextPeriod(period)) }
    facts.insert(.cancelled, if: period.isCancelled)
    facts.insert(.upgraded, if: period.isUpgraded)
  }

  private func addPreviousFacts(_ previous: Period, _ target: Period, _ facts: inout FactSet) {
    facts.insert(.previousPeriod)
    let grace = renewalEntry >= 0 ? record.instant(renewalEntry, .grace) ?? Period.none : Period.none
    // A grace period extends service only while it lies between the two periods.
    let end = grace > previous.expires && grace <= target.purchase ? grace : previous.end
    facts.insert(end < target.purchase ? .previousPeriodExpired : .previousPeriodRunning)
    facts.insert(.previousPeriodUpgraded, if: previous.isUpgraded)
    if let old = record.text(previous.row, .product_id), let new = record.text(target.row, .product_id) {
      facts.insert(.productChanged, if: !(old == new))
    }
  }

  private func addGroupFacts(_ target: Int, _ facts: inout FactSet) {
    let purchase = periods[target].purchase
    let group = record.text(periods[target].row, .subscription_group_identifier)
    for index in periods.indices where index != target {
      let period = periods[index]
      guard period.expires != Period.none, period.end < purchase else { continue }
      let other = record.text(period.row, .subscription_group_identifier)
      let isSameGroup = group.flatMap { group in other.map { $0 == group } }
      if period.isSameOriginal || isSameGroup == true {
        facts.insert(.earlierPeriodInGroupExpired)
      } else if isSameGroup == nil {
        facts.insert(.earlierPeriodOfUnknownGroup)
      }
    }
  }

  private func addRenewalFacts(_ facts: inout FactSet) {
    let row = renewalEntry
    let body = record.body
    let product = record.text(body, .auto_renew_product_id)
    let next = row >= 0 ? record.text(row, .auto_renew_product_id) ?? product : product
    facts.insert(.pendingKnown, if: row >= 0 || next != nil)
    facts.insert(.renewalListed, if: row >= 0)
    let own = subject.newest.flatMap { record.text(periods[$0].row, .product_id) }
    if let next, let now = own ?? (row >= 0 ? record.text(row, .product_id) : nil) {
      facts.insert(.pendingProductDiffers, if: !(next == now))
    }
    let isOn = (row >= 0 ? record.flag(row, .auto_renew_status) : nil) ?? record.flag(body, .auto_renew_status)
    // The event is a change of status: the body's own word tells what it changed to.
    let changed = type == .DID_CHANGE_RENEWAL_STATUS ? record.flag(body, .auto_renew_status) ?? isOn : isOn
    facts.insert(.autoRenewOn, if: changed == true)
    facts.insert(.autoRenewOff, if: changed == false)
    let intent = (row >= 0 ? record.integer(row, .expiration_intent) : nil) ?? record.integer(body, .expiration_intent)
    let intents: [Fact] = [
      .expirationIntent1, .expirationIntent2, .expirationIntent3, .expirationIntent4, .expirationIntent5,
    ]
    if let intent, intent >= 1, intent <= 5 { facts.insert(intents[Int(intent) - 1]) }
    guard row >= 0 else { return }
    facts.insert(.pendingOffer, if: hasOffer(row))
    facts.insert(.inBillingRetry, if: record.flag(row, .is_in_billing_retry_period) == true)
    facts.insert(.consentGiven, if: record.flag(row, .price_consent_status) == true)
  }

  private func addTimeFacts(_ facts: inout FactSet) {
    guard let time = judgeTime else { return }
    facts.insert(.eventTimeKnown)
    for (number, start) in compiled.eraStarts.enumerated() where time < start {
      facts.insert(before: number)
    }
    if renewalEntry >= 0, let grace = record.instant(renewalEntry, .grace) {
      facts.insert(.graceAfterEvent, if: grace > time)
    }
    if let newest = subject.newest ?? subject.target, periods[newest].expires != Period.none {
      let expires = periods[newest].expires
      facts.insert(expires > time ? .periodRunning : .periodExpired)
      facts.insert(.periodRevoked, if: periods[newest].isRevoked && periods[newest].cancellation <= time)
      facts.insert(.retryPeriodElapsed, if: time - expires >= 55 * Self.day && time - expires <= 70 * Self.day)
    }
    if let target = subject.target, periods[target].purchase != Period.none {
      facts.insert(.boughtNearEvent, if: (periods[target].purchase - time).magnitude <= Self.nearby)
    }
    addNeighbourFacts(time, &facts)
  }

  private func addNeighbourFacts(_ time: Int64, _ facts: inout FactSet) {
    let group = subject.target.flatMap { record.text(periods[$0].row, .subscription_group_identifier) }
    var hasUpgraded = false
    var bought = false
    for period in periods {
      let isSame =
        period.isSameOriginal
        || (group.flatMap { group in record.text(period.row, .subscription_group_identifier).map { $0 == group } }
          ?? false)
      guard isSame else { continue }
      if period.isRevoked, (period.cancellation - time).magnitude <= Self.hours { facts.insert(.cancelledNearEvent) }
      hasUpgraded = hasUpgraded || period.isUpgraded
      if period.purchase != Period.none, !period.isUpgraded, (period.purchase - time).magnitude <= Self.nearby {
        bought = true
      }
    }
    facts.insert(.upgradedNearEvent, if: hasUpgraded && bought)
  }
}
