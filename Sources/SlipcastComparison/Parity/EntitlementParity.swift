package import SlipcastMapping

/// Whether customers would have had access, according to V1 and according to V2.
///
/// Each pair is judged once, both sides as of the same time. Access is due while a period or its grace lasts, and not
/// after a refund or in billing retry.
package struct EntitlementParity: Hashable, Sendable {
  /// The time at which all pairs were judged, milliseconds since 1970 UTC; `nil`: each at its V2 signing date, or at the
  /// time of its event.
  package var asOf: Int64?
  /// Pairs in which both sides grant access.
  package var granted = 0
  /// Pairs in which neither does.
  package var denied = 0
  /// Pairs in which only V1 grants it: the switch would lock a customer out.
  package var legacyOnly = 0
  /// Pairs in which only V2 grants it: the switch would serve a customer who was not served.
  package var serverOnly = 0
  /// Pairs that differ, but so near to the end of a period or of its grace that both may be right.
  package var timeDependent = 0
  /// Of the pairs in which both grant access, those whose access ends earlier by V2.
  ///
  /// A date of its end is in conflict that no baseline accepts: the switch would lock a customer out later on.
  package var serverEndsEarlier = 0
  /// Of the pairs in which both grant access, those whose access ends later by V2, likewise.
  package var serverEndsLater = 0
  /// Pairs in which one side has too little data.
  package var unknown = 0
  /// Subscriptions and purchases with at least one conflict.
  package var subscriptions = 0
  /// Conflicts that a baseline accepts.
  package var accepted = 0
  /// Up to 20 conflicts.
  package var samples: [Sample] = []

  /// Pairs in which the two sides contradict each other.
  package var conflicts: Int { legacyOnly + serverOnly }

  /// Pairs that agree at the reference time, and not on when access ends.
  package var endingApart: Int { serverEndsEarlier + serverEndsLater }

  /// What one side says.
  package struct Access: Hashable, Sendable {
    /// Whether access is due.
    package var isGranted: Bool
    /// Why.
    package var reason: AccessReason
  }

  /// One pair in which they contradict each other.
  package struct Sample: Hashable, Sendable {
    /// Number of the record in the legacy archive, from 1.
    package var legacyRecord: Int
    /// Number of the record in the server archive, from 1.
    package var serverRecord: Int
    /// When both were judged, milliseconds since 1970 UTC.
    package var asOf: Int64
    /// What V1's side says.
    package var legacy: Access
    /// What V2's side says.
    package var server: Access
    /// One sentence for a person.
    package var explanation: String
    /// The place of the pair in `samplePairs`; `nil` when it is not among them.
    package var pair: Int?
    package var subject: PairSubject?
  }
}
