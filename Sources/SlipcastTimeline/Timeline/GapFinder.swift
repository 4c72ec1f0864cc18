internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Finds the traces of events that V1 never sends.
///
/// A later message that shows the subscription, or a time from the caller, decides whether a period ended; never the
/// clock.
struct GapFinder {
  let catalogue: GapCatalogue
  private(set) var state = SubscriptionState()

  init(catalogue: GapCatalogue) { self.catalogue = catalogue }

  /// A period has ended and no message has shown yet how; the next entries may have to follow a gap.
  func isOverdue(at time: Int64) -> Bool {
    if let end = state.graceEnd, end <= time { return true }
    guard state.endsByChoice || state.endsByPrice, let end = state.period?.expires else { return false }
    return end <= time
  }

  /// Adds the next event; returns the ends and the access that it shows to be earlier, and what has appeared by then.
  mutating func take(_ group: EventGroup) -> (before: [Gap], after: [Gap]) {
    let sight = state.sight(of: group)
    let lapse = lapse(group, sight)
    let graceEnd = graceEnd(group, sight)
    let access = familyAccess(group, sight)
    let after = appearances(group, sight)
    if lapse != nil { state.isEndTold = true }
    if let gap = graceEnd {
      (state.graceEnd, state.pastGrace) = (nil, gap.time)
    } else if sight != .none, let end = state.graceEnd, sight.isNewer || end <= group.time ?? .min {
      // Renewed in time, or in a way that the archive does not show.
      (state.graceEnd, state.pastGrace) = (nil, end)
    }
    state.learn(group, sight)
    return ([graceEnd, lapse, access].compactMap(\.self).sorted { $0.time < $1.time }, after)
  }

  /// What has ended by a time that the caller states.
  mutating func ends(by time: Int64) -> [Gap] {
    var gaps: [Gap] = []
    if let end = state.graceEnd, end <= time {
      gaps += [ended(.graceEnd, end, "renewalInfo.gracePeriodExpiresDate")].compactMap(\.self)
      state.graceEnd = nil
    }
    if let end = state.period?.expires, end <= time, let gap = knownLapse(end) {
      gaps.append(gap)
      state.isEndTold = true
    }
    return gaps.sorted { $0.time < $1.time }
  }

  private func gap(_ test: GapTest, _ time: Int64, isLatest: Bool = false, _ path: String) -> Gap? {
    catalogue.gap(test, at: time, isLatest: isLatest, trace: "data." + path)
  }

  // MARK: ends

  /// The end of the newest period, unless other records show the contrary: V1 does not report it.
  private func ended(_ test: GapTest, _ time: Int64, _ path: String) -> Gap? {
    let told = state.renewal?.time
    let isWrong =
      state.period.map { period in
        catalogue.isContradicted(test, period, time, toldAt: told, isSandbox: state.isSandbox)
      } ?? false
    return isWrong ? nil : gap(test, time, path)
  }

  private func lapse(_ group: EventGroup, _ sight: SubscriptionState.Sight) -> Gap? {
    guard let now = group.time, !group.mayBe(.expired) else { return nil }
    switch sight {
    case .none: return nil
    case .newer(let purchase):
      guard let end = state.period?.expires, end < purchase, end <= now, group.isReturn else { return nil }
      return knownLapse(end)
    case .first, .same:
      guard let told = group.facts.transaction, let end = told.expiresDate?.milliseconds, end <= now,
        !state.isEndTold, state.period?.isRevoked != true, told.revocationDate.map({ $0.milliseconds > end }) ?? true
      else { return nil }
      let renewal = group.facts.renewal
      let isBilling = renewal?.isInBillingRetryPeriod == true
      let intent = renewal?.expirationIntent?.known
      guard !isBilling else { return nil }
      switch intent {
      case .customerCancelled: return ended(.lapse, end, "renewalInfo.expirationIntent")
      case .noConsentToPriceIncrease: return ended(.priceLapse, end, "renewalInfo.expirationIntent")
      case nil: return knownLapse(end)
      default: return nil
      }
    }
  }

  /// The end that earlier messages announced.
  private func knownLapse(_ end: Int64) -> Gap? {
    if state.endsByPrice { return ended(.priceLapse, end, "renewalInfo.expirationIntent") }
    guard state.endsByChoice, var lapse = ended(.lapse, end, "renewalInfo.autoRenewStatus") else { return nil }
    if state.renewal?.isUncertain == true { lapse.confidence = .inferred }
    return lapse
  }

  private func graceEnd(_ group: EventGroup, _ sight: SubscriptionState.Sight) -> Gap? {
    guard let now = group.time else { return nil }
    switch sight {
    case .none: return nil
    case .newer(let purchase):
      guard let end = state.graceEnd, end <= now, end < purchase else { return nil }
      // A plain renewal continues a period that the archive does not have.
      let isLate = group.isReturn || group.event == Self.recovery && group.candidates.isEmpty
      return isLate ? ended(.graceEnd, end, "renewalInfo.gracePeriodExpiresDate") : nil
    case .first, .same:
      let told = group.facts.renewal?.gracePeriodExpiresDate?.milliseconds
      guard let end = state.graceEnd ?? told, end <= now, end != state.pastGrace,
        let expires = group.facts.transaction?.expiresDate?.milliseconds, expires <= end
      else { return nil }
      return ended(.graceEnd, end, "renewalInfo.gracePeriodExpiresDate")
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
}

extension SubscriptionState.Sight {
  var isNewer: Bool {
    if case .newer = self { true } else { false }
  }
}
