internal import SlipcastBulk
package import SlipcastMapping
package import SlipcastV2
internal import SlipcastWire

/// The intervals of a subscription's life: who had access on a day is one comparison with `from` and `until`.
///
/// Intervals follow each other and do not overlap. The last one has no end while its state is not known to end.
package struct LifeInterval: Hashable, Sendable {
  package enum Access: String, CaseIterable, Sendable {
    case yes, no, unknown
  }

  /// Milliseconds since 1970 UTC.
  package var from: Int64
  /// Exclusive; `nil` where nothing is known to end the state.
  package var until: Int64?
  /// V2's status of a subscription; `nil` where it is unknown.
  package var status: Status?
  package var access: Access
  /// Why: `active`, `grace`, `billingRetry`, `expired`, `refunded`, `revoked` or `unknown`.
  package var reason: String
  package var productId: String?
  package var autoRenewStatus: AutoRenewStatus?
  /// The end of the period, in milliseconds since 1970 UTC.
  package var expiresDate: Int64?
  package var offerType: OfferType?
  package var confidence: Confidence
  /// The rows of the messages that show it.
  package var evidence: [Int64]
}

/// Collects what the entries of a life show of its states, and derives the intervals.
package struct LifeStates {
  private struct Period {
    var start: Int64
    /// A recovery inside a grace period keeps the billing date; access as of the new period began later.
    var activeFrom: Int64
    var expires: Int64
    var revocation: (time: Int64, reason: String, evidence: [Int64])?
    var isReplaced = false
    var productId: String?
    var offerType: OfferType?
    var confidence: Confidence
    var evidence: [Int64]
    /// When Apple first failed to renew it, and until when access goes on all the same.
    var failure: (time: Int64, graceEnd: Int64?, evidence: [Int64])?
    /// Its end is proven, and how certainly.
    var end: (time: Int64, confidence: Confidence, evidence: [Int64])?
  }

  private struct Change {
    var time: Int64
    var status: AutoRenewStatus
    var evidence: [Int64]
  }

  private var periods: [UntoldPeriod.Key: Period] = [:]
  private var changes: [Change] = []
  private var isSandbox = false
  private let catalogue: GapCatalogue

  package init(rules: RuleSet, options: TimelineOptions = TimelineOptions()) {
    self.init(catalogue: GapCatalogue(rules, options))
  }

  init(catalogue: GapCatalogue) { self.catalogue = catalogue }

  package mutating func add(_ entry: TimelineEntry) {
    switch entry {
    case .event(let group): add(group)
    case .gap(let gap): add(gap)
    // Apple's own transactions are shown next to the life that V1's messages report.
    case .transaction: break
    }
  }

  // MARK: entries

  private mutating func add(_ group: EventGroup) {
    if let environment = group.facts.environment { isSandbox = environment == Environment.sandbox.rawValue }
    let rows = [group.lead.place] + group.companions.map(\.event.place)
    if let status = group.facts.renewal?.autoRenewStatus?.known, let time = group.time {
      changes.append(Change(time: time, status: status, evidence: rows))
    }
    guard let transaction = group.facts.transaction, let name = transaction.lineName,
      let start = transaction.purchaseDate?.milliseconds, let expires = transaction.expiresDate?.milliseconds
    else { return }
    let key = transaction.key(name)
    var period =
      periods[key]
      ?? Period(
        start: start, activeFrom: start, expires: expires, productId: transaction.productId,
        confidence: group.confidence ?? .documented, evidence: rows)
    period.expires = max(period.expires, expires)
    period.productId = transaction.productId ?? period.productId
    period.offerType = transaction.offerType?.known ?? period.offerType
    if group.after != nil, let time = group.time { period.activeFrom = max(start, time) }
    if transaction.isUpgraded == true { period.isReplaced = true }
    if let revocation = transaction.revocationDate?.milliseconds, transaction.isUpgraded != true {
      let isTaken = group.mayBe(.revoke) || transaction.revocationType?.known == .familyRevoke
      period.revocation = (revocation, isTaken ? "revoked" : "refunded", rows)
    }
    if group.mayBe(.didFailToRenew) || group.facts.renewal?.isInBillingRetryPeriod == true, period.failure == nil {
      let time = max(group.time ?? expires, expires)
      period.failure = (time, group.facts.renewal?.gracePeriodExpiresDate?.milliseconds, rows)
    }
    if group.candidates.isEmpty, group.mayBe(.expired), let time = group.time {
      period.end = (max(time, expires), group.confidence ?? .documented, rows)
    }
    periods[key] = period
  }

  private mutating func add(_ gap: Gap) {
    guard let key = gap.period else { return }
    if gap.isSent, let expires = gap.expires, periods[key] == nil {
      periods[key] = Period(
        start: key.purchase, activeFrom: key.purchase, expires: expires, productId: gap.productId,
        confidence: gap.confidence, evidence: [])
    } else if gap.event.notificationType == NotificationType.expired.rawValue {
      periods[key]?.end = (gap.time, gap.confidence, [])
    }
  }

  // MARK: intervals

  /// The intervals of the life, in order.
  ///
  /// - Parameter asOf: up to when the archive is known to be complete; what follows the last known period until then is
  ///   an interval too.
  package mutating func intervals(asOf: Int64?) -> [LifeInterval] {
    changes.sort { $0.time < $1.time }
    let order = periods.values.sorted { ($0.activeFrom, $0.expires) < ($1.activeFrom, $1.expires) }
    var intervals: [LifeInterval] = []
    for (place, period) in order.enumerated() {
      let next = place + 1 < order.count ? order[place + 1].activeFrom : nil
      let end = min(period.expires, period.revocation?.time ?? .max, next ?? .max)
      if end > period.activeFrom { intervals += running(period, until: end) }
      intervals += after(period, end, until: next, asOf: asOf)
    }
    return Self.joined(intervals)
  }

  private func interval(_ period: Period, _ from: Int64, _ until: Int64?) -> LifeInterval {
    let change = changes.isEmpty ? nil : changes[max(0, firstChange(after: from) - 1)]
    return LifeInterval(
      from: from, until: until, status: .active, access: .yes, reason: "active", productId: period.productId,
      autoRenewStatus: change?.status, expiresDate: period.expires, offerType: period.offerType,
      confidence: period.confidence, evidence: period.evidence)
  }

  /// The place of the first change of auto-renew after a time; changes are in the order of their times.
  private func firstChange(after time: Int64) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The time of a period in which it gives access, divided where auto-renew changes.
  private func running(_ period: Period, until end: Int64) -> [LifeInterval] {
    var intervals = [interval(period, period.activeFrom, end)]
    for change in changes[firstChange(after: period.activeFrom)...] {
      guard change.time < end else { break }
      guard let last = intervals.last, last.autoRenewStatus != change.status else { continue }
      intervals[intervals.count - 1].until = change.time
      var next = interval(period, change.time, end)
      next.evidence = change.evidence
      intervals.append(next)
    }
    return intervals
  }

  /// What follows a period until the next one begins.
  private func after(_ period: Period, _ end: Int64, until next: Int64?, asOf: Int64?) -> [LifeInterval] {
    if let next, next <= end { return [] }
    var state = interval(period, max(end, period.activeFrom), next)
    if let revocation = period.revocation, revocation.time <= period.expires {
      (state.status, state.access, state.reason) = (.revoked, .no, revocation.reason)
      state.evidence = revocation.evidence
      return [state]
    }
    // Another product replaced it, and its own period is not in the archive.
    if period.isReplaced { return [] }
    if let failure = period.failure { return failed(state, failure, period, until: next, asOf: asOf) }
    let isProven = period.end != nil || next != nil
    guard isProven || (asOf.map { $0 > end } ?? false) else { return [] }
    if isProven {
      (state.status, state.access, state.reason) = (.expired, .no, "expired")
      if let end = period.end {
        (state.confidence, state.evidence) = (max(state.confidence, end.confidence), end.evidence)
      }
    } else {
      // Silence: a renewal whose message is missing, or an end that V1 does not report.
      (state.status, state.access, state.reason) = (nil, .unknown, "unknown")
      (state.confidence, state.evidence) = (.ambiguous, [])
    }
    return [state]
  }

  /// Grace, billing retry and the end that follow a failed renewal.
  private func failed(
    _ state: LifeInterval, _ failure: (time: Int64, graceEnd: Int64?, evidence: [Int64]), _ period: Period,
    until next: Int64?, asOf: Int64?
  ) -> [LifeInterval] {
    var intervals: [LifeInterval] = []
    var from = state.from
    func add(
      _ status: Status, _ access: LifeInterval.Access, _ reason: String, _ until: Int64?, _ rows: [Int64]
    ) {
      let until = [until, next].compactMap(\.self).min()
      if let until, until <= from { return }
      var one = state
      (one.from, one.until, one.status, one.access, one.reason) = (from, until, status, access, reason)
      one.evidence = rows
      // That no message reports a recovery proves nothing.
      if next == nil, access == .no { one.confidence = max(one.confidence, .inferred) }
      intervals.append(one)
      from = until ?? .max
    }
    if let grace = failure.graceEnd, grace > from { add(.billingGracePeriod, .yes, "grace", grace, failure.evidence) }
    let retryEnd = period.expires + catalogue.windows(isSandbox: isSandbox).retry
    let told = period.end.map { max($0.time, from) }
    let last = told ?? (asOf.map { $0 >= retryEnd } ?? false ? retryEnd : nil)
    add(.billingRetry, .no, "billingRetry", last, failure.evidence)
    if from != .max, next.map({ from < $0 }) ?? true, last != nil {
      add(.expired, .no, "expired", nil, period.end?.evidence ?? [])
      if let end = period.end, !intervals.isEmpty {
        intervals[intervals.count - 1].confidence = max(intervals[intervals.count - 1].confidence, end.confidence)
      }
    }
    return intervals
  }

  /// Equal states that touch are one.
  private static func joined(_ intervals: [LifeInterval]) -> [LifeInterval] {
    var joined: [LifeInterval] = []
    for one in intervals {
      guard var last = joined.last, last.until == one.from else {
        joined.append(one)
        continue
      }
      var same = one
      (same.from, same.until, same.evidence, same.confidence) = (last.from, last.until, last.evidence, last.confidence)
      if same == last {
        last.until = one.until
        joined[joined.count - 1] = last
      } else {
        joined.append(one)
      }
    }
    return joined
  }
}
