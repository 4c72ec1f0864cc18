internal import Dispatch
internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastWire
internal import Synchronization

/// A notification that waits to be stored.
struct Arrival: Sendable {
  var record: JournalRecord
  /// What distinguishes a V1 event from other events.
  var trace: EventTrace?
  /// A digest of what all deliveries of the event have in common.
  var content: UInt32 = 0
  /// Called once with the status of the answer.
  var answer: @Sendable (Int) -> Void
}

/// Stores notifications in the order of their arrival: one write to disk for all that wait at the same time.
final class Intake: Sendable {
  private let journal: Journal
  private let counters: Shared<Counters>
  private let log: ServerLog
  private let queue = DispatchQueue(label: "slipcast.intake")
  private let waiting = Mutex<[Arrival]>([])
  private let memory: Memory

  /// The events that are known; only the queue uses it after the start.
  // Safe to send: one thread at a time uses it.
  final class Memory: @unchecked Sendable {
    fileprivate var known = KnownIDs(memory: 4 << 30)
    fileprivate let sequence: EventSequence
    /// Events that were known before they could not be stored.
    fileprivate var lost: Set<KnownIDs.ID> = []

    init(_ windows: RepeatWindows) { sequence = EventSequence(windows) }

    func recall(_ record: JournalRecord, _ found: IncomingNotification?) throws(BulkError) {
      _ = known.insert(record.id, content: found?.content ?? 0)
      if let trace = found?.trace, sequence.concerns(trace) { _ = try sequence.settle(trace) }
    }
  }

  init(_ journal: Journal, _ memory: Memory, counters: Shared<Counters>, log: ServerLog) {
    (self.journal, self.memory, self.counters, self.log) = (journal, memory, counters, log)
  }

  func submit(_ arrival: Arrival) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(arrival)
      return waiting.count == 1
    }
    // A drain that is running takes later arrivals too, unless it has just looked.
    if isFirst { queue.async { self.drain() } }
  }

  /// Returns when everything that was submitted is answered.
  func finish() { queue.sync { drain() } }

  private func drain() {
    let arrivals = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    guard !arrivals.isEmpty else { return }
    var new: [JournalRecord] = []
    do throws(BulkError) {
      for arrival in arrivals {
        var record = arrival.record
        if try isNew(&record, arrival) { new.append(record) }
      }
      if !new.isEmpty {
        let seconds = try journal.append(new)
        counters.change { values in
          values.noteSync(seconds)
          values.isFailing = false
        }
      }
    } catch {
      memory.lost.formUnion(new.map(\.id))
      counters.change { values in
        values.isFailing = true
        values.refused += arrivals.count
      }
      log.note("failed", [("message", "\(error)")], isLimited: true)
      for arrival in arrivals { arrival.answer(503) }
      return
    }
    counters.change { values in
      values.stored += new.count
      values.repeated += arrivals.count - new.count
    }
    for arrival in arrivals { arrival.answer(200) }
  }

  /// Decides the id of an event, and whether it is the first with it.
  private func isNew(_ record: inout JournalRecord, _ arrival: Arrival) throws(BulkError) -> Bool {
    if let trace = arrival.trace, memory.sequence.concerns(trace) {
      let outcome = try memory.sequence.settle(trace)
      if outcome.ordinal > 0 { record.id = memory.sequence.id(trace, ordinal: outcome.ordinal) }
    }
    switch memory.known.insert(record.id, content: arrival.content) {
    case .new: return true
    case .known: return memory.lost.remove(record.id) != nil
    case .differs:
      if memory.lost.remove(record.id) != nil { return true }
      log.note(
        RepeatFinding.repeatDiffers.rawValue,
        [
          ("version", record.version.rawValue), ("id", UUIDText.string(record.id.high, record.id.low)),
          ("message", RepeatFinding.repeatDiffers.message),
        ], isLimited: true)
      return false
    case .full:
      throw BulkError(
        path: journal.folder.path, doing: "write", reason: "it contains too many events; begin a new journal")
    }
  }
}
