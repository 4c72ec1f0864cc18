internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastOutlets
internal import SlipcastStores
import SlipcastSystem
internal import Synchronization

/// The customers of the server's own journal: everything that was acknowledged before a question is known to its answer.
final class JournalCustomers: CustomerSource {
  // Safe to send: the lock gives it to one thread at a time.
  private final class Intake: @unchecked Sendable {
    let events: JournalReader
    let intake: CustomerIntake

    init(_ events: JournalReader, _ intake: CustomerIntake) { (self.events, self.intake) = (events, intake) }
  }

  private let journal: Journal
  private let index: CustomerIndex
  private let intake: Mutex<Intake>

  /// Reads the journal as far as it goes.
  ///
  /// - Throws: `StoreError` when the folder of temporary files cannot be written.
  init(_ journal: Journal, prepared: Converter.PreparedRules, recordBytes: Int) throws {
    self.journal = journal
    index = try CustomerIndex()
    let events = JournalReader(journal.folder, from: journal.first, recordBytes: recordBytes)
    intake = Mutex(Intake(events, CustomerIntake(prepared: prepared)))
    try catchUp()
  }

  func records(naming id: String, besides known: Set<Int64>) throws(StoreError) -> [CustomerRecord] {
    try catchUp()
    return try index.records(naming: id, besides: known)
  }

  private func catchUp() throws(StoreError) {
    let last = journal.last
    try intake.withLock { (intake) throws(StoreError) in
      guard intake.events.next <= last else { return }
      while intake.events.next <= last { try add(through: last, intake) }
      try index.commit()
    }
  }

  private func add(through last: Int64, _ intake: Intake) throws(StoreError) {
    let records: [JournalRecord]
    do throws(FileError) {
      records = try intake.events.read(through: last)
    } catch {
      throw StoreError(.damaged, journal.folder.path, "read the journal", error.description)
    }
    for record in records where !record.differs {
      try intake.intake.add(
        record.body, isLegacy: record.version == .v1, receivedAt: record.receivedAt,
        from: "journal: event \(record.number)", to: index)
    }
  }
}
