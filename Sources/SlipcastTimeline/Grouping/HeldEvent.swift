internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2

/// An event that waits until no message can join it any more; a class, because events are compared all the time.
final class HeldEvent {
  /// An event that another one has absorbed.
  struct Joined {
    let event: StoredEvent
    let facts: EventFacts
    let time: Int64?
    let type: Int?
    let fit: PairFit
  }

  let event: StoredEvent
  let facts: EventFacts
  /// The place in the order of events: its time, however known, then its place in the store.
  let key: (time: Int64, place: Int64)
  /// The time by which it is grouped; `nil` when V1 tells none and the row neither.
  let time: Int64?
  /// The number of its V1 type; `nil` for types that stand alone.
  let type: Int?
  let rank: GroupingTable.Rank?
  /// The readings that it may have, and the one where it is certain; worked out once, for they are compared all the time.
  let readings: [EventName]
  let certainReading: EventName?
  let isUpgraded: Bool
  /// What it has absorbed so far.
  var joined: [Joined] = []

  init(_ event: StoredEvent, _ facts: EventFacts, newest: Int64?, table: GroupingTable) {
    self.event = event
    self.facts = facts
    key = (event.eventTime ?? facts.signedDate ?? event.receivedAt ?? newest ?? 0, event.place)
    time = event.eventTime ?? event.receivedAt
    type = table.number(of: event.notification_type)
    isUpgraded = facts.transaction?.isUpgraded == true
    rank = type.map { [isUpgraded] in table.rank(of: $0, isUpgraded: isUpgraded) }
    (readings, certainReading) = (facts.readings, facts.certainReading)
  }

  /// A lead absorbs one message of a type, save those that repeat it.
  func isFree(for companion: HeldEvent, _ fit: PairFit) -> Bool {
    if fit.rule.conditions.contains(.equal) { return true }
    if let name = companion.event.notification_type, facts.told.contains(name) { return false }
    return !joined.contains { $0.type == companion.type && !$0.fit.rule.conditions.contains(.equal) }
  }

  /// Milliseconds between the two; `nil` when one has no time.
  func distance(to other: HeldEvent) -> UInt64? {
    guard let time, let other = other.time else { return nil }
    return time < other ? UInt64(bitPattern: other &- time) : UInt64(bitPattern: time &- other)
  }
}
