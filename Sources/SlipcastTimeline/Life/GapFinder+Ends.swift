internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

extension GapFinder {
  /// The end of the newest period, unless other records show the contrary: V1 does not report it.
  ///
  /// - Parameter grace: the end of a grace period that the message shows which is taken.
  func ended(
    _ test: GapTest, _ time: Int64, _ path: String, timing: Gap.Timing = .exact, grace: Int64? = nil
  ) -> Gap? {
    // A period that only later messages are about continued it too.
    let place = state.period.flatMap { purchases.firstIndex(after: $0.purchase) }
    if let next = place.map({ purchases[$0] }), next <= shownUntil, catalogue.isContinued(by: next, test, state, time) {
      return nil
    }
    guard !catalogue.isContradicted(test, state, time), var gap = gap(test, time, path, timing: timing) else {
      return nil
    }
    // The grace period ends when it ends; what comes after it has to wait.
    if test != .graceEnd, let begin = firstEnd(after: time, grace) { (gap.time, gap.timing) = (begin, .earliest) }
    return gap
  }

  func lapse(_ group: EventGroup, _ sight: LifeState.Sight) -> Gap? {
    switch sight {
    case .none: return nil
    case .newer(let purchase):
      guard group.isReturn else { return listed(purchase, group).flatMap(lapse) }
      guard let now = group.time, let end = state.period?.expires, end < purchase, end <= now else { return nil }
      return weakened(knownLapse(end) ?? unknownLapse(end, purchase), by: group.confidence)
    case .first, .same:
      guard let now = group.time, let told = group.facts.transaction, let end = told.expiresDate?.milliseconds,
        end <= now,
        !group.mayBe(.expired), !state.isEndTold, state.period?.isRevoked != true,
        // A refund ends a grace period too: the subscription did not expire then.
        told.revocationDate.map({ $0.milliseconds > max(end, state.graceEnd ?? end) }) ?? true,
        // What the message says of the renewal is about the newest period of its list.
        told.lineName.map({ catalogue.evidence?.untold(after: told.key($0)) == nil }) ?? true
      else { return nil }
      let renewal = group.facts.renewal
      let intent = renewal?.expirationIntent?.known
      guard !group.isRetrying else { return nil }
      switch intent {
      // Who turned auto-renew off while Apple retried the renewal ended it only then.
      case .customerCancelled:
        let grace = renewal?.gracePeriodExpiresDate?.milliseconds
        return ended(.lapse, end, "renewalInfo.expirationIntent", timing: .earliest, grace: grace)
      case .noConsentToPriceIncrease: return ended(.priceLapse, end, "renewalInfo.expirationIntent")
      case nil: return knownLapse(end)
      default: return nil
      }
    }
  }

  /// A purchase that lists show: so long after the end of the period before, it cannot be a recovery.
  func lapse(before next: NextPurchase) -> Gap? {
    guard let end = state.period?.expires, next.time - end > windows.gap else { return nil }
    let isNoRecovery = next.time - end > windows.retry
    let gap = knownLapse(end) ?? (isNoRecovery ? unknownLapse(end, next.time) : nil)
    return weakened(gap, by: next.confidence)
  }

  /// A purchase that lists show, after a grace period.
  func graceEnd(before next: NextPurchase) -> Gap? {
    guard let end = state.graceEnd, end < next.time else { return nil }
    let gap = silent(ended(.graceEnd, end, "renewalInfo.gracePeriodExpiresDate"), .graceEnd)
    return weakened(gap, by: next.confidence)
  }

  /// The purchase with which the period of a message began, where the message does not say how and lists show that it is
  /// the next one and renews nothing.
  private func listed(_ purchase: Int64, _ group: EventGroup) -> NextPurchase? {
    guard !group.isRenewal, !follows(purchase), catalogue.isNextListed(state), let period = state.period,
      purchases.firstIndex(after: period.purchase).map({ purchases[$0] }) == purchase
    else { return nil }
    return NextPurchase(time: purchase, confidence: .documented)
  }

  /// A gap is as certain as its weakest proof.
  func weakened(_ gap: Gap?, by confidence: Confidence?) -> Gap? {
    guard var gap, let confidence else { return gap }
    gap.confidence = max(gap.confidence, confidence)
    return gap
  }

  /// The end that earlier messages announced; the customer may have changed it before, in a message that is missing.
  func knownLapse(_ end: Int64) -> Gap? {
    if state.endsByPrice { return silent(ended(.priceLapse, end, "renewalInfo.expirationIntent"), .priceLapse) }
    let last = autoRenew.inOrder.last
    guard state.endsByChoice(last) else { return nil }
    let gap = silent(ended(.lapse, end, "renewalInfo.autoRenewStatus"), .lapse)
    return weakened(gap, by: last?.confidence)
  }

