import SlipcastBulk

/// The file that keeps rejected records, one JSON object a line, to be fed again after a fix.
final class RejectFile {
  private let file: OutputFile

  init(_ path: String) throws { file = try OutputFile(path) }

  func write(_ reject: Reject) throws { try reject.withLine { try file.write($0) } }
}
