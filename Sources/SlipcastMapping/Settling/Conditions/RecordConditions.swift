/// What another message states of the renewal.
enum RenewalCondition: String, CaseIterable, Sendable {
  case on, off, hasRenewal, retrying, retryGivenUp, graceAfterEnd, noGrace
  /// The customer had turned auto-renew off before the end; or the period ended for this or another reason.
  case voluntary, notRenewed
  /// It shows an offer of the next period: none, any, the event's, another one or none.
  case noPendingOffer, pendingOffer, sameOffer, notSameOffer
  /// It names the product of the next period: the event's, or another one.
  case sameNextProduct, otherNextProduct
  /// It names the product of the period as the next one; another one; another one or none.
  case choosesPeriod, choosesOther, notChoosingPeriod
  /// It names another product than that of the purchase as the next one.
  case choosesOtherThanPurchase
  /// It names the product of the period as the next one, or shows its renewal with this product.
  case keepsProduct

  var needsPeriod: Bool {
    switch self {
    case .on, .off, .hasRenewal, .retrying, .retryGivenUp, .noGrace, .noPendingOffer, .pendingOffer, .sameOffer,
      .notSameOffer, .sameNextProduct, .otherNextProduct:
      false
    case .graceAfterEnd, .voluntary, .notRenewed, .choosesPeriod, .choosesOther, .notChoosingPeriod,
      .choosesOtherThanPurchase, .keepsProduct:
      true
    }
  }
}

/// What the list of another message shows.
enum ListCondition: String, CaseIterable, Sendable {
  case list, whole, groupClear
  /// It shows the period; not the event's own.
  case listsPeriod, notListingPurchase
  case showsUpgraded, showsUncancelledUpgrade, showsCancelledUnmarked, showsEarlierCancellation, showsRevoked
  case showsOffer, showsMarkable
  /// It shows an older period of the subscription or its group; one that ended before the purchase.
  case showsOlder, showsOlderEnded
  /// It shows a purchase near the event; one that Apple did not make.
  case showsNearPurchase, showsNearBoughtByHand

  var needsPeriod: Bool {
    switch self {
    case .list, .whole, .groupClear: false
    case .listsPeriod, .notListingPurchase, .showsUpgraded, .showsUncancelledUpgrade, .showsCancelledUnmarked,
      .showsEarlierCancellation, .showsRevoked, .showsOffer, .showsMarkable, .showsOlder, .showsOlderEnded,
      .showsNearPurchase, .showsNearBoughtByHand:
      true
    }
  }
}

extension FactSubject {
  func holds(_ condition: RenewalCondition, _ index: Int, _ other: HistoryMessage) -> Bool {
    switch condition {
    case .on: other.autoRenew == true
    case .off: other.autoRenew == false
    case .hasRenewal: other.scope.contains(.renewal)
    case .retrying: other.isRetrying == true
    case .retryGivenUp: other.intent != 0 && other.isRetrying == false
    case .graceAfterEnd: period.map { other.grace != HistoryMessage.noTime && other.grace > $0.expires } ?? false
    case .noGrace: other.grace == HistoryMessage.noTime
    case .voluntary: period.map { history.isVoluntary(other, $0) } ?? false
    case .notRenewed:
      period.map { history.isVoluntary(other, $0) || other.intent != 0 && other.isRetrying == false } ?? false
    case .noPendingOffer: other.pendingOffer == 0
    case .pendingOffer: other.pendingOffer != 0
    case .sameOffer: other.pendingOffer == message.pendingOffer
    case .notSameOffer: other.pendingOffer != message.pendingOffer
    case .sameNextProduct: other.nextProduct == message.nextProduct
    case .otherNextProduct: other.nextProduct != 0 && other.nextProduct != message.nextProduct
    case .choosesPeriod: period.map { other.nextProduct == $0.product } ?? false
    case .choosesOther: period.map { other.nextProduct != 0 && other.nextProduct != $0.product } ?? false
    case .notChoosingPeriod: period.map { other.nextProduct != $0.product } ?? false
    case .choosesOtherThanPurchase: target.map { other.nextProduct != 0 && other.nextProduct != $0.product } ?? false
    case .keepsProduct:
      period.map { period in
        history.newest[index]?.id == period.id && other.nextProduct == period.product
          || history.renews(other, period)
      } ?? false
    }
  }

  func holds(_ condition: ListCondition, _ other: HistoryMessage) -> Bool {
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
    case .list: other.scope.contains(.list)
    case .whole: other.scope.contains(.whole)
    case .groupClear: !other.scope.contains(.groupUnclear)
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
