internal import Dispatch
internal import SlipcastBulk
internal import SlipcastMapping
import SlipcastSystem
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
    fileprivate let known = KnownIDs(memory: 256 << 20)
    fileprivate let sequence: EventSequence
    /// Events that were known before they could not be stored.
    fileprivate var lost: Set<KnownIDs.ID> = []
    /// Other contents of known events that are in the journal.
    fileprivate var differing: Set<Content> = []

    fileprivate struct Content: Hashable {
      var id: KnownIDs.ID
      var content: UInt32
    }

    init(_ windows: RepeatWindows) { sequence = EventSequence(windows) }

    func recall(_ record: JournalRecord, _ found: IncomingNotification?) throws(FileError) {
      if record.differs {
        differing.insert(Content(id: record.id, content: found?.content ?? 0))
      } else {
        _ = try known.insert(record.id, content: found?.content ?? 0)
      }
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

  /// One write to disk has at most so many bytes of bodies, and one body more.
  private static let mostBytes = 16 << 20

  private func drain() {
    while true {
      let arrivals = waiting.withLock { waiting in
        var (count, bytes) = (0, 0)
        while count < waiting.count, bytes < Self.mostBytes {
          bytes += waiting[count].record.body.count
          count += 1
        }
        defer { waiting.removeFirst(count) }
        return Array(waiting[..<count])
      }
      guard !arrivals.isEmpty else { return }
      store(arrivals)
    }
  }

  private func store(_ arrivals: [Arrival]) {
    var new: [JournalRecord] = []
    var (repeated, differing) = (0, 0)
    do throws(FileError) {
      for arrival in arrivals {
        var record = arrival.record
        switch try find(&record, arrival) {
        case .new: new.append(record)
        case .repeated: repeated += 1
        case .differs(let isKept):
          (repeated, differing) = (repeated + 1, differing + 1)
          record.differs = true
          if !isKept { new.append(record) }
        }
      }
      // A repetition is acknowledged too: what it repeats must be there.
      if new.isEmpty { try journal.check() } else { try append(new) }
    } catch {
      forget(new)
      counters.change { values in
        values.isFailing = true
        values.refused += arrivals.count
      }
      log.note("failed", [("message", "\(error)")], isLimited: true)
      for arrival in arrivals { arrival.answer(503) }
      return
    }
    counters.change { values in
      values.stored += new.count { !$0.differs }
      values.repeated += repeated
      values.differing += differing
    }
    for arrival in arrivals { arrival.answer(200) }
  }

  private func append(_ records: [JournalRecord]) throws(FileError) {
    let seconds = try journal.append(records)
    counters.change { values in
      values.noteSync(seconds)
      values.isFailing = false
    }
  }

  /// Remembers that these could not be stored.
  private func forget(_ records: [JournalRecord]) {
    for record in records where !record.differs { memory.lost.insert(record.id) }
    for record in records where record.differs { memory.differing = memory.differing.filter { $0.id != record.id } }
  }

  private enum Finding {
    case new, repeated
    /// Known with other content, which may be in the journal already.
    case differs(isKept: Bool)
  }

  /// Decides the id of an event, and whether it is the first with it.
  private func find(_ record: inout JournalRecord, _ arrival: Arrival) throws(FileError) -> Finding {
    if let trace = arrival.trace, memory.sequence.concerns(trace) {
      let outcome = try memory.sequence.settle(trace)
      if outcome.ordinal > 0 { record.id = memory.sequence.id(trace, ordinal: outcome.ordinal) }
    }
    switch try memory.known.insert(record.id, content: arrival.content) {
    case .new: return .new
    case .known: return memory.lost.remove(record.id) != nil ? .new : .repeated
    case .differs:
      if memory.lost.remove(record.id) != nil { return .new }
      log.note(
        RepeatFinding.repeatDiffers.rawValue,
        [
          ("version", record.version.rawValue), ("id", UUIDText.string(record.id.high, record.id.low)),
          ("message", "another record with the same id has other content; both are kept, the first one is delivered"),
        ], isLimited: true)
      let content = Memory.Content(id: record.id, content: arrival.content)
      return .differs(isKept: !memory.differing.insert(content).inserted)
    }
  }
}
