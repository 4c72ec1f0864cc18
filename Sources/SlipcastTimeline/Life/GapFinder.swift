internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Finds the events that no message reports: those that V1 never sends, and renewals without a message.
///
/// A later message that shows the subscription, or a time from the caller, decides whether a period ended; never the
/// clock.
struct GapFinder {
  let catalogue: GapCatalogue
  private(set) var state = LifeState()
  /// The periods whose purchase or renewal a message reports.
  private var reported: Set<UntoldPeriod.Key> = []
  private var products = ListedProducts()
  /// The timeline leaves out more periods of one subscription that no message is about.
  private static let mostUntold = 1000

  init(catalogue: GapCatalogue) { self.catalogue = catalogue }

  var windows: LifeWindows { catalogue.windows(isSandbox: state.isSandbox) }

  /// Looks at all events before they are taken one by one.
  mutating func expect(_ groups: [EventGroup]) {
    for group in groups {
      guard let transaction = group.facts.transaction else { continue }
      products.learn(transaction.productId)
      if group.reportsPurchase, let name = transaction.lineName { reported.insert(transaction.key(name)) }
    }
  }

  /// Adds the next event; returns the events that it shows to be earlier, and what has appeared by then.
  mutating func take(_ group: EventGroup) -> (before: [Gap], after: [Gap]) {
    if let environment = group.facts.environment { state.learn(environment: environment) }
    let untold = periods(before: group)
    let sight = state.sight(of: group)
    let renewal = renewal(group, sight)
    let lapse = lapse(group, sight)
    let graceEnd = graceEnd(group, sight)
    let access = familyAccess(group, sight)
    let consent = [consent(group)].compactMap(\.self)
    let after = appearances(group, sight)
    if lapse != nil { state.isEndTold = true }
    if let gap = graceEnd {
      (state.graceEnd, state.pastGrace) = (nil, gap.time)
    } else if sight != .none, let end = state.graceEnd, sight.isNewer || end <= group.time ?? .min {
      // Renewed in time, or in a way that the archive does not show.
      (state.graceEnd, state.pastGrace) = (nil, end)
    }
    state.learn(group, sight)
    let before = [graceEnd, lapse, renewal, access].compactMap(\.self).sorted { $0.time < $1.time }
    // The request itself may show that the customer agreed later; anything else comes after the consent that it shows.
    let isRequest = group.mayBe(.priceIncrease)
    return (untold + before + (isRequest ? [] : consent), after + (isRequest ? consent : []))
  }

  /// What follows the last message.
  ///
  /// - Parameter time: a time up to which the archive is complete; it decides ends that no message shows.
  mutating func ends(by time: Int64?) -> [Gap] {
    var gaps = follow(until: .max)
    guard let time else { return gaps }
    let end = state.period?.expires
    if let end = state.graceEnd, end <= time {
      gaps += [silent(ended(.graceEnd, end, "renewalInfo.gracePeriodExpiresDate"), .graceEnd)].compactMap(\.self)
      state.graceEnd = nil
    }
    if let end, end <= time, let gap = knownLapse(end) ?? silent(consentLapse(end), .consentLapse) {
      gaps.append(gap)
      state.isEndTold = true
    }
    return gaps.sorted { $0.time < $1.time }
  }

  func gap(_ test: GapTest, _ time: Int64, _ path: String, timing: Gap.Timing = .exact) -> Gap? {
    guard var gap = catalogue.gap(test, at: time, timing, trace: "data." + path) else { return nil }
    (gap.period, gap.productId, gap.expires) = (state.period?.key, state.period?.productId, state.period?.expires)
    return gap
  }

  /// Silence proves an end only where no message is missing; otherwise a later record must show it.
  private func silent(_ gap: Gap?, _ test: GapTest) -> Gap? {
    guard var gap else { return nil }
    let start = state.renewal?.time ?? state.period?.purchase ?? .min
    let isComplete = catalogue.isComplete(from: start, until: gap.time + windows.delivery)
    // Who turns auto-renew off before a grace period ends has ended the subscription by that.
    let isByChoice = test == .graceEnd && state.isTurnedOff(early: windows.early)
    if isComplete, !isByChoice { return gap }
    guard !isByChoice, catalogue.isConfirmed(test, state) else {
      gap.confidence = max(gap.confidence, .inferred)
      return gap
    }
    // The messages of a failed renewal may be missing: who turns auto-renew off while Apple retries it ends it only then.
    if catalogue.mayHaveFailed(state) { gap.timing = .earliest }
    return gap
  }

  // MARK: periods without a message

