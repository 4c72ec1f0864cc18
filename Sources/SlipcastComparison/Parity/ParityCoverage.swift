/// Which events have no counterpart, inside and outside of the time that both archives cover.
///
/// Only events that the other archive should have are counted: no companion messages, no duplicates, and no V2 events
/// that V1 never sends. An event counts inside when every date of it, or of its counterpart, is in the common time less
/// the margin.
package struct ParityCoverage: Hashable, Sendable {
  /// The time that both archives cover; `nil` where no archive was read.
  package var time: CommonTime?
  /// The events of the legacy archive.
  package var legacy = Side()
  /// The events of the server archive.
  package var server = Side()

  package init() {}

  /// Each event has a counterpart.
  var isComplete: Bool { legacy.all.missing + server.all.missing == 0 }

  /// The events of one archive.
  package struct Side: Hashable, Sendable {
    /// Events that count: those inside the common time, or all.
    package var inside = Count()
    /// All events, wherever they lie.
    package var all = Count()
    /// Events without a counterpart and without any date.
    package var undated = 0
    /// Of a part of an archive: the time that the part covers, milliseconds since 1970 UTC.
    package var covers: ClosedRange<Int64>?
    /// Events by type: V1's `notification_type`, or V2's type and subtype; sorted by name.
    package var types: [Kind] = []

    /// Events without a counterpart that have a date and do not count.
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
    /// Those that count.
    package var inside = Count()
    /// All of them.
    package var all = Count()
  }
}
