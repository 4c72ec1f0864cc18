// Unsafe on purpose: the system's calls for files take pointers.
internal import SlipcastLibC

/// Reads and writes open files; a call that a signal interrupts is repeated.
extension Platform {
  /// Opens a file; a new one is readable only by its owner.
  static func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
    repeating { SlipcastLibC.open(path, flags | O_CLOEXEC, 0o600) }
  }

  package static func open(_ path: String) throws(FileError) -> Int32 {
    let descriptor = systemOpen(path, O_RDONLY)
    guard descriptor >= 0 else { throw FileError(path: path, doing: "open", number: errno) }
    return descriptor
  }

  /// Reads into memory; returns 0 at the end.
  package static func read(
    _ descriptor: Int32, into memory: UnsafeMutableRawPointer, count: Int, path: String
  ) throws(FileError) -> Int {
    while true {
      let got = SlipcastLibC.read(descriptor, memory, count)
      if got >= 0 { return got }
      if !waits(descriptor, for: POLLIN) { throw FileError(path: path, doing: "read", number: errno) }
    }
  }

  /// Appends the next bytes of a file; returns how many, 0 at the end.
  ///
  /// - Parameter most: at most so many, and not more than there is room for.
  package static func read(
    _ descriptor: Int32, into room: inout OutputSpan<UInt8>, most: Int, path: String
  ) throws(FileError) -> Int {
    try room.withUnsafeMutableBufferPointer { (memory, count) throws(FileError) -> Int in
      guard let base = memory.baseAddress else { return 0 }
      let got = try read(descriptor, into: base + count, count: min(most, memory.count - count), path: path)
      count += got
      return got
    }
  }

  package static func read(
    _ descriptor: Int32, to bytes: inout [UInt8], most: Int, path: String
  ) throws(FileError) -> Int {
    let before = bytes.count
    try bytes.append(addingCapacity: most) { (room) throws(FileError) in
      _ = try read(descriptor, into: &room, most: most, path: path)
    }
    return bytes.count - before
  }

  package static func write(_ descriptor: Int32, _ bytes: Span<UInt8>, path: String) throws(FileError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(FileError) in
      if let base = bytes.baseAddress { try write(descriptor, base, bytes.count, path: path) }
    }
  }

  private static func write(
    _ descriptor: Int32, _ base: UnsafePointer<UInt8>, _ count: Int, path: String
  ) throws(FileError) {
    var done = 0
    while done < count {
      let wrote = SlipcastLibC.write(descriptor, base + done, count - done)
      if wrote > 0 {
        done += wrote
      } else if wrote < 0, !waits(descriptor, for: POLLOUT) {
        throw FileError(path: path, doing: "write", number: errno)
      }
    }
  }

  /// After a failed call: true when it only has to be repeated, once the descriptor is ready.
  ///
  /// A pipe is inherited as it is, and its creator may have made it non-blocking.
  private static func waits(_ descriptor: Int32, for event: Int32) -> Bool {
    if errno == EINTR { return true }
    guard errno == EAGAIN || errno == EWOULDBLOCK else { return false }
    var wanted = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: event), revents: 0)
    return poll(&wanted, 1, -1) >= 0 || errno == EINTR
  }

  /// Seeks to a position in a regular file; false for anything else.
  package static func seek(_ descriptor: Int32, to offset: Int) -> Bool {
    guard let status = try? status(descriptor, ""), status.st_mode & S_IFMT == S_IFREG else { return false }
    return lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset)
  }

  /// Reads from a place of a file; several threads may do so.
  package static func read(_ descriptor: Int32, at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    var failed: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, held in
      while held < count, let base = buffer.baseAddress {
        let got = pread(descriptor, base + held, count - held, off_t(offset + held))
        if got > 0 { held += got }
        if got < 0, errno != EINTR { failed = errno }
        if got == 0 || failed != 0 { break }
      }
    }
    guard bytes.count == count else { throw FileError(path: "temporary file", doing: "read", number: failed) }
    return bytes
  }

  package static func close(_ descriptor: Int32) {
    _ = SlipcastLibC.close(descriptor)
  }

  /// Waits until a file's bytes are on the disk; pipes and terminals have none.
  package static func synchronize(_ descriptor: Int32, path: String) throws(FileError) {
    guard repeating({ fsync(descriptor) }) != 0, errno != EINVAL, errno != EROFS, errno != ENOTSUP else { return }
    throw FileError(path: path, doing: "write to the disk", number: errno)
  }

  package static func rename(_ path: String, to name: String) throws(FileError) {
    let done = SlipcastLibC.rename(path, name)
    guard done == 0 else { throw FileError(path: path, doing: "rename to \(name)", number: errno) }
  }

  package static func remove(_ path: String) { unlink(path) }
}
