/// A record that was not compared, because it could not be read, or is of another kind than the others.
package struct UnreadRecord: Hashable, Sendable {
  /// The archive that has it.
  package var side: MissingEvent.Side
  /// Where it stands.
  package var place: RecordPlace
  /// V1's `notification_type`, or V2's type or type/subtype, as far as the record was read.
  package var type: String?
  /// The original transaction ids in it, five at most; `nil` where nothing of it was read.
  package var originalTransactionIds: [String]?
  /// Type and ids in words; it says where nothing was read.
  package var words: String
  /// One word for programs, such as `incomplete` or `wrongKind`.
  package var code: String
  /// The value at fault; empty for the record itself.
  package var path: String
  /// What was expected and what was found.
  package var message: String

  package init(
    side: MissingEvent.Side, place: RecordPlace, words: String, code: String, path: String = "", message: String
  ) {
    (self.side, self.place, self.words) = (side, place, words)
    (self.code, self.path, self.message) = (code, path, message)
  }
}

/// The records that were not compared: the first ones of each side.
///
/// `ParityResult.Pairs.rejected` counts all.
package struct UnreadRecords: Hashable, Sendable {
  /// So many of either side are listed; `--rejects` keeps all.
  package static let limit = 1000

  package var legacy: [UnreadRecord] = []
  package var server: [UnreadRecord] = []

  package init() {}

  package func records(_ side: MissingEvent.Side) -> [UnreadRecord] { side == .legacy ? legacy : server }

  /// Whether one more of a side would be listed.
  package func wants(_ side: MissingEvent.Side) -> Bool { records(side).count < Self.limit }

  package mutating func add(_ record: UnreadRecord) {
    guard wants(record.side) else { return }
    if record.side == .legacy { legacy.append(record) } else { server.append(record) }
  }
}
