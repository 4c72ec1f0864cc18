internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

extension EventGroup {
  /// The event is certainly a return after the end of a subscription.
  var isReturn: Bool {
    guard candidates.isEmpty, subtype == Subtype.resubscribe.rawValue || subtype == Subtype.initialBuy.rawValue else {
      return false
    }
    return notificationType == NotificationType.subscribed.rawValue
      || notificationType == NotificationType.offerRedeemed.rawValue
  }

  /// The event is certainly a renewal.
  var isRenewal: Bool {
    candidates.isEmpty ? mayBe(.didRenew) : candidates.allSatisfy { $0.notificationType?.known == .didRenew }
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
