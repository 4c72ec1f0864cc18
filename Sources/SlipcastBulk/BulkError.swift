/// Something that a run needs and cannot have: a file that is missing, a disk that is full, an archive that is damaged.
public struct BulkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public var path: String
  /// What was to be done with it, as a verb.
  public var action: String
  /// The system's error number; 0 where no system call failed.
  public var number: Int32
  /// Why it could not be done, and what helps.
  public var reason: String

  package init(path: String, doing action: String, number: Int32) {
    (self.path, self.action, self.number) = (path, action, number)
    reason = Platform.reason(number)
  }

  package init(path: String, doing action: String, reason: String) {
    (self.path, self.action, self.reason) = (path, action, reason)
    number = 0
  }

  /// True when the reader of a pipe has gone away.
  public var isClosedPipe: Bool { number == Platform.closedPipe }

  /// `archive.ndjson: cannot open: No such file or directory`.
  public var description: String {
    let standard = action == "write" ? "standard output" : "standard input"
    return "\(path == "-" ? standard : path): cannot \(action): \(reason)"
  }
}
