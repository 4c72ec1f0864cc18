import SlipcastBulk

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What came through standard input, in a file that other users cannot read; deleted with its owner.
final class TemporaryCopy {
  let path: String
  private let file: Int32
  private let hasName: Bool

  /// Copies a stream to its end.
  ///
  /// - Throws: `BulkError` when it cannot be read, or the disk is full.
  init(of descriptor: Int32) throws {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/slipcast-XXXXXX".utf8CString)
    let target = mkstemp(&template)
    let name = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    guard target >= 0 else { throw BulkError(path: folder, doing: "make a temporary file in", number: errno) }
    // Nothing is left of it when the program is killed: where /proc leads to open files, the file has no name from the
    // beginning.
    file = target
    let unnamed = "/proc/self/fd/\(target)"
    hasName = access(unnamed, F_OK) != 0
    path = hasName ? name : unnamed
    if !hasName { unlink(name) }
    let chunk = UnsafeMutableRawPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { chunk.deallocate() }
    while true {
      let got = try Platform.read(descriptor, into: chunk, count: 256 << 10, path: "standard input")
      if got == 0 { return }
      let bytes = UnsafeRawBufferPointer(start: chunk, count: got).bindMemory(to: UInt8.self)
      try Platform.write(target, bytes, path: name)
    }
  }

  deinit {
    Platform.close(file)
    if hasName { unlink(path) }
  }
}
