package import SlipcastMapping

/// Which side of a migration a record of a store is of.
package enum RecordOrigin: String, CaseIterable, Sendable {
  /// Slipcast converted it from version 1.
  case v1
  /// Apple made it, in version 2.
  case v2
}

/// Facts about a converted record besides its V2 line; stores keep them in columns.
package struct RecordNote: Sendable {
  package var origin = RecordOrigin.v1
  /// What an answer is, where its form does not say it: `parts` for a transaction or a renewal info by itself.
  package var kind: String?
  package var source = ""
  /// Its number in the source, from 1.
  package var record = 0
  /// The row's own id, if requested.
  package var id: String?
  /// V1's type of the event; `nil` for receipts.
  package var notification_type: String?
  /// When the event happened, according to V1; milliseconds since 1970 UTC.
  package var eventTime: Int64?
  /// When the record was received, according to its row; milliseconds since 1970 UTC.
  package var receivedAt: Int64?
  /// A digest of the content (of V1's where it is converted), to detect a record with the same id and other content; `nil` if absent.
  package var content: Int64?
  /// The findings, each code once.
  package var findings: [RepeatedFinding] = []

  package init() {}
}
