/// A condition of the event alone.
enum MomentCondition: String, EventCondition {
  /// Its message states its time, or it or its receipt does; its record was written at a known time, or received at one.
  case dated, timed, written, received
  case production, beforeOffersOnInactive, sinceOffersOnInactive
  /// Its record has the renewal entry, which shows an offer of the next period or none.
  case hasRenewal, offerPending, noOfferPending
  /// No other message has the same content: a redelivery, or a second choice, one of the two with a body written late.
  case notRepeated

  func holds(for subject: FactSubject) -> Bool { subject.holds(self) }
}

/// A condition of the period that a row is about, and the event.
enum PeriodCondition: String, EventCondition {
  case ended, sincePurchase, atPurchase, notAtPurchase
  case ownPeriod, upgraded, notUpgraded, notFamily, notRevoked, revokedWhileRunning
  case offered, notOffered, markable, notMarkable, sinceOffers
  /// It was bought at most so long before the cancellation that the event's message shows.
  case cancelledWithinUpgrade, cancelledWithinAction
  /// The event's record shows that it renewed the one before; it does so, or the event is not at the purchase.
  case plainRenewal, plainOrElsewhere
  /// The period before it is not upgraded.
  case followsNoUpgrade
  /// V1 sent such messages then, and to the owner of the period.
  case purchasesSent, recoveriesSent, cancelsSent

  static let needsPeriod = true

  func holds(for subject: FactSubject) -> Bool { subject.period.map { subject.holds(self, $0) } ?? false }
}

/// A condition of the period that a row is about, and the event's own.
enum PairCondition: String, EventCondition {
  case otherProduct, sameProduct, notForApp
  case notRenewedEarly, notEndedEarly, notChosen
  case lapsedLong, paused, ran, endedBefore, inGrace, notInGrace, nothingRunning, boughtBeforeEnd
  /// It was taken back before the event's own was bought, and not by that purchase.
  case revoked, notReplaced
  /// V1 sent messages of failed renewals then.
  case failuresSent
  /// The event is not Apple's renewal of a purchase that another message reports as the customer's.
  case notByHand

  static let needsPeriod = true

  func holds(for subject: FactSubject) -> Bool {
    guard let period = subject.period, let target = subject.target else { return false }
    return subject.holds(self, period, target)
  }
}

extension FactSubject {
  fileprivate func holds(_ condition: MomentCondition) -> Bool {
    switch condition {
    case .dated: message.eventTime != HistoryMessage.noTime
    case .timed: message.time != nil
    case .written: message.writtenFrom != HistoryMessage.noTime
    case .received: message.receivedAt != HistoryMessage.noTime
    case .production: !message.scope.contains(.sandbox)
    case .beforeOffersOnInactive: message.time.map { $0 < parameters.offersOnInactiveEnd } ?? false
    case .sinceOffersOnInactive: message.time.map { $0 >= parameters.offersOnInactiveEnd } ?? false
    case .hasRenewal: message.scope.contains(.renewal)
    case .offerPending: message.pendingOffer != 0
    case .noOfferPending: message.pendingOffer == 0
    case .notRepeated: !history.isRepeated(place)
    }
  }

  fileprivate func holds(_ condition: PeriodCondition, _ period: HistoryMessage.Period) -> Bool {
    func timed(_ holds: (Int64) -> Bool) -> Bool { message.time.map(holds) ?? false }
    func cancelled(within window: DecisionParameters.Window) -> Bool {
      message.about.map { (0...length(window)).contains($0.cancellation - period.purchase) } ?? false
    }
    return switch condition {
    case .ended: timed { $0 >= period.expires }
    case .sincePurchase: timed { period.purchase <= $0 }
    // A customer cannot change a setting that fast.
    case .atPurchase: timed { history.isAtPurchase($0, of: period) }
    case .notAtPurchase: timed { !history.isAtPurchase($0, of: period) }
    case .ownPeriod: period.traits.contains(.own)
    case .upgraded: period.traits.contains(.upgraded)
    case .notUpgraded: !period.traits.contains(.upgraded)
    case .notFamily: !period.traits.contains(.family)
    case .notRevoked: !period.isRevoked
    case .revokedWhileRunning:
      period.isRevoked && period.cancellation >= period.purchase
        && period.cancellation < period.expires - length(parameters.early)
    case .offered: period.traits.contains(.offer)
    case .notOffered: !period.traits.contains(.offer)
    case .markable: period.traits.contains(.markable)
    case .notMarkable: !period.traits.contains(.markable)
    case .sinceOffers: period.purchase >= parameters.offersStart
    case .cancelledWithinUpgrade: cancelled(within: parameters.upgrade)
    case .cancelledWithinAction: cancelled(within: parameters.action)
    case .plainRenewal: history.isPlainRenewal(period, in: message)
    case .plainOrElsewhere:
      !timed { history.isAtPurchase($0, of: period) } || history.isPlainRenewal(period, in: message)
    case .followsNoUpgrade: !(history.previousPeriod(place)?.period.traits.contains(.upgraded) ?? false)
    case .purchasesSent: timed { $0 >= history.sendingStart(of: { $0.is(.laterPurchase) }, for: period) }
    case .recoveriesSent: period.purchase >= history.sendingStart(of: { $0.is(.recovery) }, for: period)
    case .cancelsSent: period.purchase < parameters.upgradeCancelEnd
    }
  }

  fileprivate func holds(
    _ condition: PairCondition, _ period: HistoryMessage.Period, _ target: HistoryMessage.Period
  ) -> Bool {
    switch condition {
    case .otherProduct: period.product != target.product
    case .sameProduct: period.product == target.product
    case .notForApp: !target.traits.contains(.forApp)
    case .notRenewedEarly: !history.mayBeRenewed(period, before: target)
    case .notEndedEarly: !history.mayBeEndedEarly(period)
    // Apple charges the product that was chosen as the next one.
    case .notChosen: !history.isChosen(target.product, in: period)
    case .lapsedLong:
      target.purchase - period.end > length(parameters.retry) + history.tolerance(parameters.retry)
    case .paused: target.purchase - period.end > length(parameters.gap)
    case .ran: period.end >= target.purchase
    case .endedBefore: period.end < target.purchase
    case .inGrace: history.isInGrace(period, at: target.purchase)
    case .notInGrace: !history.isInGrace(period, at: target.purchase)
    case .nothingRunning: !history.isAnyRunning(before: target)
    case .boughtBeforeEnd: period.purchase < target.expires
    case .revoked: period.isRevoked && period.cancellation < target.purchase
    // At an upgrade too, Apple cancels the old period.
    case .notReplaced:
      period.product == target.product || period.cancellation + length(parameters.action) < target.purchase
    case .failuresSent:
      period.expires
        >= max(history.sendingStart(of: { $0.is(.failure) || $0.is(.recovery) }, for: target), parameters.failuresStart)
    case .notByHand: !message.type.is(.renewal) || !history.isBoughtByHand(target)
    }
  }
}
