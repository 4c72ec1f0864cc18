package import SlipcastMapping

/// What is known of a converted record beside its V2 line; stores keep it in columns of their own.
package struct RecordNote: Sendable {
  /// The source that the record came from.
  package var source = ""
  /// Its number in the source, from 1.
  package var record = 0
  /// The row's own id, where one was asked for.
  package var id: String?
  /// V1's type of the event; `nil` for receipts.
  package var notification_type: String?
  /// When the event happened, as V1 tells it; milliseconds since 1970 UTC.
  package var eventTime: Int64?
  /// When the record was received, as its row tells it; milliseconds since 1970 UTC.
  package var receivedAt: Int64?
  /// A digest of the legacy content, to know a record that has the same id and says something else; `nil` where there is
  /// none.
  package var content: Int64?
  /// What a person should know, each code once.
  package var findings: [RepeatedFinding] = []

  /// Nothing known yet.
  package init() {}
}
