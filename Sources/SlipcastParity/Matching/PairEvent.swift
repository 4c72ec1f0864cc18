internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastWire

/// An event that looks for its counterpart; a class, because it is handed around for every counterpart that it may have.
final class PairEvent {
  let image: [UInt8]
  private(set) var head: EventHead
  let keys: EventKeys
  /// When it happened, as well as it is known, milliseconds since 1970 UTC.
  let time: Int64?
  /// V1's time is that of the period, which the line item already identifies.
  let isTimedByPeriod: Bool
  /// It states the time of the event itself.
  let isDated: Bool
  /// It says what it is about.
  let hasPayload: Bool

  init(_ image: Span<UInt8>, _ side: RecordView) {
    self.image = Array(image)
    head = side.head
    keys = EventKeys(side)
    time = side.head.time
    hasPayload = side.hasPayload
    // A cast made earlier does not say where its time comes from.
    let isPeriodTime = time != nil && [keys.purchaseDate, keys.expiresDate].contains(time)
    isTimedByPeriod = head.origin == .legacy ? head.isTimedByPeriod : isPeriodTime
    isDated = !isTimedByPeriod && (head.origin != .legacy || head.kind == .dated)
  }

  /// Gives a later event of a key the id that converting it gives.
  func rename(to high: UInt64, _ low: UInt64) { head.id = (high, low) }
}

/// The events of one subscription or purchase, or those that share another name.
struct EventPartition {
  var legacy: [PairEvent] = []
  var server: [PairEvent] = []
  private(set) var bytes = 0

  /// More than this is dealt with in parts: honest subscriptions are far smaller.
  var isFull: Bool { legacy.count + server.count >= 8192 || bytes > 64 << 20 }

  mutating func add(_ event: PairEvent, isLegacy: Bool) {
    bytes += event.image.count
    if isLegacy { legacy.append(event) } else { server.append(event) }
  }

  mutating func clear() {
    legacy.removeAll(keepingCapacity: true)
    server.removeAll(keepingCapacity: true)
    bytes = 0
  }
}
