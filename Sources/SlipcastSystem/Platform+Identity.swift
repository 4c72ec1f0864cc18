internal import SlipcastLibC

/// What there is under a name, and which file it is.
extension Platform {
  package enum Kind { case nothing, file, folder, link, other }

  /// The kind of file under a name, after following links.
  package static func kind(_ path: String) -> Kind {
    status(path).map(kind) ?? .nothing
  }

  /// The kind of what has a name itself: links are not followed.
  package static func namedKind(_ path: String) -> Kind { namedStatus(path).map(kind) ?? .nothing }

  private static func kind(_ status: stat) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    case S_IFLNK: .link
    default: .other
    }
  }

  /// A name that is written to directly: a pipe or a device, or another name of an open file; no `.part` file is
  /// possible there.
  package static func isStream(_ path: String) -> Bool {
    kind(path) == .other || ["/dev/fd/", "/dev/std", "/proc/"].contains { path.hasPrefix($0) }
  }

  /// The identity of a file, whatever its name.
  package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    init(_ status: stat) {
      (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
    }
  }

  /// The file under a name, after following links; `nil` for nothing.
  package static func identity(_ path: String) -> FileIdentity? { status(path).map { FileIdentity($0) } }

  /// The size in bytes of a regular file; `nil` for anything else.
  package static func size(_ path: String) -> Int? {
    guard let status = status(path), status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  static func status(_ descriptor: Int32, _ path: String) throws(FileError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(path: path, doing: "look at", number: errno) }
    return status
  }

  /// The status of what has a name itself: links are not followed.
  static func namedStatus(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }
}
