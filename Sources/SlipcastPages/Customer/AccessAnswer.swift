internal import SlipcastMapping
internal import SlipcastTimeline
internal import SlipcastV2
internal import SlipcastWire

/// What one side says at one time: whether the customer has access, until when, and why.
struct AccessAnswer: Hashable, Sendable {
  var access: Access
  var reason: AccessReason
  /// When the state began.
  var since: Int64?
  /// When access ends, as far as that is known.
  var until: Int64?
  /// Auto-renew is on; `nil` where no record states it.
  var renews: Bool?
  var productId: String?
  var confidence: Confidence

  /// - Returns: `nil` where the side has nothing about that time.
  init?(_ life: CollectedLife, asOf: Int64) {
    let intervals = life.intervals
    let status = intervals.last { $0.from <= asOf && $0.autoRenewStatus != nil }?.autoRenewStatus
    if let place = intervals.lastIndex(where: { $0.from <= asOf && $0.until.map { $0 > asOf } ?? true }) {
      let now = intervals[place]
      (access, reason, since, until) = (now.access, now.reason, now.from, now.until)
      (productId, confidence) = (now.productId, now.confidence)
      renews = (now.autoRenewStatus ?? status).map { $0 == .on }
      extend(intervals[(place + 1)...])
      for earlier in intervals[..<place].reversed() {
        guard earlier.access == access, earlier.reason == reason, earlier.until == since else { break }
        since = earlier.from
      }
    } else if let last = intervals.last(where: { $0.from <= asOf }) {
      // Nothing says what came after it.
      (access, reason, since, until) = (.unknown, .unknown, last.until, nil)
      (productId, confidence) = (last.productId, .ambiguous)
      renews = status.map { $0 == .on }
    } else {
      guard let purchase = OneTimePurchase.newest(of: life, asOf: asOf) else { return nil }
      (access, reason) = (purchase.reason == nil ? .yes : .no, purchase.reason ?? .active)
      (since, until, renews) = (purchase.reason == nil ? purchase.time : purchase.revocation, nil, nil)
      (productId, confidence) = (purchase.productId, purchase.confidence)
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

  /// Whether both mean the same for the customer; `nil` where one of them does not say.
  ///
  /// Ends within a second are one.
  func agrees(with other: AccessAnswer) -> Bool? {
    guard access != .unknown, other.access != .unknown else { return access == other.access ? true : nil }
    guard access == other.access else { return false }
    guard access == .yes else { return true }
    guard let until, let end = other.until else { return until == other.until }
    return until.distance(to: end).magnitude < 1000
  }
}

/// A purchase that does not end by itself.
struct OneTimePurchase: Sendable {
  var productId: String?
  var time: Int64?
  var revocation: Int64?
  /// Why it does not give access any more.
  var reason: AccessReason?
  var confidence: Confidence

  /// The newest one of a life; `nil` where it has none.
  static func newest(of life: CollectedLife, asOf: Int64) -> OneTimePurchase? {
    var newest: OneTimePurchase?
    for entry in life.entries {
      guard case .event(let group) = entry, let transaction = group.facts.transaction,
        transaction.expiresDate == nil, (group.time ?? .min) <= asOf
      else { continue }
      let type = group.notificationType
      let isTold =
        group.candidates.isEmpty
        && (type == NotificationType.refund.rawValue || type == NotificationType.revoke.rawValue)
      var purchase = OneTimePurchase(
        productId: transaction.productId, time: transaction.purchaseDate?.milliseconds,
        confidence: group.confidence ?? .documented)
      if transaction.revocationDate != nil || isTold {
        purchase.revocation = transaction.revocationDate?.milliseconds
        purchase.reason = AccessReason.ofRevocation(
          isUpgraded: false, revocationType: transaction.revocationType?.rawValue, notificationType: type)
      }
      newest = purchase
    }
    return newest
  }
}
