package import SlipcastMapping

/// Access at one time, as far as the records of a life show it: silence after the end of a period counts as its end.
///
/// `LifeInterval` leaves open what silence does not prove; who asks whether a customer is served by what records state so far
/// asks for this. Where both know the answer, it is the same one.
package struct LifeAccess: Hashable, Sendable {
  package var access = Access.unknown
  package var reason = AccessReason.unknown
  /// When access ends or ended, in milliseconds since 1970 UTC; `nil`: never, or it is not known.
  package var until: Int64?
  /// The period that decides; `nil` where none had begun, or none is known.
  package var period: UntoldPeriod.Key?
}

extension LifeStates {
  /// Access at a time.
  ///
  /// - Parameter tolerance: how much two clocks may differ, in milliseconds.
  package func access(at time: Int64, tolerance: Int64) -> LifeAccess {
    var found = lived(asOf: nil).access(at: time, tolerance: tolerance)
    // An earlier period, which no record shows, may run before the first one that is known.
    if found.period == nil, began != .max, began.isLater(than: time, tolerance) { found.access = .no }
    return found
  }
}

extension LifeIntervals {
  fileprivate func access(at time: Int64, tolerance: Int64) -> LifeAccess {
    var found = LifeAccess()
    guard let place = periods.lastIndex(where: { !$0.activeFrom.isLater(than: time, tolerance) }) else { return found }
    let (period, next) = (periods[place], place + 1 < periods.count ? periods[place + 1] : nil)
    (found.period, found.reason) = (period.key, reason(of: period, before: next, at: time, tolerance))
    switch found.reason {
    case .active:
      found.access = .yes
      found.until = [period.expires, period.revocation?.time ?? .max].min()
      if found.until == .max { found.until = nil }
    case .grace:
      found.access = .yes
      found.until = [period.failure?.graceEnd, period.revocation?.time].compactMap(\.self).min()
    case .refunded, .revoked:
      found.access = .no
      // Taken back at the latest by a time: when, no record says.
      found.until = period.isRevokedBefore ? nil : period.revocation?.time
    case .billingRetry, .expired: (found.access, found.until) = (.no, period.expires)
    case .upgraded, .unknown: break
    }
    return found
  }

  private func reason(of period: LifePeriod, before next: LifePeriod?, at time: Int64, _ tolerance: Int64)
    -> AccessReason
  {
    let reason = period.reason(
      at: time, before: next?.activeFrom, gap: windows.gap, retry: windows.retry, tolerance: tolerance)
    guard reason == .expired || reason == .billingRetry else { return reason }
    let isSilent = openGrace(of: period).map { $0.isLater(than: time, tolerance) } ?? false
    // A newer period had begun at a time that no record states.
    return isSilent || next?.isStartUnknown == true ? .unknown : reason
  }
}

extension Int64 {
  /// A date is after a time, by more than two clocks may differ.
  fileprivate func isLater(than time: Int64, _ tolerance: Int64) -> Bool {
    moved(by: -tolerance) > time
  }
}
