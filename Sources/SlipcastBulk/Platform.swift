internal import SlipcastLibC

/// The system calls that this target needs, with errors that name the failed action.
package enum Platform {
  package static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }

  /// Seconds of a clock that never goes back.
  package static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  package static func find(_ byte: UInt8, in memory: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int? {
    guard start < end, let found = memchr(memory + start, Int32(byte), end - start) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(memory)
  }

  package static func find(_ byte: UInt8, in text: Span<UInt8>, from start: Int = 0) -> Int? {
    find(byte, in: text, from: start, to: text.count)
  }

  /// The position of the next byte of that value before an end, or `nil`.
  package static func find(_ byte: UInt8, in text: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    precondition(start >= 0 && end <= text.count, "a search beyond the text")
    return text.withUnsafeBufferPointer { memory in
      memory.baseAddress.flatMap { find(byte, in: $0, from: start, to: end) }
    }
  }

  package static func count(_ byte: UInt8, in text: Span<UInt8>) -> Int {
    var (found, at) = (0, 0)
    while let next = find(byte, in: text, from: at) { (found, at) = (found + 1, next + 1) }
    return found
  }

  package static func findLast(_ byte: UInt8, in memory: UnsafePointer<UInt8>, before end: Int) -> Int? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var at = end
    // Eight bytes at a time, until one of them becomes 0.
    while at >= 8 {
      let word = UnsafeRawPointer(memory + at - 8).loadUnaligned(as: UInt64.self) ^ (ones &* UInt64(byte))
      if (word &- ones) & ~word & (ones << 7) != 0 { break }
      at -= 8
    }
    while at > 0 {
      at -= 1
      if memory[at] == byte { return at }
    }
    return nil
  }

  package static let tooLarge = EFBIG

  package static let notFound = ENOENT

  package static let closedPipe = EPIPE

  package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Opens a file; a new one is readable only by its owner.
  static func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
    repeating { SlipcastLibC.open(path, flags | O_CLOEXEC, 0o600) }
  }

  package static func open(_ path: String) throws(BulkError) -> Int32 {
    let descriptor = systemOpen(path, O_RDONLY)
    guard descriptor >= 0 else { throw BulkError(path: path, doing: "open", number: errno) }
    return descriptor
  }

  /// Locks a file or a folder against other runs until it is closed; some file systems do not support this.
  ///
  /// - Returns: whether it is a regular file.
  @discardableResult
  package static func claim(_ descriptor: Int32, _ path: String) throws(BulkError) -> Bool {
    guard let status = try? status(descriptor, path) else { return false }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFDIR else { return false }
    var attempts = 25
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
      attempts -= 1
      guard attempts > 0 else {
        throw BulkError(path: path, doing: "write", reason: "another run writes there; wait until it has ended")
      }
      // A program that starts another one shares its open files with it for a short time.
      poll(nil, 0, 10)
    }
    return kind == S_IFREG
  }

  /// Reads into memory; returns 0 at the end.
  package static func read(
    _ descriptor: Int32, into memory: UnsafeMutableRawPointer, count: Int, path: String
  ) throws(BulkError) -> Int {
    while true {
      let got = SlipcastLibC.read(descriptor, memory, count)
      if got >= 0 { return got }
      if !waits(descriptor, for: POLLIN) { throw BulkError(path: path, doing: "read", number: errno) }
    }
  }

  /// Appends the next bytes of a file; returns how many, 0 at the end.
  ///
  /// - Parameter most: at most so many, and not more than there is room for.
  package static func read(
    _ descriptor: Int32, into room: inout OutputSpan<UInt8>, most: Int, path: String
  ) throws(BulkError) -> Int {
    try room.withUnsafeMutableBufferPointer { (memory, count) throws(BulkError) -> Int in
      guard let base = memory.baseAddress else { return 0 }
      let got = try read(descriptor, into: base + count, count: min(most, memory.count - count), path: path)
      count += got
      return got
    }
  }

  package static func read(
    _ descriptor: Int32, to bytes: inout [UInt8], most: Int, path: String
  ) throws(BulkError) -> Int {
    let before = bytes.count
    try bytes.append(addingCapacity: most) { (room) throws(BulkError) in
      _ = try read(descriptor, into: &room, most: most, path: path)
    }
    return bytes.count - before
  }

  package static func write(_ descriptor: Int32, _ bytes: Span<UInt8>, path: String) throws(BulkError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(BulkError) in
      if let base = bytes.baseAddress { try write(descriptor, base, bytes.count, path: path) }
    }
  }

  private static func write(
    _ descriptor: Int32, _ base: UnsafePointer<UInt8>, _ count: Int, path: String
  ) throws(BulkError) {
    var done = 0
    while done < count {
      let wrote = SlipcastLibC.write(descriptor, base + done, count - done)
      if wrote > 0 {
        done += wrote
      } else if wrote < 0, !waits(descriptor, for: POLLOUT) {
        throw BulkError(path: path, doing: "write", number: errno)
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

  package static func matches(_ name: String, pattern: String) -> Bool { fnmatch(pattern, name, 0) == 0 }

  package static func close(_ descriptor: Int32) {
    _ = SlipcastLibC.close(descriptor)
  }

  /// Makes a closed pipe an error of `write` instead of the end of the process.
  package static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Waits until a file's bytes are on the disk; pipes and terminals have none.
  package static func synchronize(_ descriptor: Int32, path: String) throws(BulkError) {
    guard repeating({ fsync(descriptor) }) != 0, errno != EINVAL, errno != EROFS, errno != ENOTSUP else { return }
    throw BulkError(path: path, doing: "write to the disk", number: errno)
  }

  package static func rename(_ path: String, to name: String) throws(BulkError) {
    let done = SlipcastLibC.rename(path, name)
    guard done == 0 else { throw BulkError(path: path, doing: "rename to \(name)", number: errno) }
  }

  /// Makes a new name durable by writing the folder to the disk.
  package static func synchronizeFolder(of path: String) throws(BulkError) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let descriptor = try open(folder.isEmpty ? "/" : folder)
    defer { close(descriptor) }
    try synchronize(descriptor, path: folder)
  }

  /// Creates a folder that only its owner can read; an existing one is fine.
  package static func makeFolder(_ path: String) throws(BulkError) {
    guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
    throw BulkError(path: path, doing: "create", number: errno)
  }

  package enum Kind { case nothing, file, folder, other }

  /// The kind of file under a name, after following links.
  package static func kind(_ path: String) -> Kind {
    guard let status = status(path) else { return .nothing }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// A name that is written to directly: a pipe or a device, or another name of an open file; no `.part` file is
  /// possible there.
  package static func isStream(_ path: String) -> Bool {
    kind(path) == .other || ["/dev/fd/", "/dev/std", "/proc/"].contains { path.hasPrefix($0) }
  }

  /// The identity of a file, whatever its name.
  package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    init(_ status: stat) {
      (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
    }
  }

  /// The file under a name, after following links; `nil` for nothing.
  package static func identity(_ path: String) -> FileIdentity? { status(path).map { FileIdentity($0) } }

  /// The size in bytes of a regular file; `nil` for anything else.
  package static func size(_ path: String) -> Int? {
    guard let status = status(path), status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  static func status(_ descriptor: Int32, _ path: String) throws(BulkError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw BulkError(path: path, doing: "look at", number: errno) }
    return status
  }

  /// The status of what has a name itself: links are not followed.
  static func namedStatus(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }
}
