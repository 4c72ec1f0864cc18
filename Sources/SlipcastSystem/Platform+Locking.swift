internal import SlipcastLibC

extension Platform {
  /// Locks a file or a folder against other runs until it is closed; some file systems do not support this.
  ///
  /// - Returns: whether it is a regular file.
  @discardableResult
  package static func claim(_ descriptor: Int32, _ path: String) throws(FileError) -> Bool {
    guard let status = try? status(descriptor, path) else { return false }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFDIR else { return false }
    var attempts = 25
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
      attempts -= 1
      guard attempts > 0 else {
        throw FileError(path: path, doing: "write", reason: "another run writes there; wait until it has ended")
      }
      // A program that starts another one shares its open files with it for a short time.
      poll(nil, 0, 10)
    }
    return kind == S_IFREG
  }
}
