package import SlipcastBulk
internal import SlipcastMapping
package import SlipcastStores

/// The target of `--to`: a file or files that grow, or a database.
package enum ServeTarget: Sendable {
  case file(String)
  /// A file of CSV.
  case table(String)
  /// A folder of files.
  case folder(String, OutputDivision, Compression)
  case database(StoreLocation)

  /// Its name in metrics and messages, without a password.
  package var name: String {
    switch self {
    case .file(let path), .table(let path), .folder(let path, _, _): path
    case .database(let location): location.description
    }
  }
}

/// Opens the destination of a delivery.
struct TargetOpener: Sendable {
  var target: ServeTarget
  var journal: Journal
  /// Where V1 bodies go that cannot be converted.
  var rejects: String?
  var version: String

  /// - Returns: the destination, and the checkpoint to resume from; `nil` for a new one.
  /// - Throws: `BulkError` or `StoreError` when it is not available, or was changed.
  func open() throws -> (RunDestination, Checkpoint?) {
    let destination = RunDestination()
    var now = Checkpoint()
    now.options = "serve"
    if case .folder(_, let division, let compression) = target { now.options += " \(division) \(compression.rawValue)" }
    now.sources = [Checkpoint.SourceMark(name: "journal \(journal.id)")]
    destination.checkpoint = now
    var start: Checkpoint?
    switch target {
    case .database(let location):
      var run = RunDescription(
        fingerprint: now.fingerprint, sources: journal.folder.path, version: version,
        adviceWhenFull: "free some space; the server then continues by itself")
      run.isLive = true
      (destination.store, start) = try Self.openStore(location, run)
    case .file, .table, .folder:
      let file = journal.folder.checkpoint(of: JournalFolder.name(of: target.name))
      destination.checkpointPath = file
      start = try Self.state(file)
      if let start, start.options != now.options {
        throw BulkError(
          path: target.name, doing: "resume", reason: "--split or --compress has changed; name another folder")
      }
      try openFiles(of: destination, start)
    }
    if let rejects {
      destination.rejects = try FileOutput(growing: rejects, resuming: start?.outputs.first { $0.path == rejects })
    }
    return (destination, start)
  }

  private static func state(_ file: String) throws -> Checkpoint? {
    guard Platform.kind(file) == .file else { return nil }
    guard let found = Checkpoint(json: try Platform.contents(of: file, limit: 16 << 20)) else {
      throw BulkError(
        path: file, doing: "read", reason: "expected the state of a target; delete it to deliver all events again")
    }
    return found
  }

  private func openFiles(of destination: RunDestination, _ start: Checkpoint?) throws {
    switch target {
    case .database: break
    case .file(let path), .table(let path):
      let output = try FileOutput(growing: path, resuming: start?.outputs.first { $0.path == path })
      destination.output = output
      if case .table = target, start == nil, Platform.size(path) ?? 0 == 0 {
        var header = EventTable.header
        try header.withUTF8 { try output.write($0.span) }
      }
    case .folder(let path, let division, let compression):
      destination.division = division
      destination.output = try SplitOutput(
        path, compression: compression, isResumable: true, resuming: start?.outputs.filter { $0.path != rejects },
        isGrowing: true)
    }
  }

  /// Goes on with the run of this journal, or begins one where the newest run of the store is another one.
  ///
  /// A run that begins again delivers all events once more; the store drops those that it has.
  private static func openStore(
    _ location: StoreLocation, _ run: RunDescription
  ) throws -> (any StoreSink, Checkpoint?) {
    do {
      let (sink, bytes) = try Store.open(location, run: run, resume: true)
      return (sink, bytes.flatMap { Checkpoint(json: $0) })
    } catch let error as StoreError where error.kind == .cannotResume {
      return (try Store.open(location, run: run).sink, nil)
    }
  }
}
