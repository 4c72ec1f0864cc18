internal import SlipcastWire

/// A single missing event that a team has looked at, and accepts.
///
/// It names one event: it cannot accept any missing refund.
package struct KnownEvent: Hashable, Sendable {
  /// V2's type, or type/subtype.
  package var type: String
  package var originalTransactionId: String
  /// Milliseconds since 1970 UTC; `nil` for an event without a date.
  package var time: Int64?
  package var reason: String
  /// The last day on which it counts, `yyyy-MM-dd` UTC; `nil` when it does not end.
  package var until: String?

  package init(type: String, originalTransactionId: String, time: Int64?, reason: String, until: String?) {
    (self.type, self.originalTransactionId, self.time) = (type, originalTransactionId, time)
    (self.reason, self.until) = (reason, until)
  }

  /// What makes it the same as an event that is missing.
  package struct Identity: Hashable, Sendable {
    var type: String
    var originalTransactionId: String
    var time: Int64?
  }

  package var identity: Identity {
    Identity(type: type, originalTransactionId: originalTransactionId, time: time)
  }

  /// One line: `REFUND of 410000300102276 at 2024-06-30T10:00:00Z`.
  package var words: String {
    let moment = time.map { " at \(Timestamp(milliseconds: $0))" } ?? ""
    return "\(type) of \(originalTransactionId)\(moment)"
  }

  func isExpired(at now: Timestamp) -> Bool { until.map { now.isPast(day: $0) } ?? false }
}

extension MissingEvent {
  package var identity: KnownEvent.Identity {
    KnownEvent.Identity(type: type, originalTransactionId: subject.originalTransactionId ?? "", time: time)
  }
}

extension Timestamp {
  /// True when the whole day (`yyyy-MM-dd` UTC) is over.
  func isPast(day: String) -> Bool {
    Timestamp(day: day).map { milliseconds >= $0.milliseconds + 86_400_000 } ?? false
  }
}
