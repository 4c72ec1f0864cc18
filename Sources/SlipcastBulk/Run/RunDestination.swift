internal import SlipcastMapping
import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// The destination of a conversion: lines or rows, accounts, rejects, and the checkpoint that covers them all.
package final class RunDestination {
  /// The destination of lines; `nil` for a run that only counts.
  package var output: (any LineOutput)?
  /// The destination of rows, instead of lines.
  package var store: (any StoreSink)?
  package var division: OutputDivision?
  /// The ids of all written records; if set, duplicates are dropped.
  package var known: KnownIDs?
  /// Keeps the ids for a resumed run.
  package var idLog: FileOutput?
  /// Keeps what a resumed run must know of events; only runs with messages without a time have one.
  package var eventLog: FileOutput?
  package var makeEventLog: (() throws -> FileOutput)?
  package var provenance: (any LineOutput)?
  package var rejects: (any LineOutput)?
  package var rawRejects: RawRejects?
  /// The file of checkpoints; databases store theirs themselves.
  package var checkpointPath: String?
  /// The content of a checkpoint besides position, counts and outputs.
  package var checkpoint = Checkpoint()
  /// How many bytes of lines are written between two commits.
  package var commitBytes = 16 << 20
  package var onReject: (Reject) -> Void = { _ in }

  private let single = JSONWriter(capacity: 4096)
  /// The parts of days since 1970, and of the app that came last.
  private var days: [Int64: OutputPart] = [:]
  private var lastBundle: (id: String, part: OutputPart)?
  private var uncommitted = 0
  /// The run can be resumed, so events are kept.
  var keepsEvents = false
  /// Files of a run that ends early keep the names that a resumed run expects.
  var isResumable = true
  /// Events since the last commit.
  private var freshEvents: [UInt8] = []
  /// Records that went into the output, for dividing by number.
  private var written = 0

  package init() {}

  var marking: Marking {
    switch division {
    case .bundle: .bundle
    case .date, .records: .plain
    case nil: known == nil ? .none : .plain
    }
  }

  /// Output between commits becomes final at the next one only, so an interrupted run returns to the last commit.
  private var commitsAnywhere: Bool {
    let outputs: [(any LineOutput)?] = [output, provenance, rejects, rawRejects?.output]
    return outputs.allSatisfy { $0?.commitsAnywhere ?? true }
  }

  /// Only counts, as a database would.
  func rehearse() {
    known = KnownIDs(memory: 256 << 20)
  }

  // MARK: records

  func deliver(_ converter: BlockConverter, before: Int) throws -> RunCounts {
    var counts = converter.book.counts
    uncommitted += converter.output.count
    var dropped: Set<Int> = []
    var differing: Set<Int> = []
    if let store, let encoder = converter.encoder {
      try settle(try store.write(encoder, before: before), &counts)
    } else if converter.marking != .none {
      dropped = try sort(converter, &differing)
      counts.converted -= dropped.count
      counts.duplicate += dropped.count
      counts.findings.add(RepeatFinding.repeatDiffers.rawValue, differing.count)
    } else {
      try output?.write(converter.output.buffer.span, part: .whole)
    }
    if let provenance, !converter.provenanceLines.isEmpty {
      for record in differing { converter.addToAccount(.repeatDiffers, record: record) }
      try converter.writeAccounts(before: before, without: dropped.subtracting(differing)) {
        try provenance.write($0, part: .whole)
      }
    }
    return counts
  }

  private func settle(_ outcome: StoreOutcome, _ counts: inout RunCounts) throws {
    counts.duplicate += outcome.duplicate
    counts.converted -= outcome.duplicate + outcome.refused.count
    counts.rejected += outcome.refused.count
    counts.findings.add(RepeatFinding.repeatDiffers.rawValue, outcome.differing)
    for refused in outcome.refused {
      let reject = Reject(refused)
      counts.reasons[reject.code, default: 0] += 1
      counts.bySource[reject.source, default: RunCounts.OfSource()].rejected += 1
      try write(reject: reject)
    }
  }

  /// Writes lines to their parts and drops duplicates; returns the numbers of the dropped records.
  private func sort(_ converter: BlockConverter, _ differing: inout Set<Int>) throws -> Set<Int> {
    var dropped: Set<Int> = []
    var ids: [UInt8] = []
    var run: (part: OutputPart, lines: Range<Int>)?
    let text = converter.output.buffer
    func flush() throws {
      guard let held = run else { return }
      try output?.write(text.span.extracting(held.lines), part: held.part)
      run = nil
    }
    var start = 0
    for mark in converter.marks {
      defer { start = mark.end }
      if known != nil {
        guard try isNew(mark, &ids, &differing) else {
          dropped.insert(mark.record)
          continue
        }
      }
      let part = part(of: mark)
      written += 1
      if let held = run, held.part == part, held.lines.upperBound == start {
        run = (part, held.lines.lowerBound..<mark.end)
      } else {
        try flush()
        run = (part, start..<mark.end)
      }
    }
    try flush()
    try idLog?.write(ids.span)
    return dropped
  }

  private func isNew(
    _ mark: BlockConverter.LineMark, _ ids: inout [UInt8], _ differing: inout Set<Int>
  ) throws -> Bool {
    switch try known?.insert(mark.id, content: mark.content) {
    case .known: return false
    case .differs:
      differing.insert(mark.record)
      return false
    default: break
    }
    if idLog != nil { mark.id.write(to: &ids, content: mark.content) }
    return true
  }

  private func part(of mark: BlockConverter.LineMark) -> OutputPart {
    switch division {
    case nil: return .whole
    case .bundle:
      let bundle = mark.bundleId ?? ""
      if let known = lastBundle, known.id == bundle { return known.part }
      let part = OutputPart(safe: bundle)
      lastBundle = (bundle, part)
      return part
    case .date:
      guard let milliseconds = mark.signedDate else { return OutputPart(name: "undated") }
      return partOfDay(milliseconds)
    case .records(let most):
      let number = String(written / most + 1)
      return OutputPart(name: "part-" + String(repeating: "0", count: max(0, 6 - number.count)) + number)
    }
  }

  /// The name of a day is spelled once: most records are of a few days.
  private func partOfDay(_ milliseconds: Int64) -> OutputPart {
    let day = milliseconds.floorDivided(by: 86_400_000)
    if let part = days[day] { return part }
    let text = Timestamp(milliseconds: milliseconds).description
    let part = OutputPart(safe: String(text.prefix { $0 != "T" && $0 != " " }))
    if days.count >= SplitOutput.mostParts { days.removeAll() }
    days[day] = part
    return part
  }

  func write(reject: Reject) throws {
    onReject(reject)
    try reject.withLine { try rejects?.write($0, part: .whole) }
    try rawRejects?.write(reject)
    try store?.write(reject: reject)
  }

  /// Writes one line that was made of several records.
  ///
  /// - Parameters:
  ///   - signedDate: its date in milliseconds since 1970 UTC, for an output of one file for each day.
  ///   - bundleId: its app, for an output of one file for each app.
  package func write(line: Span<UInt8>, signedDate: Int64?, bundleId: String?) throws {
    single.clear()
    single.raw(line)
    single.byte(0x0A)
    let mark = BlockConverter.LineMark(
      record: 0, end: single.count, id: KnownIDs.ID(high: 0, low: 0), signedDate: signedDate, bundleId: bundleId)
    try output?.write(single.buffer.span, part: part(of: mark))
    written += 1
    uncommitted += single.count
    guard uncommitted >= commitBytes else { return }
    uncommitted = 0
    _ = try commitOutputs()
  }

  package func finishLines() throws {
    _ = try commitOutputs()
    try output?.finish()
  }

  // MARK: events

  /// Keeps a message that later ones are compared with.
  func note(_ trace: EventTrace) { if keepsEvents { trace.write(to: &freshEvents) } }

  private func writeEvents() throws {
    guard !freshEvents.isEmpty else { return }
    if let store {
      try store.write(events: freshEvents)
    } else {
      if eventLog == nil { eventLog = try makeEventLog?() }
      let events = freshEvents
      try eventLog?.write(events.span)
    }
    freshEvents.removeAll(keepingCapacity: true)
  }

  /// Replays all messages of the interrupted run in a sequence, and those of earlier runs into the same store.
  func recall(_ checkpoint: Checkpoint?, into sequence: EventSequence) throws {
    func take(_ bytes: ArraySlice<UInt8>) throws {
      for trace in EventTrace.all(in: bytes) { _ = try sequence.settle(trace) }
    }
    if let store {
      var last: StoredEvents?
      try store.forEachEvents { events in
        if events.run != last?.run { sequence.beginRun() }
        last = events
        if events.isOwn { return try take(events.bytes[...]) }
        for trace in EventTrace.all(in: events.bytes[...]) { try sequence.recall(trace) }
      }
      if last?.isOwn != true { sequence.beginRun() }
      return
    }
    guard let eventLog, let state = checkpoint?.outputs.first(where: { $0.path == eventLog.path }) else { return }
    try state.forEachPiece(entryBytes: EventTrace.entryBytes) { try take($0) }
  }

  // MARK: commits

  /// Marks the start of a run: its leftovers in a folder are recognized as its own, however early it is killed.
  package func begin() throws {
    if let checkpointPath { try Platform.replace(checkpointPath, with: checkpoint.json) }
  }

  /// Between two blocks: commits when there is enough to commit, or when the run must end.
  func pause(_ step: inout RunStep, isEnding: Bool) throws {
    guard uncommitted >= commitBytes || isEnding && commitsAnywhere else { return }
    try commit(&step)
  }

  private func commit(_ step: inout RunStep) throws {
    uncommitted = 0
    if let store { try settle(try store.flush(), &step.counts) }
    try writeEvents()
    var now = checkpoint
    (now.position, now.counts) = (step.position, step.counts)
    now.outputs = try commitOutputs()
    if let store { try store.commit(now.json, counts: step.counts) }
    if let checkpointPath { try Platform.replace(checkpointPath, with: now.json) }
  }

  private func commitOutputs() throws -> [OutputState] {
    var states: [OutputState] = []
    for file in [output, provenance, rejects, rawRejects?.output, idLog, eventLog] as [(any LineOutput)?] {
      states += try file?.commit() ?? []
    }
    return states
  }

  /// Ends the run: files get their final names when all is done, and keep their names when it can be resumed.
  ///
  /// - Returns: the counts, with the store's last results.
  func finish(_ end: RunEnd, _ step: RunStep) throws -> RunCounts {
    var step = step
    // A run that stops at a reject continues behind it, so all before it must be final.
    if end == .finished || end == .stopped || commitsAnywhere { try commit(&step) }
    let canGoOn = end != .finished && isResumable && (checkpointPath != nil || store != nil)
    if end == .finished { try output?.finish() }
    if !canGoOn {
      try provenance?.finish()
      try rejects?.finish()
      try rawRejects?.finish()
    }
    // A finished run is never resumed, so its files have their final names by then.
    try store?.finish(end, counts: step.counts)
    if end == .finished, let checkpointPath {
      try idLog?.finish()
      // A finished run is never resumed.
      let events = eventLog.map { FileOutput.partName($0.path) }
      eventLog = nil
      checkpoint.isFinished = true
      var last = checkpoint
      (last.position, last.counts, last.outputs) = (step.position, step.counts, try commitOutputs())
      try Platform.replace(checkpointPath, with: last.json)
      if let events { Platform.remove(events) }
    }
    return step.counts
  }

  /// Removes the event log of a run that was killed right after its last checkpoint.
  package static func removeEventLog(_ path: String) {
    let part = FileOutput.partName(path)
    if Platform.kind(part) == .file { Platform.remove(part) }
  }

  /// The number of earlier lines, for splitting by number in a resumed run.
  package func goOn(after counts: RunCounts) { written = counts.converted }
}
