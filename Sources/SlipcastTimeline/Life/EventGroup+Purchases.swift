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
  var reportsPurchase: Bool { readings.contains(where: \.beginsPeriod) }

  /// The event may be a refund, or the end of Family Sharing.
  var mayTakeBack: Bool { readings.contains(where: \.takesBack) }

  /// Apple tries again to renew the period that the message is about.
  ///
  /// The retry flag does not survive a renewal: with one, it is still about the period before. Source: evidence §5.
  var isRetrying: Bool {
    guard facts.renewal?.isInBillingRetryPeriod == true else { return false }
    return readings.isEmpty || !readings.allSatisfy(\.beginsPeriod)
  }

  /// The readings that the messages together leave.
  private var readings: [EventName] {
    candidates.isEmpty ? [event].compactMap(\.self) : candidates.compactMap(EventName.init)
  }
}

extension LifeState.Sight {
  var isNewer: Bool {
    if case .newer = self { true } else { false }
  }
}
