/// Which events have no counterpart, inside and outside of the time that both archives cover.
///
/// Only events that the other archive should have are counted: no companion messages, no duplicates, and no V2 events
/// that V1 never sends. An event counts inside when it, or its counterpart, is in the common span.
package struct ParityCoverage: Hashable, Sendable {
  /// The time that both archives cover, milliseconds since 1970 UTC; `nil` where they have none in common.
  package var common: ClosedRange<Int64>?
  /// True when all events of both archives count, because one of them has no event with a date.
  package var isUndated = false
  /// The events of the legacy archive.
  package var legacy = Side()
  /// The events of the server archive.
  package var server = Side()

  package init() {}

  /// There are events, and each has a counterpart.
  var isComplete: Bool { legacy.all.events + server.all.events > 0 && legacy.all.missing + server.all.missing == 0 }

  /// The events of one archive.
  package struct Side: Hashable, Sendable {
    /// Events inside the common span.
    package var inside = Count()
    /// All events, wherever they lie.
    package var all = Count()
    /// Events without a counterpart and without any date.
    package var undated = 0
    /// Events by type: V1's `notification_type`, or V2's type and subtype; sorted by name.
    package var types: [Kind] = []

    /// Events without a counterpart that have a date and lie outside of the common span.
    package var outside: Int { all.missing - inside.missing - undated }
  }

  /// A number of events.
  package struct Count: Hashable, Sendable {
    /// Events that the other archive should have.
    package var events = 0
    /// Those without a counterpart.
    package var missing = 0
  }

  /// The events of one type.
  package struct Kind: Hashable, Sendable {
    /// V1's `notification_type`, or V2's type and subtype.
    package var event: String
    /// Those inside the common span.
    package var inside = Count()
    /// All of them.
    package var all = Count()
  }

  /// The span that two archives have in common; between the two where they lie no more than a day apart, because the clocks
  /// of both sides and the dates that events go by differ.
  ///
  /// - Parameter tolerance: that day, in milliseconds.
  package static func common(
    _ one: ClosedRange<Int64>?, _ two: ClosedRange<Int64>?, tolerance: Int64
  ) -> ClosedRange<Int64>? {
    guard let one, let two else { return nil }
    let (start, end) = (max(one.lowerBound, two.lowerBound), min(one.upperBound, two.upperBound))
    if start <= end { return start...end }
    return start.distanceMagnitude(to: end) <= tolerance.magnitude ? end...start : nil
  }
}
