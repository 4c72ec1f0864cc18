internal import SlipcastLibC
package import SlipcastSystem

/// Lets standard input be read twice: a pipe is copied into an unnamed temporary file, which takes its place.
package struct StandardInputCopy {
  private let start: off_t

  /// Prepares standard input for a second reading; `nil` where it is not among the sources.
  ///
  /// - Throws: `FileError` for any other pipe, of which a second reading would find nothing.
  package init?(for sources: [RecordSource]) throws(FileError) {
    for case .file(let file, _) in sources where file.isStream && file != .standardInput {
      throw FileError(
        path: file.path, doing: "read twice",
        reason: "it is a pipe; name it as standard input (-), or write it to a file")
    }
    let isUsed = sources.contains { source in
      if case .file(let file, _) = source { file == .standardInput } else { false }
    }
    guard isUsed else { return nil }
    let here = lseek(0, 0, SEEK_CUR)
    guard here < 0 else {
      start = here
      return
    }
    start = 0
    let copy = try Platform.unnamedFile()
    defer { Platform.close(copy) }
    let size = 256 << 10
    if let start = StreamHeads.take("-") {
      try Platform.write(copy, start.bytes, path: Platform.temporaryFolder)
    }
    var piece: [UInt8] = []
    while try Platform.read(0, to: &piece, most: size, path: "-") > 0 {
      try Platform.write(copy, piece, path: Platform.temporaryFolder)
      piece.removeAll(keepingCapacity: true)
    }
    guard dup2(copy, 0) == 0 else { throw FileError(path: "-", doing: "read again", number: errno) }
    rewind()
  }

  package func rewind() { lseek(0, start, SEEK_SET) }
}
