internal import SlipcastBulk
internal import SlipcastDigest
internal import SlipcastMapping
internal import SlipcastStores
internal import Synchronization

/// Settles the readings of V1 events with the earlier events of the journal, for all deliveries of a server.
///
/// A settlement depends on the event and on the earlier events in the journal, and on nothing else: neither on the time of
/// the conversion, nor on restarts.
final class EventHistory: Sendable {
  private let journal: Journal
  private let options: ServerOptions
  private let fingerprint: String
  private let state = Mutex<Opened?>(nil)

  // Safe to send: the lock gives it to one thread at a time.
  private final class Opened: @unchecked Sendable {
    let store: HistoryStore
    let settler: Settler
    let history: EventHistoryReader
    let events: JournalReader

    init(_ store: HistoryStore, _ journal: Journal, _ options: ServerOptions) {
      self.store = store
      settler = Settler(prepared: options.endpoint.prepared, complete: [])
      history = EventHistoryReader(prepared: options.endpoint.prepared, options: options.convert)
      events = JournalReader(journal.folder, from: store.position + 1, recordBytes: options.endpoint.maxBody)
    }
  }

  init(_ journal: Journal, _ options: ServerOptions) {
    (self.journal, self.options) = (journal, options)
    let conversion = options.convert.conversion
    let products = conversion.products.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let parts =
      [journal.id, options.version, options.endpoint.rules.digest, "\(options.datesByArrival)"]
      + ["\(conversion.appAppleId ?? 0)"] + products
    fingerprint = SHA256Stream.hexadecimal(of: Array(parts.joined(separator: "\n").utf8))
  }

  /// Opens the store.
  ///
  /// - Returns: true where it was damaged, and is made again.
  /// - Throws: `StoreError` for a database of another program.
  func check() throws -> Bool { try withOpened { $0.store.isRemade } }

  /// Reads the journal up to an event.
  ///
  /// - Parameter goesOn: false ends it early.
  /// - Returns: false when it ended early.
  /// - Throws: `StoreError` when the disk is full, `FileError` for a damaged journal.
  func read(through last: Int64, while goesOn: () -> Bool) throws -> Bool {
    while goesOn() {
      let isComplete = try withOpened { opened in
        guard opened.store.position < last else { return true }
        try add(try opened.events.read(through: last), to: opened)
        return opened.store.position >= last
      }
      if isComplete { return true }
    }
    return false
  }

  private func add(_ records: [JournalRecord], to opened: Opened) throws {
    guard let last = records.last else { return }
    for record in records where record.version == .v1 && !record.differs {
      let messages = opened.history.messages(
        of: record.body, number: record.number, receivedAt: options.datesByArrival ? record.receivedAt : nil)
      let isQuestion = messages.first.map { opened.settler.canSettle($0.message) } ?? false
      try opened.store.add(messages, of: record.number, question: isQuestion ? messages.first?.subscription : nil)
    }
    try opened.store.commit(through: last.number)
  }

  /// How earlier events settle an event; `nil` where its record alone decides.
  ///
  /// - Throws: `StoreError`, `FileError` for a damaged journal.
  func settlement(of number: Int64) throws -> DecidedSettlement? {
    try withOpened { opened in
      // A forward tries again what was read before a restart, after which the store may be another one.
      while opened.store.position < number { try add(try opened.events.read(through: number), to: opened) }
      guard let question = try opened.store.question(of: number) else { return nil }
      // One message more than the limit shows that the subscription has too many.
      let messages = try opened.store.messages(
        for: question, from: journal.first, atMost: Settler.mostMessages + 1)
      guard let own = messages.last, own.witness.record == Int(number) else { return nil }
      return opened.settler.settleLast(of: messages).map { ($0, own.rule) }
    }
  }

  /// Forgets events that the journal no longer contains.
  ///
  /// - Throws: `StoreError`.
  func forgetRemoved() throws { try withOpened { try $0.store.remove(before: journal.first) } }

  /// After an error, the store is opened again; a damaged one is made again.
  private func withOpened<Result: Sendable>(_ use: (Opened) throws -> Result) throws -> Result {
    try state.withLock { state in
      do {
        let opened =
          try state
          ?? Opened(
            HistoryStore(journal.folder.history, fingerprint: fingerprint, events: journal.first..<journal.last + 1),
            journal, options)
        state = opened
        return try use(opened)
      } catch {
        // The database is closed before its file is removed.
        state = nil
        if let error = error as? StoreError, error.kind == .damaged { HistoryStore.remove(journal.folder.history) }
        throw error
      }
    }
  }
}
