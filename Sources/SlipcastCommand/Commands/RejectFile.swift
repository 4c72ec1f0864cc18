import SlipcastBulk

/// The file that keeps rejected records, one JSON object a line, to be fed again after a fix.
final class RejectFile {
  private let file: any LineOutput

  /// - Throws: `BulkError` when it cannot be created.
  init(_ path: String) throws { file = path == "-" ? StreamOutput() : try FileOutput(path) }

  func write(_ reject: Reject) throws { try reject.withLine { try file.write($0, part: .whole) } }

  /// Gives the file its name.
  ///
  /// - Throws: `BulkError` when its last lines cannot be written.
  func finish() throws { try file.finish() }
}
