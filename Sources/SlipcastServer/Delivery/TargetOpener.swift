internal import SlipcastBulk
internal import SlipcastMapping
package import SlipcastStores

/// The target of `--to`: a file that grows, or a database.
package enum ServeTarget: Sendable {
  case file(String)
  /// A file of CSV.
  case table(String)
  case database(StoreLocation)

  /// Its name in metrics and messages, without a password.
  package var name: String {
    switch self {
    case .file(let path), .table(let path): path
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

  /// - Returns: the destination, and the checkpoint to go on from; `nil` for a new one.
  /// - Throws: `BulkError` or `StoreError` when it is not available, or was changed.
  func open() throws -> (RunDestination, Checkpoint?) {
    let destination = RunDestination()
    var now = Checkpoint()
    now.options = "serve"
    now.sources = [Checkpoint.SourceMark(name: "journal \(journal.id)")]
    destination.checkpoint = now
    var start: Checkpoint?
    switch target {
    case .database(let location):
      let run = RunDescription(
        fingerprint: now.fingerprint, sources: journal.folder.path, version: version,
        adviceWhenFull: "make room; the server then goes on by itself")
      (destination.store, start) = try Self.openStore(location, run)
    case .file(let path), .table(let path):
      let file = journal.folder.checkpoint(of: JournalFolder.name(of: target.name))
      destination.checkpointPath = file
      if Platform.kind(file) == .file {
        guard let found = Checkpoint(json: try Platform.contents(of: file, limit: 1 << 20)) else {
          throw BulkError(
            path: file, doing: "read", reason: "expected the state of a target; delete it to deliver all events again")
        }
        start = found
      }
      destination.output = try FileOutput(growing: path, resuming: start?.outputs.first { $0.path == path })
      if case .table = target, start == nil, Platform.size(path) ?? 0 == 0 {
        var header = EventTable.header
        try header.withUTF8 { try destination.output?.write($0, part: .whole) }
      }
    }
    if let rejects {
      destination.rejects = try FileOutput(growing: rejects, resuming: start?.outputs.first { $0.path == rejects })
    }
    return (destination, start)
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
