internal import SlipcastBulk

/// Opens the destination of a delivery.
struct TargetOpener: Sendable {
  var target: RunTarget
  var journal: Journal
  /// Where V1 bodies go that cannot be converted.
  var rejects: String?

  /// - Returns: the destination, and the checkpoint to resume from; `nil` for a new one.
  /// - Throws: `BulkError` or `StoreError` when it is not available, or was changed.
  func open() throws -> (RunDestination, Checkpoint?) {
    let destination = RunDestination()
    var now = Checkpoint()
    now.options = "serve"
    if case .folder(_, let division, let compression) = target.kind {
      now.options += " \(division) \(compression.rawValue)"
    }
    now.sources = [Checkpoint.SourceMark(name: "journal \(journal.id)")]
    destination.checkpoint = now
    var start: Checkpoint?
    if let store = target.store {
      (destination.store, start) = try store.openLive(now, of: journal.folder.path)
    } else {
      let file = journal.folder.checkpoint(of: JournalFolder.name(of: target.name))
      destination.checkpointPath = file
      start = try Self.state(file)
      if let start, start.options != now.options {
        throw BulkError(
          path: target.name, doing: "resume", reason: "--split or --compress has changed; name another folder")
      }
      try target.openFiles(of: destination, resuming: start?.outputs, besides: [rejects], isGrowing: true)
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
}