  /// The periods that only lists show, up to the one that a message is about.
  private mutating func periods(before group: EventGroup) -> [Gap] {
    guard let transaction = group.facts.transaction, transaction.isUpgraded != true, let name = transaction.lineName,
      transaction.purchaseDate != nil
    else { return [] }
    let key = transaction.key(name)
    if state.period == nil, let first = catalogue.evidence?.firstUntold(before: key) {
      state.enter(first, productId: products[first.product], isRenewal: false)
    }
    return follow(until: key.purchase)
  }

  private mutating func follow(until purchase: Int64) -> [Gap] {
    var gaps: [Gap] = []
    for _ in 0..<Self.mostUntold {
      guard let period = state.period, let next = catalogue.evidence?.untold(after: period.key),
        next.key.purchase < purchase, next.key.purchase >= period.purchase
      else { break }
      let isRenewal = follows(next.key.purchase)
      if !isRenewal { gaps += [graceEnd(before: next), lapse(before: next)].compactMap(\.self) }
      let isExact = period.expires == next.key.purchase
      state.enter(next, productId: products[next.product], isRenewal: isRenewal)
      if isRenewal, let gap = renewal(at: next.key.purchase) {
        gaps += [weakened(gap, by: next.isListedWhole && isExact ? .documented : .inferred)].compactMap(\.self)
      }
    }
    return gaps
  }

  /// A period that starts then renews the newest known one.
  private func follows(_ purchase: Int64) -> Bool {
    guard let period = state.period, let expires = period.expires, purchase > period.purchase else { return false }
    return purchase >= expires - windows.early && purchase <= expires + windows.settled
  }

  /// The renewal with which the period of a message began, where no message reports it.
  private func renewal(_ group: EventGroup, _ sight: LifeState.Sight) -> Gap? {
    guard case .newer(let purchase) = sight, follows(purchase), let transaction = group.facts.transaction,
      let name = transaction.lineName, !reported.contains(transaction.key(name)), var gap = renewal(at: purchase)
    else { return nil }
    if state.period?.expires != purchase { gap.confidence = max(gap.confidence, .inferred) }
    (gap.period, gap.productId) = (transaction.key(name), transaction.productId)
    gap.expires = transaction.expiresDate?.milliseconds
    return gap
  }

  /// A renewal without a message: that of a period that touches the one before may be a recovery inside its grace
  /// period, which keeps the billing date.
  private func renewal(at purchase: Int64) -> Gap? {
    var gap = gap(.renewal, purchase, "transactionInfo.purchaseDate", timing: .earliest)
    if catalogue.isComplete(from: purchase - windows.early, until: purchase + windows.delivery) {
      gap?.candidates = []
      gap?.timing = .exact
    }
    return gap
  }

  // MARK: ends

  /// The end of the newest period, unless other records show the contrary: V1 does not report it.
  private func ended(_ test: GapTest, _ time: Int64, _ path: String, timing: Gap.Timing = .exact) -> Gap? {
    catalogue.isContradicted(test, state, time) ? nil : gap(test, time, path, timing: timing)
  }

  private func lapse(_ group: EventGroup, _ sight: LifeState.Sight) -> Gap? {
    guard let now = group.time, !group.mayBe(.expired) else { return nil }
    switch sight {
    case .none: return nil
    case .newer(let purchase):
      guard let end = state.period?.expires, end < purchase, end <= now, group.isReturn else { return nil }
      return weakened(knownLapse(end) ?? unknownLapse(end, purchase), by: group.confidence)
    case .first, .same:
      guard let told = group.facts.transaction, let end = told.expiresDate?.milliseconds, end <= now,
        !state.isEndTold, state.period?.isRevoked != true, told.revocationDate.map({ $0.milliseconds > end }) ?? true,
        // What the message says of the renewal is about the newest period of its list.
        told.lineName.map({ catalogue.evidence?.untold(after: told.key($0)) == nil }) ?? true
      else { return nil }
      let renewal = group.facts.renewal
      let isBilling = renewal?.isInBillingRetryPeriod == true
      let intent = renewal?.expirationIntent?.known
      guard !isBilling else { return nil }
      switch intent {
      // Who turned auto-renew off while Apple retried the renewal ended it only then.
      case .customerCancelled: return ended(.lapse, end, "renewalInfo.expirationIntent", timing: .earliest)
      case .noConsentToPriceIncrease: return ended(.priceLapse, end, "renewalInfo.expirationIntent")
      case nil: return knownLapse(end)
      default: return nil
      }
    }
  }

  /// A purchase that only lists show: so long after the end of the period before, it cannot be a recovery.
  private func lapse(before next: UntoldPeriod) -> Gap? {
    guard let end = state.period?.expires, next.key.purchase - end > windows.gap else { return nil }
    let isNoRecovery = next.key.purchase - end > windows.retry
    let gap = knownLapse(end) ?? (isNoRecovery ? unknownLapse(end, next.key.purchase) : nil)
    return weakened(gap, by: next.isListedWhole ? .documented : .inferred)
  }

