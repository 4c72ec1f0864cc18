internal import SlipcastBulk
package import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire
internal import Synchronization

/// The files that keep every event that was acknowledged; one thread appends, others read.
///
/// An event is acknowledged only while the files in the folder are those that were written: a file that another program
/// removed, replaced or shortened would not be found by the next start.
package final class Journal: Sendable {
  package let folder: JournalFolder
  /// The journal's own id.
  package let id: String
  /// What was mended when it was opened.
  let mend: Mend?
  private let state: Mutex<State>
  private let readers = Mutex<[WakeUp]>([])
  private let mark: (descriptor: Int32, file: Platform.FileIdentity)

  /// The end of a journal after an interrupted write, or after damage to its last bytes.
  struct Mend: Hashable, Sendable {
    var file: String
    /// Where the whole events end.
    var offset: Int
    /// How many bytes were cut off there.
    var bytes: Int

    var message: String {
      bytes == 0
        ? "the line feed of the last event was missing"
        : "what followed the last event with a valid checksum was cut off"
    }
  }

  private struct State: Sendable {
    var first: Int64
    var last: Int64
    var parts: [Part]
    /// That of the last part.
    var descriptor: Int32?
    /// The last part grows.
    var isAppending = false
    /// Why no event may be appended.
    var fault: String?

    /// A part as it was written.
    struct Part: Sendable {
      var part: JournalFolder.Part
      var file: Platform.FileIdentity
      var bytes: Int
      var differing: Int
    }
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
  /// - Throws: `FileError` when another server uses it, or it is damaged.
  package init(
    _ path: String, recordBytes: Int, partBytes: Int = 64 << 20, _ use: (JournalRecord) throws(FileError) -> Void
  ) throws(FileError) {
    folder = JournalFolder(path)
    self.partBytes = partBytes
    id = try folder.create()
    let lock = try Platform.open(folder.mark)
    do throws(FileError) {
      try Platform.claim(lock, folder.path)
      mark = (lock, try GrownFile(lock, path: folder.mark).identity)
      let contents = try JournalReader.check(folder, recordBytes: recordBytes, use)
      var state = State(first: contents.first, last: contents.last, parts: [])
      lastAtStart = contents.last
      for part in contents.parts { try Platform.protect(part.part.path) }
      (state.descriptor, mend) = try Self.mend(contents.parts.last)
      for found in contents.parts {
        let file = try GrownFile(named: found.part.path)
        state.parts.append(
          State.Part(part: found.part, file: file.identity, bytes: file.bytes, differing: found.differing))
      }
      self.state = Mutex(state)
    } catch {
      Platform.close(lock)
      throw error
    }
  }

  deinit {
    if let descriptor = state.withLock(\.descriptor) { Platform.close(descriptor) }
    Platform.close(mark.descriptor)
  }

  /// Opens the last part for appending, cuts off what is not an event, and completes the last line.
  private static func mend(_ last: JournalReader.Contents.Part?) throws(FileError) -> (Int32?, Mend?) {
    guard let last else { return (nil, nil) }
    let path = last.part.path
    let descriptor = try Platform.append(to: path)
    do throws(FileError) {
      let length = try GrownFile(descriptor, path: path).bytes
      guard length != last.bytes || last.isOpen else { return (descriptor, nil) }
      try Platform.cut(descriptor, to: last.bytes, path: path)
      if last.isOpen { try Platform.write(descriptor, [0x0A], path: path) }
      try Platform.synchronize(descriptor, path: path)
      return (descriptor, Mend(file: path, offset: last.bytes, bytes: length - last.bytes))
    } catch {
      Platform.close(descriptor)
      throw error
    }
  }

  /// The number of the last event on disk.
  package var last: Int64 { state.withLock(\.last) }
  /// The number of the first event that is still there.
  package var first: Int64 { state.withLock(\.first) }
  /// The bytes of all parts.
  package var bytes: Int { state.withLock { $0.parts.reduce(0) { $0 + $1.bytes } } }
  /// The number of events; repeated ones with other content are not counted.
  package var count: Int {
    state.withLock { state in Int(state.last - state.first + 1) - state.parts.reduce(0) { $0 + $1.differing } }
  }

  /// Why no event can be stored until an operator acts; `nil` while all is well.
  var trouble: String? {
    do throws(FileError) {
      try check(fromWriter: false)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Checks that what was written would be found by the next start.
  ///
  /// - Throws: `FileError` when a file is not the one that was written.
  func check() throws(FileError) { try check(fromWriter: true) }

  /// - Parameter fromWriter: the caller is the thread that appends.
  private func check(fromWriter: Bool) throws(FileError) {
    guard (try? GrownFile(named: folder.mark))?.identity == mark.file else {
      throw lost(folder.mark, "is no longer the file that the server opened")
    }
    // A part is removed only by a thread that has the lock.
    let problem: FileError? = state.withLock { state in
      if let fault = state.fault { return FileError(path: folder.path, doing: "write", reason: fault) }
      for (index, part) in state.parts.enumerated() {
        let path = part.part.path
        guard let file = try? GrownFile(named: path) else { return lost(path, "is not there any more") }
        guard file.identity == part.file else { return lost(path, "was replaced by another file") }
        let mayGrow = !fromWriter && state.isAppending && index == state.parts.count - 1
        guard file.bytes == part.bytes || mayGrow && file.bytes > part.bytes else {
          return lost(path, "has \(file.bytes) bytes instead of \(part.bytes)")
        }
      }
      return nil
    }
    if let problem { throw problem }
  }

  private func lost(_ path: String, _ what: String) -> FileError {
    FileError(
      path: folder.path, doing: "use the journal",
      reason: "another program changed it: \(path) \(what); put back the file that was there, or restart the "
        + "server with what is left")
  }

  /// Checks that no event after a target's position was removed, and that the journal reached this position.
  ///
  /// A copy that is older than the target would give numbers again that the target has: nothing may be appended to it.
  /// A target that was opened before may have received events since then.
  func checkHolds(eventsAfter position: Int64, of target: DeliveryState) throws(FileError) {
    guard position <= lastAtStart || target.position != nil else {
      let fault =
        "\(target.name) has event \(position), and the journal ended at event \(lastAtStart) when it was opened; restore its "
        + "newest files, or name a new folder"
      state.withLock { $0.fault = fault }
      throw FileError(path: folder.path, doing: "continue", reason: fault)
    }
    guard position < first - 1 else { return }
    throw FileError(
      path: folder.path, doing: "deliver",
      reason: "the target lacks event \(position + 1), which the journal no longer contains")
  }

  /// Ends the wait of a reader whenever there are new events.
  func wake(_ reader: WakeUp) { readers.withLock { $0.append(reader) } }

  /// Appends events, numbers them, and returns when they are on disk.
  ///
  /// - Returns: the seconds that the system took to write them to disk.
  /// - Throws: `FileError`; nothing is stored then.
  func append(_ records: [JournalRecord]) throws(FileError) -> Double {
    let seconds = try write(records)
    for reader in readers.withLock({ $0 }) { reader.signal() }
    return seconds
  }

  private func write(_ records: [JournalRecord]) throws(FileError) -> Double {
    try check()
    let (part, descriptor) = try openPart()
    let text = JSONWriter(capacity: 64 << 10)
    var number = last
    for var record in records {
      number += 1
      record.number = number
      JournalLine.write(record, to: text)
    }
    state.withLock { $0.isAppending = true }
    defer { state.withLock { $0.isAppending = false } }
    let begin: Double
    do throws(FileError) {
      try Platform.write(descriptor, text.bytes, path: part.part.path)
      begin = Platform.seconds()
      try Platform.synchronize(descriptor, path: part.part.path)
    } catch {
      cut(descriptor, part)
      throw error
    }
    let seconds = Platform.seconds() - begin
    change { last in
      last.bytes += text.count
      last.differing += records.count { $0.differs }
    }
    do throws(FileError) {
      // What was written to a file without a name would be lost.
      try check()
    } catch {
      cut(descriptor, part)
      change { $0 = part }
      throw error
    }
    state.withLock { $0.last = number }
    return seconds
  }

  private func change(_ change: (inout State.Part) -> Void) {
    state.withLock { state in
      if !state.parts.isEmpty { change(&state.parts[state.parts.count - 1]) }
    }
  }

  private func cut(_ descriptor: Int32, _ part: State.Part) {
    do throws(FileError) { try Platform.cut(descriptor, to: part.bytes, path: part.part.path) } catch {
      state.withLock { $0.fault = $0.fault ?? "an earlier write failed halfway; restart the server" }
    }
  }

  private func openPart() throws(FileError) -> (State.Part, Int32) {
    let (last, old, part) = state.withLock { ($0.last, $0.descriptor, $0.parts.last) }
    if let part, let old, part.bytes < partBytes { return (part, old) }
    let name = folder.part(last + 1)
    let descriptor = try Platform.append(to: name.path)
    let made: State.Part
    do throws(FileError) {
      try Platform.synchronizeFolder(of: name.path)
      let file = try GrownFile(descriptor, path: name.path)
      guard file.bytes == 0 else { throw lost(name.path, "is there already") }
      made = State.Part(part: name, file: file.identity, bytes: 0, differing: 0)
    } catch {
      Platform.close(descriptor)
      throw error
    }
    state.withLock { state in
      state.descriptor = descriptor
      state.parts.append(made)
    }
    if let old { Platform.close(old) }
    return (made, descriptor)
  }

  /// Removes whole parts of old events.
  ///
  /// - Parameters:
  ///   - number: all events up to this one may be removed.
  ///   - time: only events that arrived before, in milliseconds since 1970 UTC.
  /// - Throws: `FileError` when the journal cannot be read.
  package func remove(through number: Int64, before time: Int64, recordBytes: Int) throws(FileError) {
    let parts = try folder.parts()
    for next in parts.dropFirst() {
      guard next.first - 1 <= number else { return }
      // The first event of the next part is not older than any of this one, and is found at once.
      let reader = JournalReader(folder, from: next.first, recordBytes: recordBytes)
      guard let later = try reader.read(through: next.first).first, later.receivedAt < time else { return }
      state.withLock { state in
        while state.parts.count > 1, let part = state.parts.first, part.part.first < next.first {
          Platform.remove(part.part.path)
          state.parts.removeFirst()
          state.first = next.first
        }
      }
      try Platform.synchronizeFolder(of: next.path)
    }
  }
}
