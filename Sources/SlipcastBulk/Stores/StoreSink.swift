/// Turns the lines of one block after another into what a store writes; one encoder serves one worker.
///
/// All costly work on a record (reading its line, laying out its columns) is done here, side by side; what is left to the
/// store is to write.
package protocol RecordEncoder: AnyObject, SendableMetatype {
  /// Forgets the block before.
  func begin()
  /// Takes the next record of the block.
  ///
  /// - Parameters:
  ///   - line: a decoded V2 object (a notification, a history or statuses), without its line feed; gone after the call.
  ///     At least 64 readable bytes follow it, as simdjson demands.
  ///   - note: what is known beside it; its record number still counts from the block's start.
  func encode(_ line: UnsafeBufferPointer<UInt8>, _ note: RecordNote)
}

/// What a store made of the records of one block.
package struct StoreOutcome: Hashable, Sendable {
  /// Records that are in the store now.
  package var stored = 0
  /// Records that the store had before; they were dropped.
  package var duplicate = 0
  /// Records that the store refused, each with the reason; numbers as in the encoder's notes.
  package var refused: [Refused] = []

  /// A record that the store refused.
  package struct Refused: Hashable, Sendable {
    /// The number of the record, as in its note.
    package var record: Int
    /// One word for programs, such as `valueNotStorable`.
    package var code: String
    /// What the database says, without values of the record.
    package var message: String

    package init(record: Int, code: String, message: String) {
      (self.record, self.code, self.message) = (record, code, message)
    }
  }

  package init() {}
}

/// A database that records go to.
///
/// Blocks come in their order; all that came since the last commit is written with the next one, or not at all.
package protocol StoreSink: AnyObject {
  /// Makes the encoder of one worker.
  func makeEncoder() -> any RecordEncoder
  /// Writes the records of a block.
  ///
  /// - Parameters:
  ///   - encoder: one of this store's own, filled.
  ///   - before: records of the same source in earlier blocks, to be added to the notes' numbers.
  /// - Throws: a `StoreError` when the database is not there any more.
  func write(_ encoder: any RecordEncoder, before: Int) throws -> StoreOutcome
  /// Keeps a record that nothing came of.
  func write(reject: Reject) throws
  /// Makes all that was written final, the checkpoint and the counts of the run with it, in one transaction.
  func commit(_ checkpoint: [UInt8], counts: RunCounts) throws
  /// Marks the run as ended and lets go of it.
  func finish(_ end: RunEnd, counts: RunCounts) throws
}
