import Foundation

/// A file that is only in memory; a path leads to it.
package final class MemoryFile {
  package let path: String
  private let descriptor: Int32

  /// Each file has a name of its own: several targets may run at once in one process.
  package init() throws {
    let unique = "slipcast-fuzz-\(UUID().uuidString)"
    #if os(Linux)
      let name = "/\(unique)"
      descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
      shm_unlink(name)
      path = "/proc/self/fd/\(descriptor)"
    #else
      path = FileManager.default.temporaryDirectory.appendingPathComponent(unique).path
      descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
    #endif
    guard descriptor >= 0 else { throw Violation("no file in memory") }
  }

  deinit {
    close(descriptor)
    #if !os(Linux)
      unlink(path)
    #endif
  }

  /// Replaces the content.
  package func replace(with bytes: UnsafeBufferPointer<UInt8>) throws {
    guard pwrite(descriptor, bytes.baseAddress, bytes.count, 0) == bytes.count,
      ftruncate(descriptor, off_t(bytes.count)) == 0
    else { throw Violation("no memory for a file") }
  }
}
