/// What another message states of the renewal, and how much its record shows.
enum RenewalCondition: String, MessageCondition {
  case on, off, hasRenewal, retrying, retryGivenUp, noGrace
  /// It shows an offer of the next period: none, any, the event's, another one or none.
  case noPendingOffer, pendingOffer, sameOffer, notSameOffer
  /// It names the product of the next period: the event's, or another one.
  case sameNextProduct, otherNextProduct
  case list, whole, groupClear

  func holds(_ other: HistoryMessage, at index: Int, for subject: FactSubject) -> Bool {
    subject.holds(self, other)
  }
}

/// What another message states of the renewal of the period.
enum RenewalOfPeriodCondition: String, MessageCondition {
  case graceAfterEnd
  /// The customer had turned auto-renew off before the end; or the period ended for this or another reason.
  case voluntary, notRenewed
  /// It names the product of the period as the next one; another one; another one or none.
  case choosesPeriod, choosesOther, notChoosingPeriod
  /// It names another product than that of the purchase as the next one.
  case choosesOtherThanPurchase
  /// It names the product of the period as the next one, or shows its renewal with this product.
  case keepsProduct

  static let needsPeriod = true

  func holds(_ other: HistoryMessage, at index: Int, for subject: FactSubject) -> Bool {
    subject.period.map { subject.holds(self, other, $0) } ?? false
  }
}

/// What the list of another message shows.
enum ListCondition: String, MessageCondition {
  /// It shows the period; not the event's own.
  case listsPeriod, notListingPurchase
  case showsUpgraded, showsUncancelledUpgrade, showsCancelledUnmarked, showsEarlierCancellation, showsRevoked
  case showsOffer, showsMarkable
  /// It shows an older period of the subscription or its group; one that ended before the purchase.
  case showsOlder, showsOlderEnded
  /// It shows a purchase near the event; one that Apple did not make.
  case showsNearPurchase, showsNearBoughtByHand

  static let needsPeriod = true

  func holds(_ other: HistoryMessage, at index: Int, for subject: FactSubject) -> Bool {
    subject.holds(self, other)
  }
}

extension FactSubject {
  fileprivate func holds(_ condition: RenewalCondition, _ other: HistoryMessage) -> Bool {
    switch condition {
    case .on: other.autoRenew == true
    case .off: other.autoRenew == false
    case .hasRenewal: other.scope.contains(.renewal)
    case .retrying: other.isRetrying == true
    case .retryGivenUp: other.isRetryGivenUp
    case .noGrace: other.grace == HistoryMessage.noTime
    case .noPendingOffer: other.pendingOffer == 0
    case .pendingOffer: other.pendingOffer != 0
    case .sameOffer: other.pendingOffer == message.pendingOffer
    case .notSameOffer: other.pendingOffer != message.pendingOffer
    case .sameNextProduct: other.nextProduct == message.nextProduct
    case .otherNextProduct: other.nextProduct != 0 && other.nextProduct != message.nextProduct
    case .list: other.scope.contains(.list)
    case .whole: other.scope.contains(.whole)
    case .groupClear: !other.scope.contains(.groupUnclear)
    }
  }

  fileprivate func holds(
    _ condition: RenewalOfPeriodCondition, _ other: HistoryMessage, _ period: HistoryMessage.Period
  ) -> Bool {
    switch condition {
    case .graceAfterEnd: other.grace != HistoryMessage.noTime && other.grace > period.expires
    case .voluntary: history.isVoluntary(other, period)
    case .notRenewed: history.isVoluntary(other, period) || other.isRetryGivenUp
    case .choosesPeriod: other.nextProduct == period.product
    case .choosesOther: other.nextProduct != 0 && other.nextProduct != period.product
    case .notChoosingPeriod: other.nextProduct != period.product
    case .choosesOtherThanPurchase: other.nextProduct != 0 && target.map { other.nextProduct != $0.product } ?? false
    case .keepsProduct:
      other.newest?.id == period.id && other.nextProduct == period.product || history.renews(other, period)
    }
  }

  fileprivate func holds(_ condition: ListCondition, _ other: HistoryMessage) -> Bool {
    func lists(_ shows: (HistoryMessage.Period, HistoryMessage.Period) -> Bool) -> Bool {
      guard let period else { return false }
      return other.periods.contains { $0.id == period.id && shows($0, period) }
    }
    func showsOlder(_ shows: (HistoryMessage.Period, HistoryMessage.Period) -> Bool) -> Bool {
      guard let target else { return false }
      return other.periods.contains {
        $0.id != target.id && $0.expires != HistoryMessage.noTime && target.isNewer(than: $0) && shows($0, target)
      }
    }
    return switch condition {
    case .listsPeriod: lists { _, _ in true }
    case .notListingPurchase: target.map { target in !other.periods.contains { $0.id == target.id } } ?? false
    case .showsUpgraded: lists { shown, _ in shown.traits.contains(.upgraded) }
    case .showsUncancelledUpgrade:
      lists { shown, _ in shown.traits.contains(.upgraded) && shown.cancellation == HistoryMessage.noTime }
    case .showsCancelledUnmarked:
      lists { shown, _ in shown.traits.contains(.markable) && shown.cancellation != HistoryMessage.noTime }
    case .showsEarlierCancellation:
      lists { $0.cancellation != HistoryMessage.noTime && $0.cancellation < $1.cancellation }
    case .showsRevoked: lists { shown, _ in shown.isRevoked }
    case .showsOffer: lists { shown, _ in shown.traits.contains(.offer) }
    case .showsMarkable: lists { shown, _ in shown.traits.contains(.markable) }
    case .showsOlder: showsOlder { _, _ in true }
    case .showsOlderEnded: showsOlder { !$0.traits.contains(.family) && $0.end < $1.purchase }
    case .showsNearPurchase: other.periods.contains(where: isNear)
    case .showsNearBoughtByHand: other.periods.contains { isNear($0) && !history.isPlainRenewal($0, in: other) }
    }
  }
}

extension HistoryMessage {
  /// The record states why the period ended, and that Apple tries no longer to renew it.
  fileprivate var isRetryGivenUp: Bool { intent != 0 && isRetrying == false }
}
