internal import SlipcastMapping
internal import SlipcastV2

/// Derives the intervals of a life from its periods and the changes of auto-renew.
struct LifeIntervals {
  /// In the order of their purchases.
  let periods: [LifePeriod]
  /// In the order of their times.
  let changes: [AutoRenewChanges.Change]
  let windows: LifeWindows
  let catalogue: GapCatalogue
  /// Up to when the archive is known to be complete.
  let asOf: Int64?
  /// The subscription is shared with a family member.
  let isFamily: Bool

  func all() -> [LifeInterval] {
    var intervals: [LifeInterval] = []
    // The latest end of earlier periods, by their own dates; that of a replaced one does not count.
    var unended = Int64.min
    for place in periods.indices {
      var period = periods[place]
      period.activeFrom = start(of: place)
      let next = place + 1 < periods.count ? start(of: place + 1) : nil
      var end = period.end(before: next, gap: windows.gap)
      if let doubt = period.doubt { end = min(end, max(doubt.time, period.activeFrom)) }
      if end > period.activeFrom { intervals += divided(running(period, at: place, until: end)) }
      let rest = interval(period, from: max(end, period.activeFrom), until: next)
      if next.map({ $0 > rest.from }) ?? true {
        intervals += after(period, rest).map { weakened($0, unended: unended) }.flatMap(divided)
      }
      if !period.isReplaced { unended = max(unended, min(period.expires, period.revocation?.time ?? .max)) }
    }
    return Self.joined(intervals)
  }

  /// The periods for people.
  func terms() -> [LifeTerm] {
    periods.indices.map { place in
      var period = periods[place]
      period.activeFrom = start(of: place)
      let next = place + 1 < periods.count ? start(of: place + 1) : nil
      let end = max(period.activeFrom, period.end(before: next, gap: windows.gap))
      let interval = running(period, at: place, until: end)
      return LifeTerm(
        key: period.key, from: period.activeFrom, until: end, expires: period.expires, productId: period.productId,
        offerType: period.offerType, discount: period.discount, plan: period.plan, revocation: period.revocation?.time,
        revocationReason: period.revocation?.reason, isReplaced: period.isReplaced, isShared: period.isShared,
        confidence: interval.confidence, stated: interval.stated, evidence: period.proof.evidence)
    }
  }

  /// When access by a period began.
  ///
  /// A recovery that keeps the billing date came before the end of the grace period, whenever its message came: access
  /// was never lost. Source: evidence §12.
  private func start(of place: Int) -> Int64 {
    let period = periods[place]
    let purchase = period.key.purchase
    guard place > 0, period.activeFrom > purchase else { return period.activeFrom }
    let graceEnd = periods[place - 1].failure?.graceEnd ?? purchase
    return max(purchase, min(period.activeFrom, graceEnd))
  }

  /// The period as it gives access.
  private func interval(_ period: LifePeriod, from: Int64, until: Int64?) -> LifeInterval {
    LifeInterval(
      from: from, until: until, reason: .active, productId: period.productId, expiresDate: period.expires,
      offerType: period.offerType, confidence: period.proof.confidence, stated: period.proof.confidence,
      evidence: period.proof.evidence)
  }

  /// The place of the first change of auto-renew after a time.
  private func firstChange(after time: Int64) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The time in which a period gives access.
  private func running(_ period: LifePeriod, at place: Int, until end: Int64) -> LifeInterval {
    var period = period
    let revocation = period.revocation?.time == end ? period.revocation?.proof.confidence : nil
    period.proof.confidence = max(period.proof.confidence, revocation ?? .documented)
    var running = interval(period, from: period.activeFrom, until: end)
    // A refund whose message is missing would have ended it earlier.
    let isUncertain =
      revocation == nil && !period.isUntouched
      || period.beginning(after: periods[..<place], early: windows.early) == .uncertain
    if isUncertain { running.confidence = max(running.confidence, .inferred) }
    return running
  }

  /// The interval with its state of auto-renew; divided where that changes, which it also does after access ended.
  private func divided(_ interval: LifeInterval) -> [LifeInterval] {
    var last = interval
    let mayRenew = [.active, .grace, .billingRetry].contains(interval.reason)
    // What took the period back turned auto-renew off within seconds.
    let first = firstChange(after: mayRenew ? interval.from : interval.from &+ windows.action)
    if first > 0 { last.autoRenewStatus = changes[first - 1].status(in: interval) }
    var intervals: [LifeInterval] = []
    for change in changes[first...] {
      guard change.time < interval.until ?? .max else { break }
      let status = change.status(in: interval)
      guard last.autoRenewStatus != status else { continue }
      // Of two changes at one time the later message counts.
      if change.time > last.from {
        last.until = change.time
        intervals.append(last)
        (last.from, last.until) = (change.time, interval.until)
      }
      (last.autoRenewStatus, last.evidence) = (status, change.evidence)
    }
    return intervals + [last]
  }

