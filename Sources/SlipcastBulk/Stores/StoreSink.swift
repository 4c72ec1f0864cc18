package import SlipcastMapping
package import SlipcastV2

/// Turns the conversions of one block after another into what a store writes; one encoder serves one worker.
///
/// All costly work on a record (laying out its columns) is done here, side by side; what is left to the store is to write.
package protocol RecordEncoder: AnyObject, SendableMetatype {
  /// Forgets the block before.
  func begin()
  /// Takes the next record of the block.
  ///
  /// - Parameters:
  ///   - record: its V2 objects and their line; gone after the call.
  ///   - note: what is known beside it; its record number still counts from the block's start.
  func encode(_ record: EncodedRecord, _ note: RecordNote)
  /// Gives a notification of the block another id.
  ///
  /// - Parameter record: its number, counted from the block's start.
  func rename(record: Int, to id: KnownIDs.ID)
}

/// A converted record on its way into a store.
package struct EncodedRecord {
  /// Its decoded V2 line, without its line feed.
  package let line: UnsafeBufferPointer<UInt8>
  /// Its V2 objects.
  package let tree: ConversionTree
  /// Slipcast's own account, where the line has one.
  package let migration: Migration?
}

/// What a store made of records; they may be those of earlier blocks, because stores write many blocks at once.
package struct StoreOutcome: Hashable, Sendable {
  /// Records that are in the store now.
  package var stored = 0
  /// Records that the store had before; they were dropped.
  package var duplicate = 0
  /// Those of them whose content differs from that of the record in the store, which has a finding of it.
  package var differing = 0
  /// Records that the store refused, each with the reason.
  package var refused: [Refused] = []

  /// A record that the store refused.
  package struct Refused: Hashable, Sendable {
    /// The source that the record came from.
    package var source: String
    /// Its number in the source, from 1.
    package var record: Int
    /// One word for programs, such as `valueNotStorable`.
    package var code: String
    /// What the database says, without values of the record.
    package var message: String
    /// The V2 line that the store did not take.
    package var line: [UInt8]

    package init(source: String, record: Int, code: String, message: String, line: [UInt8]) {
      (self.source, self.record, self.code, self.message, self.line) = (source, record, code, message, line)
    }
  }

  package init() {}

  /// Adds what became of other records.
  package mutating func add(_ other: StoreOutcome) {
    stored += other.stored
    duplicate += other.duplicate
    differing += other.differing
    refused += other.refused
  }
}

/// A database that records go to.
///
/// Blocks come in their order; all that came since the last commit is written with the next one, or not at all.
package protocol StoreSink: AnyObject {
  /// Makes the encoder of one worker.
  func makeEncoder() -> any RecordEncoder
  /// Takes the records of a block, and writes them when enough have come.
  ///
  /// - Parameters:
  ///   - encoder: one of this store's own, filled.
  ///   - before: records of the same source in earlier blocks, to be added to the notes' numbers.
  /// - Returns: what is known by now of these and of earlier records; each record is told once.
  /// - Throws: a `StoreError` when the database is not there any more.
  func write(_ encoder: any RecordEncoder, before: Int) throws -> StoreOutcome
  /// Writes what was taken and not yet written, and tells what became of it; to be called before `commit` and `finish`.
  func flush() throws -> StoreOutcome
  /// Keeps a record that nothing came of.
  func write(reject: Reject) throws
  /// Keeps what a run that goes on must know of the events so far, until the run is finished.
  func write(events: [UInt8]) throws
  /// Hands out what the interrupted run kept of events, in its order.
  func forEachEvents(_ use: ([UInt8]) throws -> Void) throws
  /// Makes all that was written final, the checkpoint and the counts of the run with it, in one transaction.
  func commit(_ checkpoint: [UInt8], counts: RunCounts) throws
  /// Marks the run as ended and lets go of it.
  ///
  /// What came since the last commit is kept; a run that is to be resumed is committed first.
  func finish(_ end: RunEnd, counts: RunCounts) throws
}
