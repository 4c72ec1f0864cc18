internal import SlipcastMapping
internal import SlipcastTimeline
internal import SlipcastV2
internal import SlipcastWire

/// What Apple took back of a customer, as one side shows it: a refund, or a revocation of what another person paid for.
struct TakenBack: Hashable, Sendable {
  /// The period, or the purchase without an end; `nil` where no record names it.
  var period: UntoldPeriod.Key?
  /// When; `nil` where no record states it.
  var time: Int64?
  var reason: AccessReason
}

extension CollectedLife {
  /// What was taken back until a time, and not given again: periods first.
  func takenBack(asOf: Int64) -> [TakenBack] {
    let periods = terms.compactMap { term in
      term.revocation.flatMap { time in
        time > asOf ? nil : TakenBack(period: term.key, time: time, reason: term.revocationReason ?? .revoked)
      }
    }
    let known = Set(terms.map(\.key))
    var (named, unnamed): ([UntoldPeriod.Key: TakenBack], [TakenBack]) = ([:], [])
    for entry in entries {
      guard case .event(let group) = entry, group.candidates.isEmpty, (group.time ?? .min) <= asOf else { continue }
      let key = group.facts.transaction?.period
      if let key, known.contains(key) { continue }
      if group.notificationType == NotificationType.refundReversed.rawValue {
        if let key { named[key] = nil }
      } else if let one = TakenBack(group, key) {
        if let key { named[key] = one } else { unnamed.append(one) }
      }
    }
    let purchases = named.values.sorted {
      ($0.time ?? .max, $0.period?.purchase ?? 0) < ($1.time ?? .max, $1.period?.purchase ?? 0)
    }
    return periods + purchases + unnamed
  }
}

extension TakenBack {
  /// - Returns: `nil` for an event after which nothing is taken back, as far as it shows.
  fileprivate init?(_ group: EventGroup, _ period: UntoldPeriod.Key?) {
    let transaction = group.facts.transaction
    let type = group.notificationType
    let isTold = EventName.takesBack(type)
    // An upgrade is not a refund, and a period that ends is among those of the life.
    let isShown = transaction?.expiresDate == nil && transaction?.revocationDate != nil
    guard isTold || isShown, transaction?.isUpgraded != true else { return nil }
    self.period = period
    time = transaction?.revocationDate?.milliseconds ?? (group.timeSource == .eventTime ? group.time : nil)
    reason = AccessReason.ofRevocation(
      isUpgraded: false, revocationType: transaction?.revocationType?.rawValue, notificationType: type)
  }
}

/// Two sides' accounts of what was taken back, where they differ.
struct TakenBackDifference: Hashable, Sendable {
  var legacy: TakenBack?
  var server: TakenBack?
  /// V2 reports that Apple gave it back, which V1 never does.
  var isReversed = false

  /// Finds for each of one side the same one of the other side.
  ///
  /// - Parameter tolerance: how far their times may lie apart, in milliseconds.
  static func differences(_ legacy: [TakenBack], _ server: [TakenBack], tolerance: Int64) -> [TakenBackDifference] {
    var found: [TakenBackDifference] = []
    var (open, rest) = (legacy, server)
    func match(_ isSame: (TakenBack, TakenBack) -> Bool) {
      open.removeAll { one in
        guard let place = rest.firstIndex(where: { isSame(one, $0) }) else { return false }
        let other = rest.remove(at: place)
        if let time = one.time, let otherTime = other.time, time.isApart(from: otherTime, by: tolerance) {
          found.append(TakenBackDifference(legacy: one, server: other))
        }
        return true
      }
    }
    match { $0.period != nil && $0.period?.id == $1.period?.id }
    match { one, other in
      guard let period = one.period, let otherPeriod = other.period else { return false }
      return period.isBought(with: otherPeriod, tolerance: tolerance)
    }
    // One whose purchase no record names may be any of those that are left.
    match { $0.period == nil || $1.period == nil }
    return found + open.map { TakenBackDifference(legacy: $0) } + rest.map { TakenBackDifference(server: $0) }
  }
}

extension UntoldPeriod.Key {
  /// Both are one purchase by its time: a restore gives V1 another id.
  func isBought(with other: UntoldPeriod.Key, tolerance: Int64) -> Bool {
    purchase != 0 && other.purchase != 0 && !purchase.isApart(from: other.purchase, by: tolerance)
  }
}

extension Int64 {
  /// Two times lie further apart than a tolerance.
  func isApart(from other: Int64, by tolerance: Int64) -> Bool {
    let (distance, overflow) = subtractingReportingOverflow(other)
    return overflow || distance.magnitude > tolerance.magnitude
  }
}
