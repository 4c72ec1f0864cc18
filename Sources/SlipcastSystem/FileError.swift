internal import SlipcastLibC

/// A failure of the environment: a missing file, a full disk, a damaged archive.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public var path: String
  /// The failed action, as a verb.
  public var action: String
  /// The system's error number; 0 where no system call failed.
  public var number: Int32
  /// The cause, and the remedy.
  public var reason: String

  package init(path: String, doing action: String, number: Int32) {
    (self.path, self.action, self.number) = (path, action, number)
    reason = Platform.reason(number)
  }

  package init(path: String, doing action: String, reason: String) {
    (self.path, self.action, self.reason) = (path, action, reason)
    number = 0
  }

  /// True where the name is that of a link, which was not to be followed; systems have different numbers for it.
  package var isLink: Bool { number == ELOOP || number == EMLINK }

  /// True where the system does not let this user write.
  package var isForbidden: Bool { [EROFS, EACCES, EPERM].contains(number) }

  /// True where no room is left.
  package var isFull: Bool { number == ENOSPC }

  /// True when the reader of a pipe has closed it.
  public var isClosedPipe: Bool { number == Platform.closedPipe }

  /// `archive.ndjson: cannot open: No such file or directory`.
  public var description: String {
    let standard = action == "write" ? "standard output" : "standard input"
    return "\(path == "-" ? standard : path): cannot \(action): \(reason)"
  }
}
