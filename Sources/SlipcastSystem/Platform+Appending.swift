internal import SlipcastLibC

// Files that grow while others read them.
extension Platform {
  /// Opens a file for writing at its end, and creates it for its owner only.
  package static func append(to path: String) throws(FileError) -> Int32 {
    let descriptor = systemOpen(path, O_WRONLY | O_CREAT | O_APPEND)
    guard descriptor >= 0 else { throw FileError(path: path, doing: "write", number: errno) }
    return descriptor
  }

  package static func cut(_ descriptor: Int32, to bytes: Int, path: String) throws(FileError) {
    guard repeating({ ftruncate(descriptor, off_t(bytes)) }) == 0 else {
      throw FileError(path: path, doing: "write", number: errno)
    }
  }
}
