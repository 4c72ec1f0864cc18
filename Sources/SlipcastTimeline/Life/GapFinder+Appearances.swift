internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

extension GapFinder {
  /// What a message is the first to show: it happened at the message's time or before.
  ///
  /// - Returns: what came before the message, and what may have come with it.
  func appearances(_ group: EventGroup, _ sight: LifeState.Sight) -> (before: [Gap], after: [Gap]) {
    let offer = offer(group, sight)
    var offers = appearances(group, [offer])
    let isOwn = offer?.1 == Self.ownOffer
    for place in offers.indices {
      offers[place].narrow(by: GapFacts(keepsProduct: isOwn ? isRenewed(group, sight) : isKept(group)))
    }
    // Before V2 reported a return with an offer otherwise, the offer was the event. The offer of the next period does not
    // count.
    if isOwn, sight.isNewer, state.isEndTold, let time = group.time, catalogue.redeemsAtReturn(time) {
      for place in offers.indices where offers[place].event.notificationType == NotificationType.offerRedeemed.rawValue
      {
        offers[place].decided = EventName(
          notificationType: offers[place].event.notificationType, subtype: Subtype.resubscribe.rawValue)
      }
    }
    // An offer of the period was redeemed before that began.
    return (isOwn ? offers : [], (isOwn ? [] : offers) + appearances(group, [extended(group)]))
  }

  /// The period of a message renews the product of the one before.
  ///
  /// Where the product changed, the offer may be older than the change.
  private func isRenewed(_ group: EventGroup, _ sight: LifeState.Sight) -> Bool {
    guard case .newer(let purchase) = sight, follows(purchase), let product = group.facts.transaction?.productId else {
      return false
    }
    return product == state.period?.productId
  }

  /// The next period is of the same product.
  private func isKept(_ group: EventGroup) -> Bool {
    guard let product = group.facts.transaction?.productId else { return false }
    return product == group.facts.renewal?.autoRenewProductId
  }

  /// The customer agreed before the message that shows it, which may be the renewal at the higher price.
  func consent(_ group: EventGroup) -> Gap? {
    let gap = appearances(group, [priceConsent(group)]).first
    guard let gap, !catalogue.reportsNotices(at: gap.time), !group.mayBe(.priceIncrease),
      state.renewal?.price != .noResponse
    else { return gap }
    // Nothing shows that the customer was asked: it may be a mere notice, of which V2 sent nothing then.
    return weakened(gap, by: .inferred)
  }

  /// The access of a family member that a message is the first to show: what it reports came later.
  func familyAccess(_ group: EventGroup, _ sight: LifeState.Sight) -> Gap? {
    appearances(group, [family(group, sight)]).first
  }

  private func appearances(_ group: EventGroup, _ found: [(GapTest, String)?]) -> [Gap] {
    // A body shows what had happened when it was written, which may be long after its event: Apple repeats messages.
    guard let time = group.time else { return [] }
    let written = group.isOfServer ? group.facts.signedDate : group.lead.receivedAt
    let isCertain = group.candidates.isEmpty && written.map { $0 - time <= windows.action } ?? false
    return found.compactMap(\.self).compactMap { test, path in
      guard var gap = gap(test, time, path, timing: .latest) else { return nil }
      if !isCertain { gap.confidence = max(gap.confidence, .inferred) }
      // What V1's value means is as certain as the rule of its field; Apple's own value needs none.
      if !group.isOfServer { gap.confidence = max(gap.confidence, catalogue.confidence(of: gap.trace)) }
      if let transaction = group.facts.transaction, let name = transaction.lineName {
        (gap.period, gap.productId) = (transaction.key(name), transaction.productId)
        gap.expires = transaction.expiresDate?.milliseconds
      }
      return gap
    }
  }

  /// V2 reports the access to subscriptions, not to other products that a family shares.
  private func family(_ group: EventGroup, _ sight: LifeState.Sight) -> (GapTest, String)? {
    guard let transaction = group.facts.transaction, transaction.inAppOwnershipType?.known == .familyShared,
      transaction.expiresDate != nil, !group.mayBe(.subscribed), !group.mayBe(.offerRedeemed)
    else { return nil }
    let path = "transactionInfo.inAppOwnershipType"
    guard state.isFamilySeen else { return (.familyAccess, path) }
    guard case .newer(let purchase) = sight, !group.mayBe(.revoke) else { return nil }
    if state.isFamilyLost { return (.familyReturn, path) }
    // A plain renewal continues a period that the archive does not have.
    guard state.isEndTold, let end = state.period?.expires, end < purchase, !group.mayBe(.didRenew) else { return nil }
    return (.familyReturn, path)
  }

  /// Where a message shows the offer of its period.
  private static let ownOffer = "transactionInfo.offerIdentifier"

  /// Events report offers of purchases; offers of an active subscription have no event.
  private func offer(_ group: EventGroup, _ sight: LifeState.Sight) -> (GapTest, String)? {
    guard !group.mayBe(.offerRedeemed), !group.mayBe(.subscribed), let period = state.period else { return nil }
    let known = [period.offer, state.renewal?.offer].compactMap(\.self)
    // The first message of a newer period reports its offer only when it is the purchase itself.
    let isOwn = sight == .same || sight.isNewer && group.mayBe(.didRenew)
    let current = group.facts.transaction?.offerName
    if isOwn, let current, !known.contains(current), !isReportedLater(current, group) { return (.offer, Self.ownOffer) }
    guard state.renewal != nil, let next = group.facts.renewal?.offerName, next != current, !known.contains(next),
      !isReportedLater(next, group)
    else { return nil }
    return (.offer, "renewalInfo.offerIdentifier")
  }

  /// A later event of the same period reports the offer: the body was written after it.
  private func isReportedLater(_ name: String, _ group: EventGroup) -> Bool {
    group.redeemed(name).flatMap { redeemed[$0] }.map { $0 > place } ?? false
  }

  private func priceConsent(_ group: EventGroup) -> (GapTest, String)? {
    guard group.facts.renewal?.priceIncreaseStatus?.known == .consentedOrNotified,
      state.renewal != nil || group.mayBe(.priceIncrease), state.renewal?.price != .consentedOrNotified
    else { return nil }
    return (.priceConsent, "renewalInfo.priceIncreaseStatus")
  }

  private func extended(_ group: EventGroup) -> (GapTest, String)? {
    guard let transaction = group.facts.transaction, !group.mayBe(.renewalExtended),
      state.expiryBefore(transaction) != nil
    else { return nil }
    return (.extension, "transactionInfo.expiresDate")
  }
}

extension Gap {
  /// A consent that a later message shows came before the renewal that it made possible.
  func moved(before renewal: Gap?) -> Gap {
    guard let renewal, renewal.time < time else { return self }
    var gap = self
    gap.time = renewal.time
    return gap
  }
}

/// An offer as an event reports it: its name, and the period that the event is about.
struct RedeemedOffer: Hashable {
  let period: UntoldPeriod.Key
  let name: String
}

extension EventGroup {
  /// The offers that its event may report.
  var redeemedOffers: [RedeemedOffer] {
    guard mayBe(.offerRedeemed) || mayBe(.subscribed) else { return [] }
    return [facts.transaction?.offerName, facts.renewal?.offerName].compactMap { $0.flatMap(redeemed) }
  }

  fileprivate func redeemed(_ name: String) -> RedeemedOffer? {
    facts.transaction?.period.map { RedeemedOffer(period: $0, name: name) }
  }
}
