internal import SlipcastWire

/// A single missing event that a team has looked at, and accepts.
///
/// It names one event: it cannot accept any missing refund. Without a side or a transaction, it accepts the event of either
/// side and of any transaction of the subscription at that time.
package struct KnownEvent: Hashable, Sendable {
  /// V2's type, or type/subtype.
  package var type: String
  /// The archive that has it.
  package var side: MissingEvent.Side?
  package var originalTransactionId: String
  package var transactionId: String?
  /// Milliseconds since 1970 UTC; `nil` for an event without a date.
  package var time: Int64?
  package var reason: String
  /// The last day on which it counts, `yyyy-MM-dd` UTC; `nil` when it does not end.
  package var until: String?

  package init(
    type: String, side: MissingEvent.Side? = nil, originalTransactionId: String, transactionId: String? = nil,
    time: Int64?, reason: String, until: String?
  ) {
    (self.type, self.side, self.time) = (type, side, time)
    (self.originalTransactionId, self.transactionId) = (originalTransactionId, transactionId)
    (self.reason, self.until) = (reason, until)
  }

  /// Accepts one missing event.
  package init(_ event: MissingEvent, reason: String, until: String?) {
    self.init(
      type: event.type, side: event.side, originalTransactionId: event.subject.originalTransactionId ?? "",
      transactionId: event.subject.transactionId, time: event.time, reason: reason, until: until)
  }

  /// What every entry states of its event.
  fileprivate struct Identity: Hashable {
    var type: String
    var originalTransactionId: String
    var time: Int64?
  }

  fileprivate var identity: Identity {
    Identity(type: type, originalTransactionId: originalTransactionId, time: time)
  }

  /// An entry that names a transaction does not accept an event that names none.
  func accepts(_ event: KnownEvent) -> Bool {
    identity == event.identity && (side == nil || side == event.side)
      && (transactionId == nil || transactionId == event.transactionId)
  }

  /// How much more than every entry it states.
  fileprivate var detail: Int { (side == nil ? 0 : 1) + (transactionId == nil ? 0 : 1) }

  /// One line, with the id of the subscription: `REFUND of 410000300102276 at 2024-06-30T10:00:00Z`.
  package var words: String {
    let moment = time.map { " at \(Timestamp(milliseconds: $0))" } ?? ""
    return "\(type) of \(originalTransactionId)\(moment)"
  }

  func isExpired(at now: Timestamp) -> Bool { until.map { now.isPast(day: $0) } ?? false }
}

/// Entries that accept missing events; each accepts one.
package struct KnownEventPool {
  /// Those that state least come first.
  private var entries: [KnownEvent.Identity: [KnownEvent]]

  package init(_ events: [KnownEvent]) {
    entries = Dictionary(grouping: events, by: \.identity).mapValues { events in
      events.sorted { $0.detail < $1.detail }
    }
  }

  /// Takes the entry that accepts an event and states most of it; `nil` when none accepts it.
  package mutating func take(for event: MissingEvent) -> KnownEvent? {
    let known = KnownEvent(event, reason: "", until: nil)
    guard let place = entries[known.identity]?.lastIndex(where: { $0.accepts(known) }) else { return nil }
    return entries[known.identity]?.remove(at: place)
  }
}

extension Timestamp {
  /// True when the whole day (`yyyy-MM-dd` UTC) is over.
  func isPast(day: String) -> Bool {
    Timestamp(day: day).map { milliseconds >= $0.milliseconds + 86_400_000 } ?? false
  }
}
