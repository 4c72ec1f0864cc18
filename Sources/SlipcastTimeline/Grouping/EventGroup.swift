package import SlipcastBulk
package import SlipcastMapping
package import SlipcastV2
internal import SlipcastWire

/// The messages of one action, and the one V2 event for it.
package struct EventGroup: Sendable {
  /// A message that the lead absorbed.
  package struct Companion: Sendable {
    package var event: StoredEvent
    /// The id that it had as a separate notification.
    package var notificationUUID: String?
    /// When it happened, in milliseconds since 1970 UTC.
    package var time: Int64?
    /// The id of the rule that joined it.
    package var rule: String
    /// It turns auto-renew on, or off; `nil` for one that does neither.
    package var turnsAutoRenewOn: Bool?
  }

  package enum TimeSource: String, CaseIterable, Sendable {
    /// V1 states when the event happened.
    case eventTime
    /// V1 does not; its row states when the message was received.
    case receivedAt
    /// Neither is known; the notification has a date of signing.
    case signedDate
    case unknown
  }

  /// The strongest message; the group's line is made of its line.
  package var lead: StoredEvent
  let shared: SharedFacts
  /// The content of the lead's line.
  package var facts: EventFacts { shared.value }
  /// The absorbed messages, in the order of their times.
  package var companions: [Companion]
  package var notificationType: String?
  package var subtype: String?
  /// The confidence of the event; `nil` for a line without `migration`.
  package var confidence: Confidence?
  /// All readings, when the messages together still leave more than one.
  package var candidates: [MigrationCandidate]
  /// The rule that decided: a grouping rule, or the lead's own.
  package var rule: String?
  /// When the event happened, in milliseconds since 1970 UTC.
  package var time: Int64?
  package var timeSource: TimeSource
  /// The id of the event before it, where its place is known and its time is not that of its dates.
  package var after: String?
  /// The companions changed the lead's reading.
  package var isReclassified: Bool
  /// The event that the lead is a companion message of, unless another message of the group reports it.
  package var absorbedInto: String?
  /// The lead is a companion message whose own lead is not in the archive.
  package var isUnmatched: Bool
  /// The lead might belong to another message, but has no time to decide this.
  package var isUntimed: Bool

  package var event: EventName? { notificationType.map { EventName(notificationType: $0, subtype: subtype) } }

  /// It is V2's notification as Apple sent it: what was converted from V1 names the rule that decided.
  package var isOfServer: Bool { facts.rule == nil && lead.notification_type == nil }

  /// Whether one of its readings is of that type.
  package func mayBe(_ type: NotificationType) -> Bool {
    if candidates.isEmpty { return notificationType == type.rawValue }
    return candidates.contains { $0.notificationType?.known == type }
  }
}