  /// A purchase that only lists show, after a grace period.
  private func graceEnd(before next: UntoldPeriod) -> Gap? {
    guard let end = state.graceEnd, end < next.key.purchase else { return nil }
    let gap = silent(ended(.graceEnd, end, "renewalInfo.gracePeriodExpiresDate"), .graceEnd)
    return weakened(gap, by: next.isListedWhole ? .documented : .inferred)
  }

  /// A gap is as certain as its weakest proof.
  private func weakened(_ gap: Gap?, by confidence: Confidence?) -> Gap? {
    guard var gap, let confidence else { return gap }
    gap.confidence = max(gap.confidence, confidence)
    return gap
  }

  /// The end that earlier messages announced; the customer may have changed it before, in a message that is missing.
  private func knownLapse(_ end: Int64) -> Gap? {
    if state.endsByPrice { return silent(ended(.priceLapse, end, "renewalInfo.expirationIntent"), .priceLapse) }
    guard state.endsByChoice else { return nil }
    let gap = silent(ended(.lapse, end, "renewalInfo.autoRenewStatus"), .lapse)
    return weakened(gap, by: state.renewal?.confidence)
  }

  /// The end of a period that a later purchase proves, for a reason that nothing shows.
  ///
  /// While Apple retries a failed renewal, the subscription has not expired: a customer who buys again then leaves no end.
  private func unknownLapse(_ end: Int64, _ purchase: Int64) -> Gap? {
    guard state.isEndOpen, purchase - end > windows.gap else { return nil }
    let mayBeRetry = purchase - end <= windows.retry
    if mayBeRetry, state.isFailing { return nil }
    let gap = ended(.unknownLapse, end, "transactionInfo.purchaseDate", timing: .earliest)
    // A refund, whose message may be missing, ends a subscription too.
    return mayBeRetry || !catalogue.isShownAfter(state) ? weakened(gap, by: .inferred) : gap
  }

  private func consentLapse(_ end: Int64) -> Gap? {
    guard state.awaitsConsent else { return nil }
    return ended(.consentLapse, end, "renewalInfo.priceIncreaseStatus")
  }

  private func graceEnd(_ group: EventGroup, _ sight: LifeState.Sight) -> Gap? {
    guard let now = group.time else { return nil }
    switch sight {
    case .none: return nil
    case .newer(let purchase):
      guard let end = state.graceEnd, end <= now, end < purchase else { return nil }
      // A plain renewal continues a period that the archive does not have.
      let isRecovery = group.event == Self.recovery && group.candidates.isEmpty
      guard group.isReturn || isRecovery else { return nil }
      let gap = ended(.graceEnd, end, "renewalInfo.gracePeriodExpiresDate")
      // Who returns may have turned auto-renew off during the grace period; a recovery was retried until then.
      return weakened(isRecovery ? gap : silent(gap, .graceEnd), by: group.confidence)
    case .first, .same:
      let told = group.facts.renewal?.gracePeriodExpiresDate?.milliseconds
      guard let end = state.graceEnd ?? told, end <= now, end != state.pastGrace,
        let expires = group.facts.transaction?.expiresDate?.milliseconds, expires <= end
      else { return nil }
      let gap = ended(.graceEnd, end, "renewalInfo.gracePeriodExpiresDate")
      return group.facts.renewal?.isInBillingRetryPeriod == true ? gap : silent(gap, .graceEnd)
    }
  }

  private static let recovery = EventName(
    notificationType: NotificationType.didRenew.rawValue, subtype: Subtype.billingRecovery.rawValue)
}

extension EventGroup {
  /// The event is certainly a return after the end of a subscription.
  var isReturn: Bool {
    guard candidates.isEmpty, subtype == Subtype.resubscribe.rawValue || subtype == Subtype.initialBuy.rawValue else {
      return false
    }
    return notificationType == NotificationType.subscribed.rawValue
      || notificationType == NotificationType.offerRedeemed.rawValue
  }

  /// The event may be the purchase or the renewal with which its period began.
  var reportsPurchase: Bool {
    mayBe(.didRenew) || mayBe(.subscribed) || mayBe(.offerRedeemed) || mayBe(.oneTimeCharge)
      || (candidates.isEmpty
        ? subtype == Subtype.upgrade.rawValue : candidates.contains { $0.subtype?.known == .upgrade })
  }
}

extension LifeState.Sight {
  var isNewer: Bool {
    if case .newer = self { true } else { false }
  }
}
