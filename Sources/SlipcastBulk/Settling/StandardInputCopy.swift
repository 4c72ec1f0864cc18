// Unsafe on purpose: copies bytes with the system's calls.

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Lets standard input be read twice: a pipe is copied into an unnamed temporary file, which takes its place.
package struct StandardInputCopy {
  private let start: off_t

  /// - Throws: `BulkError` when the disk for temporary files is full.
  package init() throws(BulkError) {
    let here = lseek(0, 0, SEEK_CUR)
    guard here < 0 else {
      start = here
      return
    }
    start = 0
    let copy = try Platform.unnamedFile()
    defer { Platform.close(copy) }
    let size = 256 << 10
    let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    defer { piece.deallocate() }
    while true {
      let got = try Platform.read(0, into: piece, count: size, path: "-")
      if got == 0 { break }
      let bytes = UnsafeBufferPointer(start: UnsafePointer(piece), count: got)
      try Platform.write(copy, bytes, path: Platform.temporaryFolder)
    }
    guard dup2(copy, 0) == 0 else { throw BulkError(path: "-", doing: "read again", number: errno) }
    rewind()
  }

  /// Goes back to the beginning.
  package func rewind() { lseek(0, start, SEEK_SET) }
}
