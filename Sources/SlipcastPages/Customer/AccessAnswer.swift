internal import SlipcastMapping
internal import SlipcastTimeline
internal import SlipcastV2
internal import SlipcastWire

/// What one side says at one time: whether the customer has access, until when, and why.
struct AccessAnswer: Hashable, Sendable {
  var access: Access
  var reason: AccessReason
  /// Since when the customer has access, or has none.
  var since: Int64?
  /// When access ends, as far as that is known.
  var until: Int64?
  /// Auto-renew is on; `nil` where no record states it.
  var renews: Bool?
  var productId: String?
  /// Access ended because a payment failed, whatever followed.
  var endedInRetry = false
  /// What was bought, if it does not renew.
  var purchase: OneTimePurchase.Kind?
  var confidence: Confidence
  /// How certain it is if no message is missing.
  var stated: Confidence

  /// - Returns: `nil` where the side has nothing about that time.
  init?(_ life: CollectedLife, _ types: [String: ProductType], asOf: Int64) {
    let intervals = life.intervals
    if let place = intervals.lastIndex(where: { $0.from <= asOf && $0.until.map { $0 > asOf } ?? true }) {
      let now = intervals[place]
      (access, reason, since, until) = (now.access, now.reason, now.from, now.until)
      (productId, confidence, stated) = (now.productId, now.confidence, now.stated)
      // Where the newest records leave it open, what older ones state does not count.
      renews = now.autoRenewStatus.map { $0 == .on }
      extend(intervals[(place + 1)...])
      begin(after: intervals[..<place])
    } else if let last = intervals.last(where: { $0.from <= asOf }) {
      // Nothing says what came after it.
      (access, reason, since, until) = (.unknown, .unknown, last.until, nil)
      (productId, confidence, stated) = (last.productId, .ambiguous, .ambiguous)
      renews = last.autoRenewStatus.map { $0 == .on }
    } else {
      guard let purchase = OneTimePurchase.newest(of: life, types, asOf: asOf) else { return nil }
      (access, reason) = (purchase.reason == nil ? .yes : .no, purchase.reason ?? .active)
      (since, until, renews) = (purchase.reason == nil ? purchase.time : purchase.revocation, nil, nil)
      (productId, self.purchase) = (purchase.productId, purchase.kind)
      (confidence, stated) = (purchase.confidence, purchase.confidence)
    }
  }

  /// Access continues while the next states give it too.
  private mutating func extend(_ later: ArraySlice<LifeInterval>) {
    guard access == .yes else { return }
    for next in later {
      guard next.access == .yes, next.from == until else { return }
      until = next.until
    }
  }

  /// Goes back to when access began or ended: to the customer it is one time, for whatever reasons.
  private mutating func begin(after earlier: ArraySlice<LifeInterval>) {
    endedInRetry = reason == .billingRetry
    for before in earlier.reversed() {
      guard before.access == access, before.until == since else { return }
      since = before.from
      endedInRetry = before.reason == .billingRetry
    }
  }

  /// It states whether the customer has access: what is used up, or ends when the app decides, leaves that open.
  var statesAccess: Bool {
    access == .no || access == .yes && (purchase == nil || purchase == .lasting)
  }

  /// Whether both mean the same for the customer; `nil` where one of them does not say.
  ///
  /// - Parameter tolerance: how far two ends of access may lie apart, in milliseconds.
  func agrees(with other: AccessAnswer, tolerance: Int64) -> Bool? {
    guard access != .unknown, other.access != .unknown else { return access == other.access ? true : nil }
    guard access == other.access else { return false }
    guard access == .yes else {
      // When it ended is not known on one side, so the ends do not differ.
      guard let since, let end = other.since else { return true }
      return !since.isApart(from: end, by: tolerance)
    }
    guard let until, let end = other.until else { return until == other.until }
    return !until.isApart(from: end, by: tolerance)
  }
}
