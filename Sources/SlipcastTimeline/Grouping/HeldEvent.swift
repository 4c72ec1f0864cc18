internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2

/// An event that waits until no message can join it any more; a class, because events are compared all the time.
final class HeldEvent {
  typealias Joined = (held: HeldEvent, fit: PairFit)

  let event: StoredEvent
  let shared: SharedFacts
  var facts: EventFacts { shared.value }
  /// The sort key of events: the time, whatever its source, then the place in the store.
  ///
  /// An event without any date follows those of the purchase that it shows.
  let key: (time: Int64, undated: Int, place: Int64)
  /// It has its own date, of its signing or of its receipt.
  let isDated: Bool
  /// The time for grouping; `nil` when neither V1 nor the row has one.
  let time: Int64?
  /// The number of its V1 type; `nil` for types that are never merged.
  let type: Int?
  let rank: GroupingTable.Rank?
  /// The readings that it may have, and the one where it is certain; worked out once, for they are compared all the time.
  let readings: [EventName]
  let certainReading: EventName?
  /// It is about an upgraded period and not its refund.
  let isUpgraded: Bool
  let isSandbox: Bool
  let purchase: Int64?
  /// It turns auto-renew off, or is the companion message of an upgrade: only a later message can decide.
  let isUndecidedOff: Bool
  /// Other messages show that it reports its own event, not a part of another one.
  let isOwnEvent: Bool
  /// A later message shows that auto-renew stayed on: "off" came only from the companion message.
  var isProvenCompanion = false
  var joined: [Joined] = []

  init(_ event: StoredEvent, _ facts: EventFacts, table: GroupingTable) {
    self.event = event
    shared = SharedFacts(facts)
    purchase = facts.purchase
    isDated = event.eventTime ?? facts.signedDate ?? event.receivedAt != nil
    // Without any date it happened after the newest purchase that it shows.
    let time = event.eventTime ?? facts.signedDate ?? event.receivedAt ?? purchase ?? .max
    key = (time, isDated ? 0 : 1, event.place)
    self.time = event.eventTime ?? event.receivedAt
    type = table.number(of: event.notification_type)
    let (reading, readings) = (facts.certainReading, facts.readings)
    let isRefund = reading?.notificationType == NotificationType.refund.rawValue
    // A flat body does not mark the period; other messages settle that its cancellation belongs to an upgrade, perhaps with
    // an offer.
    let isCompanion =
      event.notification_type == PairFit.cancellation && !readings.isEmpty
      && readings.allSatisfy { $0.subtype == Subtype.upgrade.rawValue }
    isUpgraded = isCompanion || facts.transaction?.isUpgraded == true && !isRefund
    isSandbox = facts.environment == Environment.sandbox.rawValue
    rank = type.map { [isUpgraded] in table.rank(of: $0, isUpgraded: isUpgraded) }
    (self.readings, certainReading) = (readings, reading)
    isOwnEvent = certainReading != nil && facts.isSettled && facts.absorbedInto == nil
    isUndecidedOff =
      event.notification_type == PairFit.changeOfStatus && facts.candidates.count > 1
      && facts.turnsAutoRenewOn == false && readings.contains { $0.subtype == Subtype.upgrade.rawValue }
  }

  /// The message reports an event, and is not a companion.
  func tells(_ event: String) -> Bool { facts.absorbedInto == nil && facts.reading?.description == event }

  /// A lead absorbs one message of a type, save those that repeat it.
  func isFree(for companion: HeldEvent, _ fit: PairFit) -> Bool {
    if fit.rule.conditions.contains(.equal) { return true }
    if let name = companion.event.notification_type, facts.told.contains(name) { return false }
    return !joined.contains { $0.held.type == companion.type && !$0.fit.rule.conditions.contains(.equal) }
  }

  func distance(to other: HeldEvent) -> UInt64? {
    guard let time, let other = other.time else { return nil }
    return time < other ? UInt64(bitPattern: other &- time) : UInt64(bitPattern: time &- other)
  }
}
