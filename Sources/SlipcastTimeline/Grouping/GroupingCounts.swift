package struct GroupingCounts: Hashable, Sendable {
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

  package mutating func add(_ other: GroupingCounts) {
    read += other.read
    leads += other.leads
    absorbed += other.absorbed
    duplicate += other.duplicate
    unreadable += other.unreadable
    reclassified += other.reclassified
    unmatched += other.unmatched
    untimed += other.untimed
  }

  static func - (left: GroupingCounts, right: GroupingCounts) -> GroupingCounts {
    var rest = left
    rest.read -= right.read
    rest.leads -= right.leads
    rest.absorbed -= right.absorbed
    rest.duplicate -= right.duplicate
    rest.unreadable -= right.unreadable
    rest.reclassified -= right.reclassified
    rest.unmatched -= right.unmatched
    rest.untimed -= right.untimed
    return rest
  }

  mutating func add(_ group: EventGroup) {
    leads += 1
    absorbed += group.companions.count
    if group.isReclassified { reclassified += 1 }
    if group.isUnmatched { unmatched += 1 }
    if group.isUntimed { untimed += 1 }
  }
}