  /// What follows a period until the next one begins.
  ///
  /// - Parameter rest: that time, with the rest of what is known of the period.
  private func after(_ period: LifePeriod, _ rest: LifeInterval) -> [LifeInterval] {
    if let doubt = period.doubt, doubt.time <= rest.from {
      return [rest.with(.unknown, LifePeriod.Proof(confidence: .ambiguous, evidence: doubt.proof.evidence))]
    }
    // A refund ends grace and billing retry. Where no record shows how the period ended, a renewal may have followed it.
    guard let revocation = period.revocation,
      revocation.time <= period.expires || period.failure != nil || period.end != nil
    else { return unrevoked(period, rest) }
    var before = rest
    before.until = min(revocation.time, rest.until ?? .max)
    let stages = before.until ?? .max > rest.from ? unrevoked(period, before) : []
    guard revocation.time < rest.until ?? .max else { return stages }
    var taken = rest
    taken.from = max(revocation.time, rest.from)
    return stages + [taken.with(revocation.reason, revocation.proof)]
  }

  private func unrevoked(_ period: LifePeriod, _ rest: LifeInterval) -> [LifeInterval] {
    if let failure = period.failure { return failed(period, failure.proof, rest) }
    if period.isReplaced { return [rest.open(.upgraded)] }
    if let end = period.end { return [rest.with(.expired, end.proof)] }
    // A renewal or an end whose message is missing, or an end that V1 does not report.
    return horizon(rest) > rest.from ? [rest.open(.unknown)] : []
  }

  /// A purchase whose message is missing would have given access again: silence proves nothing by itself.
  ///
  /// - Parameter unended: until when an earlier period runs by its own dates. Whether it continues after the purchase that
  ///   followed it is taken back, Apple does not document.
  private func weakened(_ interval: LifeInterval, unended: Int64) -> LifeInterval {
    var interval = interval
    let isComplete = catalogue.isComplete(
      from: interval.from, until: interval.until.map { $0.moved(by: windows.delivery) } ?? asOf ?? .min,
      isFamily: isFamily)
    guard interval.access == .no, !isComplete || unended > interval.from else { return interval }
    interval.confidence = max(interval.confidence, .inferred)
    return interval
  }

  /// Up to when the archive shows the state after a period.
  private func horizon(_ rest: LifeInterval) -> Int64 { rest.until ?? asOf ?? .min }

  /// Grace, billing retry and the end that follow a failed renewal.
  private func failed(_ period: LifePeriod, _ proof: LifePeriod.Proof, _ rest: LifeInterval) -> [LifeInterval] {
    let retryEnd = period.expires.moved(by: windows.retry)
    // Apple stops to retry then, however far the archive goes; no message reports it.
    let end = period.end?.time ?? retryEnd
    var stages = [rest.with(.billingRetry, proof, until: end)]
    if let grace = period.failure?.graceEnd {
      stages.insert(rest.with(.grace, proof, until: grace), at: 0)
    } else if let shown = openGrace(of: period) {
      stages.insert(rest.open(.unknown, until: min(shown, retryEnd)), at: 0)
    }
    let silent = LifePeriod.Proof(confidence: .inferred, evidence: [])
    stages.append(rest.with(.expired, period.end?.proof ?? silent))
    var from = rest.from
    return stages.compactMap { stage in
      var stage = stage
      let until = [stage.until, rest.until].compactMap(\.self).min()
      guard from < until ?? .max else { return nil }
      (stage.from, stage.until) = (from, until)
      from = until ?? .max
      return stage
    }
  }

  /// Until then a grace period may have run: the records that show the failure are later, and no longer name its end.
  ///
  /// - Returns: `nil` where records name it, or show the failure when the period ends.
  func openGrace(of period: LifePeriod) -> Int64? {
    guard let failure = period.failure, failure.graceEnd == nil else { return nil }
    return period.failureShown.moved(by: -windows.gap) > period.expires
      ? period.failureShown : nil
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
      (same.from, same.until, same.evidence) = (last.from, last.until, last.evidence)
      (same.confidence, same.stated) = (last.confidence, last.stated)
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

extension LifeInterval {
  fileprivate func with(_ reason: AccessReason, _ proof: LifePeriod.Proof, until end: Int64? = nil) -> LifeInterval {
    var one = self
    one.reason = reason
    one.confidence = max(confidence, proof.confidence)
    (one.stated, one.evidence) = (one.confidence, proof.evidence)
    if let end { one.until = end }
    return one
  }

  /// What no record shows.
  fileprivate func open(_ reason: AccessReason, until end: Int64? = nil) -> LifeInterval {
    with(reason, LifePeriod.Proof(confidence: .ambiguous, evidence: []), until: end)
  }
}
