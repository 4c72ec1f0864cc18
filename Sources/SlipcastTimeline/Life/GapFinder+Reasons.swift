internal import SlipcastMapping
internal import SlipcastV2

/// The purchase after the newest period, as lists show it.
struct NextPurchase {
  /// Milliseconds since 1970 UTC.
  var time: Int64
  /// How certain it is that no period is between the two.
  var confidence: Confidence
}

extension NextPurchase {
  init(_ period: UntoldPeriod) {
    self.init(time: period.key.purchase, confidence: period.isListedWhole ? .documented : .inferred)
  }
}

extension GapFinder {
  /// The expiration intents that records show of the newest period, one bit each.
  ///
  /// - Parameters:
  ///   - end: the end of the period; earlier records are not about it.
  ///   - purchase: when the next period was bought, about which later records are.
  func intents(after end: Int64, before purchase: Int64) -> Int64 {
    var shown = catalogue.intents(state)
    let time = state.renewal?.time ?? .min
    if let intent = state.renewal?.intent, end <= time, time < purchase { shown |= intent.bit }
    if state.isFailing { shown |= ExpirationIntent.billingError.bit }
    // Who turns auto-renew off while Apple retries the renewal changes the intent; nothing changes it back.
    if shown & ExpirationIntent.customerCancelled.bit != 0 { shown &= ~ExpirationIntent.billingError.bit }
    return shown
  }

  /// When a subscription may have expired at the earliest whose period had ended: not in its grace period, unless the
  /// customer turned auto-renew off.
  ///
  /// - Parameter stated: the end of a grace period that the message at hand states.
  /// - Returns: `nil` where nothing shows that it went on.
  func firstEnd(after end: Int64, _ stated: Int64?) -> Int64? {
    let grace = [state.graceEnd, state.pastGrace, stated].compactMap(\.self).max()
    guard let grace, grace > end, grace <= shownUntil, !isTurnedOff else { return nil }
    return grace
  }
}
