internal import SlipcastLibC

// Files that grow while others read them.
extension Platform {
  /// Opens a file for writing at its end, and creates it for its owner only.
  package static func append(to path: String) throws(BulkError) -> Int32 {
    let descriptor = systemOpen(path, O_WRONLY | O_CREAT | O_APPEND)
    guard descriptor >= 0 else { throw BulkError(path: path, doing: "write", number: errno) }
    return descriptor
  }

  package static func cut(_ descriptor: Int32, to bytes: Int, path: String) throws(BulkError) {
    guard repeating({ ftruncate(descriptor, off_t(bytes)) }) == 0 else {
      throw BulkError(path: path, doing: "write", number: errno)
    }
  }

  static var temporaryFolder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  /// A file without a name in the folder for temporary files (`TMPDIR`); it is gone when it is closed.
  package static func unnamedFile() throws(BulkError) -> Int32 {
    let folder = temporaryFolder
    var name = Array("\(folder)/slipcast.XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw BulkError(path: folder, doing: "create a temporary file", number: errno) }
    unlink(name)
    return descriptor
  }

  /// Reads from a place of a file; several threads may do so.
  package static func read(_ descriptor: Int32, at offset: Int, count: Int) throws(BulkError) -> [UInt8] {
    var failed: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, held in
      while held < count, let base = buffer.baseAddress {
        let got = pread(descriptor, base + held, count - held, off_t(offset + held))
        if got > 0 { held += got }
        if got < 0, errno != EINTR { failed = errno }
        if got == 0 || failed != 0 { break }
      }
    }
    guard bytes.count == count else { throw BulkError(path: "temporary file", doing: "read", number: failed) }
    return bytes
  }

  /// The time of the system's clock, in milliseconds since 1970 UTC.
  package static func milliseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }

  package static func pause(_ seconds: Double) { poll(nil, 0, Int32(max(0, seconds) * 1000)) }
}
