package import SlipcastMapping
package import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

/// Converts the conversions of one block after another to rows of a store; one encoder per worker.
///
/// All expensive work on a record (laying out its columns) happens here, in parallel; the store only writes.
package protocol RecordEncoder: AnyObject, SendableMetatype {
  /// The store keeps the findings, the reading and the objects of a record with its line.
  var holdsParts: Bool { get }
  func begin()
  /// Adds the next record of the block.
  ///
  /// - Parameters:
  ///   - record: its V2 objects and their line; valid only during the call.
  ///   - note: the other facts about it; its record number still counts from the block's start.
  /// - Returns: why the store cannot hold the record, which is then not added.
  func encode(_ record: EncodedRecord, _ note: RecordNote) -> StoreRefusal?
  /// Gives a notification of the block another id.
  ///
  /// - Parameter record: its number, counted from the block's start.
  func rename(record: Int, to id: KnownIDs.ID)
  /// Adds a finding to a record of the block.
  ///
  /// - Parameter record: its number, counted from the block's start.
  func add(_ finding: RepeatedFinding, toRecord record: Int)
}

/// What a run stored about events.
package struct StoredEvents {
  package var bytes: [UInt8]
  /// The number of the run.
  package var run: Int64
  /// The run is the one that is resumed.
  package var isOwn: Bool

  package init(bytes: [UInt8], run: Int64, isOwn: Bool) { (self.bytes, self.run, self.isOwn) = (bytes, run, isOwn) }
}

/// Why a store cannot hold a record.
package struct StoreRefusal: Hashable, Sendable {
  /// What it cannot hold, without values of the record.
  package var message: String
  /// The legacy value at fault, as its place on the tape; 0 for the record itself.
  package var source: Int

  package init(message: String, source: Int = 0) { (self.message, self.source) = (message, source) }
}

/// A converted record on its way into a store.
package struct EncodedRecord {
  /// Its decoded V2 line, without its line feed.
  package let line: JSONText
  package let tree: EventRecord
  /// The member `migration`, where the line has one.
  package let migration: Migration?
  /// The legacy record that it was made of, without its secret; `nil` where it is not kept.
  package var body: JSONText?

  package init(line: JSONText, tree: EventRecord, migration: Migration?, body: JSONText? = nil) {
    (self.line, self.tree, self.migration, self.body) = (line, tree, migration, body)
  }
}

/// A store's results for records, possibly of earlier blocks, because stores write many blocks at once.
package struct StoreOutcome: Hashable, Sendable {
  /// Records that are in the store now.
  package var stored = 0
  /// Records that the store had before; they were dropped.
  package var duplicate = 0
  /// Duplicates whose content differs from the stored record, which gets a finding.
  package var differing = 0
  /// Records that the store rejected, each with the reason.
  package var refused: [Refused] = []

  package struct Refused: Hashable, Sendable {
    package var source: String
    /// Its number in the source, from 1.
    package var record: Int
    /// The database's message, without values of the record.
    package var message: String
    /// The V2 line that the store rejected.
    package var line: [UInt8]

    package init(source: String, record: Int, message: String, line: [UInt8]) {
      (self.source, self.record, self.message, self.line) = (source, record, message, line)
    }
  }

  package init() {}

  package mutating func add(_ other: StoreOutcome) {
    stored += other.stored
    duplicate += other.duplicate
    differing += other.differing
    refused += other.refused
  }
}

/// A database as the target of records.
///
/// Blocks arrive in order; everything since the last commit is written with the next one, or not at all.
package protocol StoreSink: AnyObject {
  func makeEncoder() -> any RecordEncoder
  /// Adds the records of a block, and writes them when there are enough.
  ///
  /// - Parameters:
  ///   - encoder: one of this store's own, filled.
  ///   - before: records of the same source in earlier blocks, to be added to the notes' numbers.
  /// - Returns: the results so far for these and earlier records; each record is reported once.
  func write(_ encoder: any RecordEncoder, before: Int) throws -> StoreOutcome
  /// Writes the waiting records and returns their results; call it before `commit` and `finish`.
  func flush() throws -> StoreOutcome
  func write(reject: Reject) throws
  /// Keeps what the lists of the run's messages show of periods; call it before the first record.
  func write(listed periods: [KeptPeriod]) throws
  /// Unites what the run keeps of subscriptions with what the lists of further messages show.
  func unite(listed periods: [KeptPeriod]) throws
  /// Stores what a resumed run, and later runs, need of the events so far.
  func write(events: [UInt8]) throws
  /// Returns what runs stored about events, run by run, in their order.
  func forEachEvents(_ use: (StoredEvents) throws -> Void) throws
  /// Commits everything, with the checkpoint and the counts of the run, in one transaction.
  func commit(_ checkpoint: [UInt8], counts: RunCounts) throws
  /// Marks the run as ended and releases it.
  ///
  /// Records since the last commit are kept; a run that will be resumed is committed first.
  func finish(_ end: RunEnd, counts: RunCounts) throws
}