  /// The end of a period that a later purchase proves, for a reason that nothing shows.
  ///
  /// While Apple retries a failed renewal, the subscription has not expired: a customer who buys again then leaves no end.
  private func unknownLapse(_ end: Int64, _ purchase: Int64) -> Gap? {
    guard state.isEndOpen, purchase - end > windows.gap else { return nil }
    let mayBeRetry = purchase - end <= windows.retry
    if mayBeRetry, state.isFailing { return nil }
    var gap = ended(.unknownLapse, end, "transactionInfo.purchaseDate", timing: .earliest)
    gap?.narrow(by: GapFacts(intents: intents(after: end, before: purchase), latest: purchase))
    // Who turns auto-renew off in a grace period ends the subscription before that is over.
    let mayBeInGrace = gap.map { gap in
      gap.time > end && gap.candidates.contains { $0.subtype == Subtype.voluntary.rawValue }
    }
    // A refund, whose message may be missing, ends a subscription too.
    return mayBeRetry || mayBeInGrace == true || !catalogue.isShownAfter(state) ? weakened(gap, by: .inferred) : gap
  }

  func consentLapse(_ end: Int64) -> Gap? {
    guard state.awaitsConsent else { return nil }
    var gap = ended(.consentLapse, end, "renewalInfo.priceIncreaseStatus")
    gap?.narrow(by: GapFacts(intents: intents(after: end, before: .max)))
    return gap
  }

  func graceEnd(_ group: EventGroup, _ sight: LifeState.Sight) -> Gap? {
    switch sight {
    case .none: return nil
    case .newer(let purchase):
      // A plain renewal continues a period that the archive does not have.
      let isRecovery = group.event == Self.recovery && group.candidates.isEmpty
      guard group.isReturn || isRecovery else { return listed(purchase, group).flatMap(graceEnd) }
      guard let now = group.time, let end = state.graceEnd, end <= now, end < purchase else { return nil }
      let gap = ended(.graceEnd, end, "renewalInfo.gracePeriodExpiresDate")
      // Who returns may have turned auto-renew off during the grace period; a recovery was retried until then.
      return weakened(isRecovery ? gap : silent(gap, .graceEnd), by: group.confidence)
    case .first, .same:
      let told = group.facts.renewal?.gracePeriodExpiresDate?.milliseconds
      guard let now = group.time, let end = state.graceEnd ?? told, end <= now, end != state.pastGrace,
        let expires = group.facts.transaction?.expiresDate?.milliseconds, expires <= end
      else { return nil }
      let gap = ended(.graceEnd, end, "renewalInfo.gracePeriodExpiresDate")
      if group.isRetrying { return gap }
      // Apple retried the renewal until then.
      let isRetryEnd = group.event == Self.retryEnd && group.candidates.isEmpty
      return isRetryEnd ? weakened(gap, by: group.confidence) : silent(gap, .graceEnd)
    }
  }

  /// The customer turned auto-renew off while Apple may have tried the renewal of the newest period, or later.
  ///
  /// V1 does not date a failed renewal: its message may show how auto-renew stood before.
  var isTurnedOff: Bool {
    autoRenew.isOff(since: (state.period?.expires).map { $0.moved(by: -windows.early) } ?? .max)
  }

  /// Silence proves an end only where no message is missing; otherwise a later record must show it.
  func silent(_ gap: Gap?, _ test: GapTest) -> Gap? {
    guard var gap else { return nil }
    let start = state.renewal?.time ?? state.period?.purchase ?? .min
    let isComplete = isComplete(from: start, until: gap.time.moved(by: windows.delivery))
    // Who turns auto-renew off before a grace period ends has ended the subscription by that.
    let isByChoice =
      test == .graceEnd && (isTurnedOff || catalogue.isConfirmed(.lapse, state))
    if isComplete, !isByChoice { return gap }
    guard !isByChoice, catalogue.isConfirmed(test, state) else {
      gap.confidence = max(gap.confidence, .inferred)
      return gap
    }
    // The messages of a failed renewal may be missing: who turns auto-renew off while Apple retries it ends it only then.
    if catalogue.mayHaveFailed(state) { gap.timing = .earliest }
    return gap
  }

  private static let recovery = EventName(
    notificationType: NotificationType.didRenew.rawValue, subtype: Subtype.billingRecovery.rawValue)
  private static let retryEnd = EventName(
    notificationType: NotificationType.expired.rawValue, subtype: Subtype.billingRetry.rawValue)
}
