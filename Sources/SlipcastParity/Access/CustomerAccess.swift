internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastTimeline
internal import SlipcastV2

/// The access of the customer at hand, as each archive shows it by the customer's events.
///
/// It looks at events before they are paired, and afterwards only at what pairing does not change: their images, ids and
/// times.
final class CustomerAccess {
  private let view: RecordView
  private var lives: (legacy: SideLife, server: SideLife)
  /// The last extension of a period, which V1 never reports.
  private var lastExtension: PairEvent?
  /// V2 has reversed a refund of the customer at hand.
  private var isRefundReversed = false
  private let time: Int64
  /// What is compared are answers, which are older for some customers.
  private let followsAnswers: Bool
  /// When access of the customer at hand is judged; `nil` before the first events.
  private var asOf: Int64?

  /// - Parameters:
  ///   - time: when access is judged.
  ///   - limit: records that were written later do not count.
  ///   - looksAhead: a revocation after the time is the end of access.
  ///   - followsAnswers: the archives hold answers: access is judged when V1 had the customer's last one, if that is
  ///     earlier.
  ///   - tolerance: how much two clocks may differ; times in milliseconds.
  init(
    _ shapes: ShapeTable, _ rules: RuleSet, at time: Int64, limit: Int64?, looksAhead: Bool, followsAnswers: Bool,
    tolerance: Int64
  ) {
    view = RecordView(shapes)
    (self.time, self.followsAnswers) = (time, followsAnswers)
    let life = SideLife(
      at: time, limit: limit, looksAhead: looksAhead, tolerance: tolerance, catalogue: GapCatalogue(rules))
    lives = (life, life)
  }

  /// Notes the events of a subscription in their order, or a part of them.
  func note(_ partition: EventPartition) {
    if asOf == nil {
      // Answers come newest first.
      let newest = followsAnswers ? partition.legacy.first { $0.time != nil } : nil
      let last = newest.flatMap { $0.head.asOf ?? $0.time }
      let moment = min(time, last ?? time)
      (asOf, lives.legacy.time, lives.server.time) = (moment, moment, moment)
    }
    lives.legacy.note(partition.legacy, partition.sightings, view)
    lives.server.note(partition.server, [], view)
    for event in partition.server where lives.server.counts(event) {
      switch event.keys.event.notificationType {
      case NotificationType.refundReversed.rawValue: isRefundReversed = true
      case NotificationType.renewalExtended.rawValue: lastExtension = event
      default: break
      }
    }
  }

  /// The access when all events of the subscription have come; `nil` where none of them counts.
  func end() -> AccessChange? {
    defer { asOf = nil }
    guard lives.legacy.last != nil || lives.server.last != nil else { return nil }
    defer {
      lives.legacy.clear()
      lives.server.clear()
      (lastExtension, isRefundReversed) = (nil, false)
    }
    // The first purchase came after the time, in both archives.
    guard lives.legacy.limit == nil || lives.legacy.isBegun || lives.server.isBegun else { return nil }
    var change = AccessChange(legacy: lives.legacy.state(view), server: lives.server.state(view))
    change.isRefundReversed = isRefundReversed
    change.asOf = asOf == time ? nil : asOf
    if isExpiredBySilence(change) { change.legacy = change.legacy.undecided }
    if isGraceOver(change.legacy, change.server, lives.server.last) { change.server = change.server.undecided }
    if isGraceOver(change.server, change.legacy, lives.legacy.last) { change.legacy = change.legacy.undecided }
    if wasRevokedInGrace(change) { change.server.until = change.legacy.until }
    if let lastExtension, lives.legacy.last?.time ?? .min <= lastExtension.time ?? .min {
      change.isExtended = change.server.until != nil && change.server.until == lastExtension.keys.expiresDate
    }
    return change
  }

  /// Apple took the period back in a grace period: V2's answer has the date of the first, and dropped that of the other.
  private func wasRevokedInGrace(_ change: AccessChange) -> Bool {
    guard followsAnswers, change.legacy.access == .no, change.server.access == .no, let end = change.legacy.until,
      let until = change.server.until, until < end
    else { return false }
    return lives.server.last?.keys.revocationDate == end
  }

  /// V1's last message has no list, and its period had ended: whether Apple renewed it, only a list shows.
  private func isExpiredBySilence(_ change: AccessChange) -> Bool {
    followsAnswers && lives.legacy.last?.head.showsOnePeriod == true
      && [.expired, .billingRetry].contains(change.legacy.reason)
  }

  /// One answer was given in a grace period that was over at the time of the other: that has its date no longer.
  private func isGraceOver(_ one: AccessState, _ other: AccessState, _ later: PairEvent?) -> Bool {
    guard followsAnswers, one.reason == .grace, other.access == .no, let end = one.until, let time = later?.time else {
      return false
    }
    return time > end
  }
}

extension AccessState {
  /// The same state without a statement about access.
  fileprivate var undecided: AccessState {
    var state = self
    (state.access, state.reason, state.until) = (.unknown, .unknown, nil)
    return state
  }
}
