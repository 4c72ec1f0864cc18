package import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastWire

/// The converted notifications of a run, which are then read subscription by subscription, each event once.
///
/// They are sorted in memory, and in a temporary file (`TMPDIR`) where they do not fit.
package final class EventSpill {
  private let items: SortedSpill
  private var numbers: [RecordOrigin: Int] = [:]
  /// Records that are no events.
  package private(set) var others = 0
  /// Events that came again, and those of them with other content; known once all were read.
  package private(set) var repeated: (duplicate: Int, differing: Int)?

  package init(in items: SortedSpill = SortedSpill()) { self.items = items }

  /// Events that went in.
  package var count: Int { items.count }

  /// Chooses the side that is read.
  package func choose(_ rule: StoreSideRule) -> ChosenSide {
    rule.choose { side in numbers[side == .v1 ? .v1 : .v2] ?? 0 }
  }

  func add(_ encoder: EventEncoder) throws {
    others += encoder.others
    var bytes: [UInt8] = []
    for item in encoder.items {
      bytes.removeAll(keepingCapacity: true)
      bytes += encoder.bytes[item.bytes]
      // Its place among all.
      bytes.append(bytesOf: UInt64(items.count + others + 1).littleEndian)
      try items.add(item.key.order, tail: item.key.tail, bytes.span)
      numbers[item.origin, default: 0] += 1
    }
  }

  /// Passes the events to a closure as `RecordStore.forEachNotification` describes.
  ///
  /// Of deliveries of one event, the first one in this order is passed on.
  ///
  /// - Parameter originalTransactionId: passes on only one subscription.
  /// - Throws: `FileError` when the disk is full, or the closure's error.
  package func forEachEvent(
    of side: StoreSide = .both, originalTransactionId: String? = nil, _ use: (StoredEvent) throws -> Void
  ) throws {
    var known: [KnownIDs.ID: Int64?] = [:]
    var current: StoredEvent.Subscription?
    var repeated = (duplicate: 0, differing: 0)
    try items.forEach { _, tail, bytes in
      let item = EventItem(bytes, after: tail)
      if item.event.subscription != current {
        current = item.event.subscription
        // One large subscription must not make all that follow it slow.
        known.removeAll(keepingCapacity: known.capacity < 4096)
      }
      if let first = known[item.id] {
        repeated.duplicate += 1
        if let first, let content = item.content, first != content { repeated.differing += 1 }
        return true
      }
      known[item.id] = .some(item.content)
      guard side == .both || side.rawValue == item.origin.rawValue,
        originalTransactionId.map({ $0 == item.event.originalTransactionId }) ?? true
      else { return true }
      try use(item.event)
      return true
    }
    self.repeated = repeated
  }
}

extension RunTarget {
  /// What only this process reads: the events of a run, sorted.
  package static func events(_ spill: EventSpill) -> RunTarget { RunTarget(.store(EventTarget(spill: spill))) }
}

// One thread writes, and others read only then.
private struct EventTarget: StoreTarget, @unchecked Sendable {
  let spill: EventSpill

  var name: MaskedName { .nothing }
  var keepsRuns: Bool { false }
  var holdsBothSides: Bool { false }
  // Nothing is final before the run has ended.
  var commitBytes: Int { .max }

  func open(_ now: Checkpoint, resumes: Bool) -> (sink: (any StoreSink)?, before: Checkpoint?) {
    (EventSink(spill: spill), nil)
  }

  func openLive(_ now: Checkpoint, of journal: String) -> (sink: any StoreSink, before: Checkpoint?) {
    (EventSink(spill: spill), nil)
  }

  func finished(_ now: Checkpoint) -> RunCounts? { nil }
}

/// Takes the events of a run, and nothing else of it: it is not resumed.
final class EventSink: StoreSink {
  private let spill: EventSpill

  init(spill: EventSpill) { self.spill = spill }

  func makeEncoder() -> any RecordEncoder { EventEncoder() }

  func write(_ encoder: any RecordEncoder, before: Int) throws -> StoreOutcome {
    var outcome = StoreOutcome()
    guard let encoder = encoder as? EventEncoder else { return outcome }
    try spill.add(encoder)
    outcome.stored = encoder.items.count + encoder.others
    return outcome
  }

  func flush() -> StoreOutcome { StoreOutcome() }
  func write(reject: Reject) {}
  func write(listed periods: [KeptPeriod]) {}
  func unite(listed periods: [KeptPeriod]) {}
  func write(events: [UInt8]) {}
  func forEachEvents(_ use: (StoredEvents) throws -> Void) {}
  func commit(_ checkpoint: [UInt8], counts: RunCounts) {}
  func finish(_ end: RunEnd, counts: RunCounts) {}
}
