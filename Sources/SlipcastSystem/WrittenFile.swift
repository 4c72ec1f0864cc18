internal import SlipcastLibC

/// A file that a run writes, identified by its device and inode.
///
/// Other programs may delete or replace the file under its name in the meantime. Then the output is lost, and the file
/// under the name belongs to another program.
package struct WrittenFile {
  package let path: String
  private let identity: Platform.FileIdentity
  /// The state of the file when it was closed: the inode number of a closed file may be given to another file.
  private var closed: [Int]?

  /// The size of a file and the time of its last change.
  private static func state(_ status: stat) -> [Int] {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return [Int(status.st_size), Int(time.tv_sec), Int(time.tv_nsec)]
  }

  /// Records which file was opened under a name.
  package init(_ descriptor: Int32, path: String) throws(FileError) {
    (self.path, identity) = (path, Platform.FileIdentity(try Platform.status(descriptor, path)))
  }

  /// Records which file has a name, without opening it.
  package init(closed path: String) throws(FileError) {
    guard let status = Platform.namedStatus(path) else { throw FileError(path: path, doing: "open", number: errno) }
    (self.path, identity, closed) = (path, Platform.FileIdentity(status), Self.state(status))
  }

  /// Records the state of the file after it was closed for a while.
  package mutating func noteClosing() throws(FileError) {
    try check()
    closed = Platform.namedStatus(path).map(Self.state) ?? closed
  }

  package mutating func noteOpening() { closed = nil }

  /// Checks that the name still refers to this file.
  package func check() throws(FileError) { try check(under: path) }

  private func check(under name: String) throws(FileError) {
    guard let status = Platform.namedStatus(name) else {
      guard errno == ENOENT || errno == ENOTDIR else { throw FileError(path: name, doing: Self.action, number: errno) }
      throw fault(name, "the file was deleted or moved")
    }
    guard Platform.FileIdentity(status) == identity else { throw fault(name, "the file was replaced") }
    guard closed == nil || closed == Self.state(status) else { throw fault(name, "the file was replaced or changed") }
  }

  /// Gives the file its final name and replaces any file with that name; a foreign file under the old name keeps its
  /// name.
  ///
  /// - Parameter syncsFolder: false where the caller makes the names in a folder durable together.
  package func rename(to name: String, syncsFolder: Bool) throws(FileError) {
    try check()
    try Platform.rename(path, to: name)
    // Another program may have been faster than the call between the two.
    try check(under: name)
    // Not every folder can be opened; the file is complete in any case.
    if syncsFolder { try? Platform.synchronizeFolder(of: name) }
  }

  private static let action = "finish the output"

  private func fault(_ name: String, _ what: String) -> FileError {
    let advice = "let no other program change the file, and run the command again from the start"
    return FileError(
      path: name, doing: Self.action,
      reason: "\(what) while this run wrote it, so what was written is lost; \(advice)")
  }
}

/// A file that grows: which one it is, and how long.
package struct GrownFile: Hashable, Sendable {
  package let identity: Platform.FileIdentity
  package let bytes: Int

  private init(_ status: stat) { (identity, bytes) = (Platform.FileIdentity(status), Int(status.st_size)) }

  /// - Throws: `FileError` when the open file cannot be examined.
  package init(_ descriptor: Int32, path: String) throws(FileError) {
    self.init(try Platform.status(descriptor, path))
  }

  /// - Throws: `FileError` when there is nothing under the name.
  package init(named path: String) throws(FileError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileError(path: path, doing: "find", number: errno) }
    self.init(status)
  }
}
