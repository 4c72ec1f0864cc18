package import SlipcastBulk
package import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// The files that a run writes.
package struct FetchOutputs: @unchecked Sendable {
  // Safe to send: the command opens the files and hands them to the run, which is their only user then.

  /// Where lines go.
  package var lines: any LineOutput
  package var missing: (any LineOutput)?
  package var rejects: (any LineOutput)?
  /// The revisions of customers, next to the checkpoint.
  var table: FileOutput?
  var checkpoint: String?

  private var all: [any LineOutput] { [lines, missing, rejects, table].compactMap { $0 } }

  /// The file next to a checkpoint that holds the events since then.
  static func logPath(_ checkpoint: String) -> String { checkpoint + ".pages" }
  /// The file next to a checkpoint that holds revisions.
  package static func tablePath(_ checkpoint: String) -> String { checkpoint + ".revisions" }
  /// All files next to a checkpoint.
  package static func filesBeside(_ checkpoint: String) -> [String] { [logPath(checkpoint), tablePath(checkpoint)] }

  /// Opens the files.
  ///
  /// - Parameters:
  ///   - to: the output; `nil` for standard output.
  ///   - state: what an earlier run had made final.
  /// - Throws: `FileError` for files that cannot be written, or were changed.
  package init(
    to: String?, missing: String?, rejects: String?, checkpoint: String?, resuming state: FetchCheckpoint?
  ) throws(FileError) {
    self.checkpoint = checkpoint
    let isRunning = state.map { !$0.isFinished } ?? false
    let states = state?.outputs ?? []
    func open(_ path: String, growing: Bool = false) throws(FileError) -> FileOutput {
      let known = states.first { $0.path == path }
      if growing { return try FileOutput(growing: path, resuming: known) }
      return try FileOutput(path, isResumable: checkpoint != nil, resuming: isRunning ? known : nil)
    }
    if let to {
      lines = try open(to, growing: state.map { $0.isFinished || $0.isIncremental } ?? false)
    } else {
      lines = StreamOutput()
    }
    func openSide(_ path: String) throws(FileError) -> any LineOutput {
      if path == "-" { return StreamOutput() }
      return try open(path)
    }
    if let missing { self.missing = try openSide(missing) }
    if let rejects { self.rejects = try openSide(rejects) }
    guard let checkpoint else { return }
    let path = Self.tablePath(checkpoint)
    if let state, state.isFinished, Platform.kind(FileOutput.partName(path)) == .file {
      // The run before was killed right after its last checkpoint.
      let known = states.first { $0.path == path }
      let last = try FileOutput(path, isResumable: true, resuming: known)
      do { try last.finish() } catch {
        throw error as? FileError ?? FileError(path: path, doing: "rename", reason: "\(error)")
      }
    }
    table = try open(path)
  }

  func commit() throws -> [OutputState] { try all.flatMap { try $0.commit() } }

  /// Gives the files their final names, except the table.
  func finish() throws { for file in all where file !== table { try file.finish() } }

  /// Gives the table its final name: after the last checkpoint, because an interrupted run still needs the one before.
  func finishTable() throws { try table?.finish() }

  /// Removes what was written; nothing of it is wanted.
  func discard() {
    for case let file as FileOutput in all where Platform.kind(FileOutput.partName(file.path)) == .file {
      Platform.remove(FileOutput.partName(file.path))
    }
  }

  /// The line of an id without a result; members without a value are left out.
  static func missingLine(id: String, environment: String?, code: Int64?, message: String) -> [UInt8] {
    JSONWriter.line(capacity: 256) { writer in
      writer.member("id", ifPresent: id.isEmpty ? nil : id)
      writer.member("environment", ifPresent: environment)
      writer.member("errorCode", ifPresent: code)
      writer.member("message", message)
    }.bytes
  }
}
