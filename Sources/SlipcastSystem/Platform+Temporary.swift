internal import SlipcastLibC

/// Files and folders that are gone when their user is.
extension Platform {
  /// The folder for temporary files: `TMPDIR`, else `/tmp`.
  package static var temporaryFolder: String { environment("TMPDIR") ?? "/tmp" }

  /// A file without a name in the folder for temporary files (`TMPDIR`); it is gone when it is closed.
  package static func unnamedFile() throws(FileError) -> Int32 {
    let folder = temporaryFolder
    var name = Array("\(folder)/slipcast.XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw FileError(path: folder, doing: "create a temporary file", number: errno) }
    unlink(name)
    return descriptor
  }

  /// Creates a folder with a new name, for its owner only, in the folder for temporary files.
  ///
  /// - Returns: its path.
  package static func makeTemporaryFolder() throws(FileError) -> String {
    let parent = temporaryFolder
    var name = Array("\(parent)/slipcast.XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw FileError(path: parent, doing: "make a temporary folder", number: errno)
    }
    return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
