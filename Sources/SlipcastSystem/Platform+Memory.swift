// Unsafe on purpose: memory straight from the system.
internal import SlipcastLibC

extension Platform {
  /// Zeroed memory from the system.
  ///
  /// - Parameter inFile: maps an unnamed file in the folder for temporary files; its space is allocated at once, so a
  ///   full disk is an error here and not a crash later.
  package static func map(bytes: Int, inFile: Bool) throws(FileError) -> UnsafeMutableRawPointer {
    guard inFile else {
      let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | anonymous, -1, 0)
      guard let memory, memory != MAP_FAILED else { throw FileError(path: "memory", doing: "reserve", number: errno) }
      return memory
    }
    let (descriptor, folder) = (try unnamedFile(), temporaryFolder)
    defer { close(descriptor) }
    #if os(Linux)
      let number = posix_fallocate(descriptor, 0, off_t(bytes))
    #else
      let number = ftruncate(descriptor, off_t(bytes)) == 0 ? 0 : errno
    #endif
    guard number == 0 else {
      throw FileError(
        path: folder, doing: "write temporary files",
        reason: reason(number) + "; name a folder with more room in TMPDIR")
    }
    let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let memory, memory != MAP_FAILED else {
      throw FileError(path: folder, doing: "map a temporary file", number: errno)
    }
    return memory
  }

  private static var anonymous: Int32 {
    #if os(Linux)
      Int32(MAP_ANONYMOUS)
    #else
      MAP_ANON
    #endif
  }

  package static func unmap(_ memory: UnsafeMutableRawPointer, bytes: Int) { munmap(memory, bytes) }
}
