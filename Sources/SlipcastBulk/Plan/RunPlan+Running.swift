internal import SlipcastMapping
import SlipcastSystem

/// How a planned run ended.
public struct RunOutcome: Sendable {
  /// Why it ended.
  public var end: RunEnd
  /// What it counted, together with the runs that it resumed; read = converted + duplicate + rejected.
  public var counts: RunCounts
  /// The run was complete before; nothing was read.
  public var wasFinished: Bool
}

extension RunPlan {
  /// A run whose outputs are open.
  package struct Start {
    package var destination: RunDestination
    /// The checkpoint to resume from; `nil` for a new run.
    package var checkpoint: Checkpoint?
  }

  package enum Opening {
    case begins(Start)
    /// It was finished before, with these counts.
    case finished(RunCounts)
  }

  /// Converts everything, and resumes the unfinished run if `settings.resumes` is true.
  ///
  /// - Parameters:
  ///   - watch: sees the progress after each block; false ends the run, which can then be resumed.
  ///   - onReject: sees each rejected record, before it is written.
  /// - Throws: `RunPlanError` when a checkpoint belongs to another run; `FileError` for files; `StoreError` for databases.
  public func run(
    watch: (ConvertRun.Progress) -> Bool = { _ in true }, onReject: @escaping (Reject) -> Void = { _ in }
  ) async throws -> RunOutcome {
    switch try open(onReject: onReject) {
    case .finished(let counts): return RunOutcome(end: .finished, counts: counts, wasFinished: true)
    case .begins(let start):
      let (end, counts) = try await convert(start, watch: watch)
      return RunOutcome(end: end, counts: counts, wasFinished: false)
    }
  }

  /// Converts all sources into open outputs.
  package func convert(
    _ start: Start, settled: SettledReadings? = nil, watch: (ConvertRun.Progress) -> Bool
  ) async throws -> (RunEnd, RunCounts) {
    var options = options
    if let settled { options.settled = settled }
    return try await ConvertRun(rules: rules, options: options)
      .convert(sources, from: start.checkpoint, to: start.destination, watch: watch)
  }

  /// Opens all outputs, unless the run was finished before.
  package func open(onReject: @escaping (Reject) -> Void) throws -> Opening {
    let destination = RunDestination()
    destination.onReject = onReject
    destination.checkpoint = checkpoint
    destination.isResumable = isResumable
    if let bytes = settings.commitBytes ?? target.store?.commitBytes { destination.commitBytes = bytes }
    if let store = target.store {
      if settings.resumes, let counts = try store.finished(checkpoint) { return .finished(counts) }
      let (sink, before) = try store.open(checkpoint, resumes: settings.resumes)
      destination.store = sink
      if sink == nil { destination.rehearse() }
      try openFiles(destination, before)
      return .begins(Start(destination: destination, checkpoint: before))
    }
    let before = try settings.checkpoint.flatMap { try unfinished($0) }
    if let before, before.isFinished {
      // What is marked done is verified even when nothing is left to do.
      try openFiles(RunDestination(), before)
      if let path = settings.checkpoint { RunDestination.removeEventLog(Self.eventLog(path)) }
      return .finished(before.counts)
    }
    try openFiles(destination, before)
    destination.checkpointPath = settings.checkpoint
    if before == nil { try destination.begin() }
    return .begins(Start(destination: destination, checkpoint: before))
  }

  private func unfinished(_ path: String) throws -> Checkpoint? {
    // A run that was killed before its first checkpoint has nothing that counts.
    guard Platform.kind(path) != .nothing else { return nil }
    let text = try Platform.contents(of: path, limit: 256 << 20)
    let found: Checkpoint
    do throws(StateFault) { found = try Checkpoint(json: text) } catch {
      throw RunPlanError.notACheckpoint(path, reason: error.reason)
    }
    guard settings.resumes else {
      if found.isFinished || found.counts.read == 0 { return nil }
      throw RunPlanError.unfinishedRun(path)
    }
    if let difference = found.difference(from: checkpoint) {
      throw RunPlanError.otherRun(path, difference: difference)
    }
    return found
  }

  // MARK: files

  /// The file next to a checkpoint with what a run must know of earlier messages.
  private static func eventLog(_ checkpoint: String) -> String { checkpoint + ".events" }

  /// The file next to a checkpoint with the ids of earlier records.
  private static func idLog(_ checkpoint: String) -> String { checkpoint + ".ids" }

  /// All files next to a checkpoint.
  package static func filesBeside(_ checkpoint: String) -> [String] { [idLog(checkpoint), eventLog(checkpoint)] }

  private func openFiles(_ destination: RunDestination, _ before: Checkpoint?) throws {
    let isResumable = isResumable
    func state(_ path: String) -> OutputState? { before?.outputs.first { $0.path == path } }
    func file(_ path: String, compression: Compression? = nil) throws -> FileOutput {
      try FileOutput(path, compression: compression, isResumable: isResumable, resuming: state(path))
    }
    func stream(_ path: String?) throws -> (any LineOutput)? {
      guard let path else { return nil }
      return path == "-" ? StreamOutput() : try file(path)
    }
    if let events = settings.checkpoint.map(Self.eventLog) {
      destination.makeEventLog = { try FileOutput(events, compression: Compression.none, isResumable: isResumable) }
      if state(events) != nil { destination.eventLog = try file(events, compression: Compression.none) }
    }
    destination.provenance = try stream(settings.provenance)
    destination.rejects = try stream(settings.rejects)
    var beside = settings.checkpoint.map(Self.filesBeside) ?? []
    if let path = settings.rawRejects, RawRejects.isFolder(path) {
      let start = path.hasSuffix("/") ? path : path + "/"
      let states = before?.outputs.filter { $0.path.hasPrefix(start) }
      beside += states?.map(\.path) ?? []
      let kept = sources.enumerated().map { RawSource($1, number: $0 + 1, others: options.pointers) }
      destination.rawRejects = try RawRejects(folder: path, of: kept, isResumable: isResumable, resuming: states)
    } else {
      destination.rawRejects = try settings.rawRejects.map { RawRejects(try file($0), resuming: state($0)) }
    }
    try target.openFiles(
      of: destination, resuming: before?.outputs,
      besides: beside + [settings.provenance, settings.rejects, settings.rawRejects],
      isResumable: isResumable)
    guard let memory = settings.dedupeMemory, target.store == nil else { return }
    destination.known = KnownIDs(memory: memory)
    guard let ids = settings.checkpoint.map(Self.idLog) else { return }
    if let state = state(ids) { try destination.known?.recall(state) }
    destination.idLog = try file(ids, compression: Compression.none)
  }
}
