package import SlipcastBulk
@_spi(Slipcast) internal import SlipcastWire
internal import Synchronization

/// The files that keep every event that was acknowledged; one thread appends, others read.
package final class Journal: Sendable {
  package let folder: JournalFolder
  /// The journal's own id.
  package let id: String
  private let state: Mutex<State>
  private let readers = Mutex<[WakeUp]>([])
  private let lock: Int32

  private struct State: Sendable {
    var first: Int64
    var last: Int64
    var bytes: Int
    var part: JournalFolder.Part?
    var partBytes = 0
    var descriptor: Int32?
    /// Why no event may be appended.
    var fault: String?
  }

  /// The number of the last event when it was opened.
  let lastAtStart: Int64

  /// A part is closed when it is this long, so that old parts can be removed.
  private let partBytes: Int

  /// Opens a journal, or makes one.
  ///
  /// - Parameters:
  ///   - recordBytes: the longest body.
  ///   - use: called with each event that it contains.
  /// - Throws: `BulkError` when another server uses it, or it is damaged.
  package init(
    _ path: String, recordBytes: Int, partBytes: Int = 64 << 20, _ use: (JournalRecord) throws(BulkError) -> Void
  ) throws(BulkError) {
    folder = JournalFolder(path)
    self.partBytes = partBytes
    id = try folder.create()
    lock = try Platform.open(folder.mark)
    do throws(BulkError) {
      try Platform.claim(lock, folder.path)
      let contents = try JournalReader.check(folder, recordBytes: recordBytes, use)
      var state = State(first: contents.first, last: contents.last, bytes: contents.bytes)
      lastAtStart = contents.last
      for part in try folder.parts() { try Platform.protect(part.path) }
      if let (part, whole) = contents.end {
        let descriptor = try Platform.append(to: part.path)
        if whole < Platform.size(part.path) ?? whole { try Platform.cut(descriptor, to: whole, path: part.path) }
        (state.part, state.partBytes, state.descriptor) = (part, whole, descriptor)
      }
      self.state = Mutex(state)
    } catch {
      Platform.close(lock)
      throw error
    }
  }

  deinit {
    if let descriptor = state.withLock(\.descriptor) { Platform.close(descriptor) }
    Platform.close(lock)
  }

  /// The number of the last event on disk.
  package var last: Int64 { state.withLock(\.last) }
  /// The number of the first event that is still there.
  package var first: Int64 { state.withLock(\.first) }
  /// The bytes of all parts.
  package var bytes: Int { state.withLock(\.bytes) }
  /// The number of events.
  package var count: Int { state.withLock { Int($0.last - $0.first + 1) } }

  /// Checks that no event after a target's position was removed, and that the journal reached this position.
  ///
  /// A copy that is older than the target would give numbers again that the target has: nothing may be appended to it.
  /// A target that was opened before may have received events since then.
  func checkHolds(eventsAfter position: Int64, of target: DeliveryState) throws(BulkError) {
    guard position <= lastAtStart || target.position != nil else {
      let fault =
        "\(target.name) has event \(position), and the journal ended at event \(lastAtStart) when it was opened; restore its "
        + "newest files, or name a new folder"
      state.withLock { $0.fault = fault }
      throw BulkError(path: folder.path, doing: "continue", reason: fault)
    }
    guard position < first - 1 else { return }
    throw BulkError(
      path: folder.path, doing: "deliver",
      reason: "the target lacks event \(position + 1), which the journal no longer contains")
  }

  /// Ends the wait of a reader whenever there are new events.
  func wake(_ reader: WakeUp) { readers.withLock { $0.append(reader) } }

  /// Appends events, numbers them, and returns when they are on disk.
  ///
  /// - Returns: the seconds that the system took to write them to disk.
  /// - Throws: `BulkError`; nothing is stored then.
  func append(_ records: [JournalRecord]) throws(BulkError) -> Double {
    let seconds = try write(records)
    for reader in readers.withLock({ $0 }) { reader.signal() }
    return seconds
  }

  private func write(_ records: [JournalRecord]) throws(BulkError) -> Double {
    var state = state.withLock { $0 }
    let text = JSONWriter(capacity: 64 << 10)
    var added = 0
    // Another thread may have removed parts meanwhile.
    defer {
      self.state.withLock { held in
        (state.first, state.bytes) = (held.first, held.bytes + added)
        state.fault = state.fault ?? held.fault
        held = state
      }
    }
    if let fault = state.fault { throw BulkError(path: folder.path, doing: "write", reason: fault) }
    let (part, descriptor) = try openPart(&state)
    var number = state.last
    for var record in records {
      number += 1
      record.number = number
      JournalLine.write(record, to: text)
    }
    let begin: Double
    do throws(BulkError) {
      try Platform.write(descriptor, text.bytes, path: part.path)
      begin = Platform.seconds()
      try Platform.synchronize(descriptor, path: part.path)
    } catch {
      do { try Platform.cut(descriptor, to: state.partBytes, path: part.path) } catch {
        state.fault = "an earlier write failed halfway; restart the server"
      }
      throw error
    }
    added = text.count
    state.last = number
    state.partBytes += added
    return Platform.seconds() - begin
  }

  private func openPart(_ state: inout State) throws(BulkError) -> (JournalFolder.Part, Int32) {
    if let part = state.part, let descriptor = state.descriptor, state.partBytes < partBytes {
      return (part, descriptor)
    }
    let part = folder.part(state.last + 1)
    let descriptor = try Platform.append(to: part.path)
    Platform.synchronizeFolder(of: part.path)
    if let old = state.descriptor { Platform.close(old) }
    (state.part, state.partBytes, state.descriptor) = (part, 0, descriptor)
    return (part, descriptor)
  }

  /// Removes whole parts of old events.
  ///
  /// - Parameters:
  ///   - number: all events up to this one may be removed.
  ///   - time: only events that arrived before, in milliseconds since 1970 UTC.
  /// - Throws: `BulkError` when the journal cannot be read.
  package func remove(through number: Int64, before time: Int64, recordBytes: Int) throws(BulkError) {
    let parts = try folder.parts()
    for (part, next) in zip(parts, parts.dropFirst()) {
      guard next.first - 1 <= number else { return }
      // The first event of the next part is not older than any of this one, and is found at once.
      let reader = JournalReader(folder, from: next.first, recordBytes: recordBytes)
      guard let later = try reader.read(through: next.first).first, later.receivedAt < time else { return }
      let size = Platform.size(part.path) ?? 0
      Platform.remove(part.path)
      Platform.synchronizeFolder(of: part.path)
      state.withLock { state in
        state.first = next.first
        state.bytes -= size
      }
    }
  }
}
