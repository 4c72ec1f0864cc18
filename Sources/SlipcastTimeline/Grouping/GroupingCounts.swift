/// The counts of a grouping run.
package struct GroupingCounts: Hashable, Sendable {
  /// All events.
  package var read = 0
  /// Events that lead a group, including groups of one.
  package var leads = 0
  /// Events that another one absorbed.
  package var absorbed = 0
  /// Repeated events with the same id.
  package var duplicate = 0
  /// Lines that are not a decoded V2 notification.
  package var unreadable = 0
  /// Leads whose type or subtype their companions decided.
  package var reclassified = 0
  /// Leads that are companion messages without the message that they belong to.
  package var unmatched = 0
  /// Leads that may belong to another message, but whose time is unknown.
  package var untimed = 0

  package init() {}

  /// Every event is counted in exactly one of the four.
  package var addsUp: Bool { read == leads + absorbed + duplicate + unreadable }

  /// Adds the counts of another subscription.
  package static func += (left: inout GroupingCounts, right: GroupingCounts) {
    left.read += right.read
    left.leads += right.leads
    left.absorbed += right.absorbed
    left.duplicate += right.duplicate
    left.unreadable += right.unreadable
    left.reclassified += right.reclassified
    left.unmatched += right.unmatched
    left.untimed += right.untimed
  }

  mutating func add(_ group: EventGroup) {
    leads += 1
    absorbed += group.companions.count
    if group.isReclassified { reclassified += 1 }
    if group.isUnmatched { unmatched += 1 }
    if group.isUntimed { untimed += 1 }
  }
}
