import SlipcastBulk

/// The file that keeps rejected records, one JSON object a line, to be fed again after a fix.
final class RejectFile {
  private let file: any LineOutput
  private let hasVerdict: Bool

  /// - Parameter hasVerdict: the exit status of the command is a verdict, so a reader of the rejects may stop.
  init(_ path: String, hasVerdict: Bool = false) throws {
    file = path == "-" ? StreamOutput() : try FileOutput(path)
    self.hasVerdict = hasVerdict
  }

  func write(_ reject: Reject) throws {
    try perform { try reject.withLine { try file.write($0, part: .whole) } }
  }

  /// Gives the file its name.
  func finish() throws { try perform { try file.finish() } }

  private func perform(_ step: () throws -> Void) throws {
    if hasVerdict { try Console.keepingVerdict(step) } else { try step() }
  }
}
