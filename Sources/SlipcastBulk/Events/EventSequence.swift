package import SlipcastMapping
package import SlipcastSystem

/// Separates repeated deliveries of a message from separate events, across a whole archive.
///
/// Messages arrive in archive order, whatever the number of workers. A message without its own time repeats an earlier
/// one with an equal key only if no message of its subscription with another renewal state is between the two, and,
/// where both received times are known, if they are at most the redelivery window apart. A request repeats one with
/// equal content inside that window; without received times it is a new one.
///
/// "Between" is decided by received time, and by archive order for messages without one. Archives need not be sorted:
/// the sequence remembers when each state was seen. A late message that belongs between two messages that were treated
/// as one comes too late to separate them; `Outcome.liesBetween` reports this.
///
/// Only subscriptions that have a message without a time are remembered, from that message on: 64 bytes per
/// subscription for two sightings of states, 64 for each three more (at most 32), and 64 bytes per event. More than
/// `memory` bytes are kept in a temporary file (`SlotTable`).
package final class EventSequence {
  package struct Outcome: Hashable, Sendable {
    /// The number of earlier separate events with the key: the message repeats, or is, the event of that number.
    package var ordinal = 0
    package var isDuplicate = false
    /// It belongs between two messages that were treated as one.
    package var liesBetween = false
    /// It was taken for the same message of an earlier run.
    package var isOfEarlierRun = false
  }

  private struct Sighting {
    var at: Int64
    var state: UInt64
  }

  private let table: SlotTable
  private let earlier: EarlierMessages
  private let windows: RepeatWindows
  private let identity = OrdinalIdentity()
  private var sightings: [Sighting] = []
  /// The maximum number of sightings of one subscription, or of events with one key, that are searched.
  private static let most = 32
  /// Received times are milliseconds; messages of one millisecond keep their order in this many steps.
  private static let steps: Int64 = 1024

  /// - Parameters:
  ///   - windows: how far apart deliveries of one message may be.
  ///   - memory: the maximum number of bytes in memory.
  package init(_ windows: RepeatWindows, memory: Int = 32 << 20) {
    self.windows = windows
    table = SlotTable(memory: memory)
    earlier = EarlierMessages(memory: memory)
  }

  /// The messages that follow are those of the next run into the same store.
  ///
  /// A run that reads the same message again adds no event: it has the same received time, or none in either run.
  package func beginRun() { earlier.beginRun() }

  package func removeAll() { table.removeAll() }

  /// A message changes the sequence, or is changed by it.
  package func concerns(_ trace: EventTrace) -> Bool {
    if trace.kind != .dated { return true }
    return trace.state != 0 && table.count > 0 && table.find(Self.key(trace.subscription, 1)) != nil
  }

  package func id(_ trace: EventTrace, ordinal: Int) -> KnownIDs.ID {
    let (high, low) = identity.id((trace.high, trace.low), ordinal: ordinal)
    return KnownIDs.ID(high: high, low: low)
  }

  package func settle(_ trace: EventTrace) throws(FileError) -> Outcome {
    guard concerns(trace) else { return Outcome() }
    if let ordinal = earlier.ordinal(of: trace) {
      return Outcome(ordinal: ordinal, isDuplicate: true, isOfEarlierRun: true)
    }
    return try decide(trace)
  }

  /// Takes a message of an earlier run, which a later one may read again.
  package func recall(_ trace: EventTrace) throws(FileError) {
    let outcome = try settle(trace)
    if !outcome.isOfEarlierRun { try earlier.add(trace, ordinal: outcome.ordinal) }
  }

  private func decide(_ trace: EventTrace) throws(FileError) -> Outcome {
    if trace.kind.needsContent { return try settle(request: trace) }
    load(trace.subscription)
    let at = position(trace)
    let liesBetween = trace.state != 0 && isBetweenMerged(trace, at)
    if trace.state != 0 { try note(trace, at) }
    guard trace.kind == .undated else { return Outcome(liesBetween: liesBetween) }
    var outcome = try settle(undated: trace, at)
    outcome.liesBetween = liesBetween
    return outcome
  }

  // MARK: events

  private func settle(undated trace: EventTrace, _ at: Int64) throws(FileError) -> Outcome {
    let count = eventCount(trace)
    for ordinal in (max(0, count - Self.most)..<count).reversed() {
      guard let slot = table.find(Self.key(trace, ordinal)) else { continue }
      let (first, last, isTimed) = (slot.pointee.values.0, slot.pointee.values.1, slot.pointee.values.2 != 0)
      if isTimed, trace.receivedAt != nil, !isNear(trace, from: first, to: last, at) { continue }
      let gap = at > last ? (last, at) : at < first ? (at, first) : (at, at)
      // A message without a renewal state cannot be compared with another state.
      let isParted = sightings.contains { $0.state != trace.state && $0.at > gap.0 && $0.at < gap.1 }
      if isParted, trace.state != 0 { continue }
      (slot.pointee.values.0, slot.pointee.values.1) = (min(first, at), max(last, at))
      if trace.receivedAt == nil { slot.pointee.values.2 = 0 }
      try noteMerged(trace, min(first, at), max(last, at))
      return Outcome(ordinal: ordinal, isDuplicate: true)
    }
    return try add(trace, at, count)
  }

  private func settle(request trace: EventTrace) throws(FileError) -> Outcome {
    let count = eventCount(trace)
    let at = Self.scaled(trace.receivedAt ?? 0)
    for ordinal in (max(0, count - Self.most)..<count).reversed() where trace.receivedAt != nil {
      guard let slot = table.find(Self.key(trace, ordinal)) else { continue }
      let (first, last, isTimed) = (slot.pointee.values.0, slot.pointee.values.1, slot.pointee.values.2 != 0)
      guard isTimed, UInt64(bitPattern: slot.pointee.values.4) == trace.content,
        isNear(trace, from: first, to: last, at)
      else {
        continue
      }
      if trace.kind == .retried, isTooSoon(trace, first, at) || isTooSoon(trace, last, at) { continue }
      (slot.pointee.values.0, slot.pointee.values.1) = (min(first, at), max(last, at))
      return Outcome(ordinal: ordinal, isDuplicate: true)
    }
    return try add(trace, at, count)
  }

  /// Two times at which Apple does not send one message: different ones, and sooner than its first retry.
  private func isTooSoon(_ trace: EventTrace, _ one: Int64, _ other: Int64) -> Bool {
    let apart = abs(one / Self.steps - other / Self.steps)
    return apart > 0 && apart < windows.lengths(isSandbox: trace.isSandbox).firstRetry
  }

  private func add(_ trace: EventTrace, _ at: Int64, _ count: Int) throws(FileError) -> Outcome {
    let slot = try table.slot(Self.key(trace, count))
    slot.pointee.values = (at, at, trace.receivedAt == nil ? 0 : 1, 0, Int64(bitPattern: trace.content), 0)
    // The first event of a key also stores their number.
    try table.slot(Self.key(trace, 0)).pointee.values.3 = Int64(count + 1)
    return Outcome(ordinal: count)
  }

  private func eventCount(_ trace: EventTrace) -> Int {
    Int(table.find(Self.key(trace, 0))?.pointee.values.3 ?? 0)
  }

  private func isNear(_ trace: EventTrace, from first: Int64, to last: Int64, _ at: Int64) -> Bool {
    max(last, at) / Self.steps - min(first, at) / Self.steps
      <= windows.lengths(isSandbox: trace.isSandbox).delivery
  }

  // MARK: states

  private func position(_ trace: EventTrace) -> Int64 {
    guard let received = trace.receivedAt else {
      // After all earlier ones.
      return (sightings.last?.at ?? 0) + 1
    }
    let start = Self.scaled(received)
    let end = start + Self.steps - 1
    // Of messages with one received time, the later in the archive is the later one.
    let same = sightings.last { $0.at >= start && $0.at <= end }
    return min(same.map { $0.at + 1 } ?? start, end)
  }

  private static func scaled(_ received: Int64) -> Int64 {
    let limit = Int64.max / (4 * steps)
    return max(-limit, min(limit, received)) * steps
  }

  /// Notes the state of a message; of a run of sightings of one state the first and the last are enough.
  private func note(_ trace: EventTrace, _ at: Int64) throws(FileError) {
    let place = sightings.lastIndex { $0.at <= at }.map { $0 + 1 } ?? 0
    sightings.insert(Sighting(at: at, state: trace.state), at: place)
    for index in [place + 1, place, place - 1] where index > 0 && index + 1 < sightings.count {
      let state = sightings[index].state
      if sightings[index - 1].state == state, sightings[index + 1].state == state { sightings.remove(at: index) }
    }
    if sightings.count > Self.most {
      // The one farthest from now.
      let isFirst = at - (sightings.first?.at ?? at) >= (sightings.last?.at ?? at) - at
      if isFirst { sightings.removeFirst() } else { sightings.removeLast() }
    }
    try save(trace.subscription)
  }

  private func noteMerged(_ trace: EventTrace, _ first: Int64, _ last: Int64) throws(FileError) {
    let slot = try table.slot(Self.key(trace.subscription, 0xFFFF))
    slot.pointee.values = (first, last, Int64(bitPattern: trace.state), 0, 0, 0)
  }

  private func isBetweenMerged(_ trace: EventTrace, _ at: Int64) -> Bool {
    guard let slot = table.find(Self.key(trace.subscription, 0xFFFF)) else { return false }
    let merged = slot.pointee.values
    return UInt64(bitPattern: merged.2) != trace.state && at > merged.0 && at < merged.1
  }

  // MARK: slots

  /// Reads the sightings of a subscription: two are in its first slot, three in each further one.
  private func load(_ subscription: UInt64) {
    sightings.removeAll(keepingCapacity: true)
    guard let head = table.find(Self.key(subscription, 1)) else { return }
    let values = head.pointee.values
    let count = Int(values.0)
    func add(_ at: Int64, _ state: Int64) {
      if sightings.count < count { sightings.append(Sighting(at: at, state: UInt64(bitPattern: state))) }
    }
    add(values.1, values.2)
    add(values.3, values.4)
    var next: UInt64 = 2
    while sightings.count < count, let slot = table.find(Self.key(subscription, next)) {
      let values = slot.pointee.values
      add(values.0, values.1)
      add(values.2, values.3)
      add(values.4, values.5)
      next += 1
    }
  }

  private func save(_ subscription: UInt64) throws(FileError) {
    func value(_ index: Int) -> (Int64, Int64) {
      guard index < sightings.count else { return (0, 0) }
      return (sightings[index].at, Int64(bitPattern: sightings[index].state))
    }
    let (one, two) = (value(0), value(1))
    let head = try table.slot(Self.key(subscription, 1))
    head.pointee.values = (Int64(sightings.count), one.0, one.1, two.0, two.1, 0)
    var (index, next) = (2, UInt64(2))
    while index < sightings.count {
      let (one, two, three) = (value(index), value(index + 1), value(index + 2))
      let slot = try table.slot(Self.key(subscription, next))
      slot.pointee.values = (one.0, one.1, two.0, two.1, three.0, three.1)
      (index, next) = (index + 3, next + 1)
    }
  }

  private static func key(_ subscription: UInt64, _ part: UInt64) -> SlotTable.Key {
    SlotTable.Key(high: subscription, low: part)
  }

  private static func key(_ trace: EventTrace, _ ordinal: Int) -> SlotTable.Key {
    SlotTable.Key(high: trace.high, low: trace.low &+ UInt64(ordinal) &* 0x9E37_79B9_7F4A_7C15)
  }
}
