/// The time that two archives cover, and which events must have a counterpart.
package struct CommonTime: Hashable, Sendable {
  /// Which events count as missing where they have no counterpart.
  package enum Counted: Hashable, Sendable {
    /// All: one of the archives has no event with a date.
    case all
    /// Those that lie in this time, by every date that they have.
    case within(ClosedRange<Int64>)
    /// None can be judged: the archives have no common time.
    case none
  }

  /// The time that both archives cover, milliseconds since 1970 UTC; `nil` where they have none in common.
  package var common: ClosedRange<Int64>?
  /// What is taken off at each end, in milliseconds; 0 where that would leave nothing.
  package var margin: Int64 = 0
  /// Which events count.
  package var counted = Counted.none
  /// Both archives should cover the same time.
  package var isSameSpan = false

  /// - Parameters:
  ///   - tolerance: two archives that are no further apart have the time between them in common; in milliseconds.
  ///   - isSameSpan: both should cover the same time, so events outside of the common time count too.
  package init(
    _ one: ClosedRange<Int64>?, _ two: ClosedRange<Int64>?, tolerance: Int64, margin: Int64, isSameSpan: Bool = false
  ) {
    self.isSameSpan = isSameSpan
    guard let one, let two else {
      counted = .all
      return
    }
    let (start, end) = (max(one.lowerBound, two.lowerBound), min(one.upperBound, two.upperBound))
    if start <= end {
      common = start...end
    } else if start.distanceMagnitude(to: end) <= tolerance.magnitude {
      common = end...start
    }
    let whole = min(one.lowerBound, two.lowerBound)...max(one.upperBound, two.upperBound)
    guard let time = isSameSpan ? whole : common else { return }
    let inner = time.less(margin)
    self.margin = inner == nil ? 0 : margin
    counted = .within(inner ?? time)
  }

  /// The last moment of which both archives know everything: the end of the common time, less the margin where that leaves
  /// anything.
  package var end: Int64? { common.map { $0.less(margin)?.upperBound ?? $0.upperBound } }

  /// For tests and samples: so much is covered, and events of the whole time count.
  package init(common: ClosedRange<Int64>?) {
    self.common = common
    counted = common.map(Counted.within) ?? .none
  }

  /// Whether an event counts.
  ///
  /// - Parameters:
  ///   - times: from the earliest to the latest date that it may have happened at; `nil` for none.
  ///   - isRefund: a lost refund never passes, so one that may lie in the time counts.
  func counts(_ times: ClosedRange<Int64>?, isRefund: Bool = false) -> Bool {
    switch counted {
    case .all: return true
    case .none: return false
    case .within(let time):
      guard let times, !isRefund else { return times.map(time.overlaps) ?? isRefund }
      return time.contains(times.lowerBound) && time.contains(times.upperBound)
    }
  }
}

extension ClosedRange<Int64> {
  /// The range without so much at each end; `nil` where nothing is left.
  package func less(_ margin: Int64) -> ClosedRange<Int64>? {
    let (start, end) = (lowerBound.addingReportingOverflow(margin), upperBound.subtractingReportingOverflow(margin))
    guard !start.overflow, !end.overflow, start.partialValue <= end.partialValue else { return nil }
    return start.partialValue...end.partialValue
  }
}
