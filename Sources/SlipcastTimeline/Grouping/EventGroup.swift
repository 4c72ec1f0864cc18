package import SlipcastBulk
package import SlipcastMapping
package import SlipcastV2
internal import SlipcastWire

/// The messages that tell one action, and the one event that they are in V2.
package struct EventGroup: Sendable {
  /// A message that the lead absorbed.
  package struct Companion: Sendable {
    /// The message.
    package var event: StoredEvent
    /// The id that it had as a notification of its own.
    package var notificationUUID: String?
    /// When it happened, in milliseconds since 1970 UTC.
    package var time: Int64?
    /// The id of the rule that joined it.
    package var rule: String
  }

  /// Where the time of an event comes from.
  package enum TimeSource: String, Sendable {
    /// V1 tells when the event happened.
    case eventTime
    /// V1 does not; its row tells when the message was received.
    case receivedAt
    /// Neither is known; the notification has a date of signing.
    case signedDate
    /// Nothing is known.
    case unknown
  }

  /// The strongest message; the group's line is made of its line.
  package var lead: StoredEvent
  /// What the lead's line says.
  package var facts: EventFacts
  /// The absorbed messages, in the order of their times.
  package var companions: [Companion]
  /// The type of the event.
  package var notificationType: String?
  /// The subtype of the event.
  package var subtype: String?
  /// How well the event is known; `nil` for a line without `migration`.
  package var confidence: RuleConfidence?
  /// All readings, when the messages together still leave more than one.
  package var candidates: [MigrationCandidate]
  /// The rule that decided: one of grouping, or the lead's own.
  package var rule: String?
  /// When the event happened, in milliseconds since 1970 UTC.
  package var time: Int64?
  /// Where `time` comes from.
  package var timeSource: TimeSource
  /// The companions changed what the lead says by itself.
  package var isReclassified: Bool
  /// The lead is a companion message whose own lead is not in the archive.
  package var isUnmatched: Bool
  /// The lead might belong to another message, but no time tells.
  package var isUntimed: Bool

  /// Type and subtype.
  package var event: EventName? { notificationType.map { EventName(notificationType: $0, subtype: subtype) } }

  /// The event is, or may be, of that type.
  func mayBe(_ type: NotificationType) -> Bool {
    if candidates.isEmpty { return notificationType == type.rawValue }
    return candidates.contains { $0.notificationType?.known == type }
  }
}
