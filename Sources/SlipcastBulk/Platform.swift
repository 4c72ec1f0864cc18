#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The calls of the operating system that this target needs, with errors that name what could not be done.
package enum Platform {
  /// The system's words for an error number.
  package static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }

  /// Seconds of a clock that never goes back.
  package static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The place of the next byte of that value, or `nil`.
  package static func find(_ byte: UInt8, in memory: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int? {
    guard start < end, let found = memchr(memory + start, Int32(byte), end - start) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(memory)
  }

  /// The system's error number for a file that is too large.
  package static let tooLarge = EFBIG

  /// Milliseconds since 1970 UTC, by the machine's clock.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// How many processors this process may use.
  package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Opens a file for reading.
  package static func open(_ path: String) throws(BulkError) -> Int32 {
    #if canImport(Glibc)
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    #elseif canImport(Musl)
      let descriptor = Musl.open(path, O_RDONLY | O_CLOEXEC)
    #else
      let descriptor = Darwin.open(path, O_RDONLY | O_CLOEXEC)
    #endif
    guard descriptor >= 0 else { throw BulkError(path: path, doing: "open", number: errno) }
    return descriptor
  }

  /// Opens a file for writing, anew, readable by its owner alone: it may hold customers' receipts.
  package static func create(_ path: String) throws(BulkError) -> Int32 {
    #if canImport(Glibc)
      let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    #elseif canImport(Musl)
      let descriptor = Musl.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    #else
      let descriptor = Darwin.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    #endif
    guard descriptor >= 0 else { throw BulkError(path: path, doing: "create", number: errno) }
    return descriptor
  }

  /// Reads into memory; gives 0 at the end.
  package static func read(
    _ descriptor: Int32, into memory: UnsafeMutableRawPointer, count: Int, path: String
  ) throws(BulkError) -> Int {
    while true {
      #if canImport(Glibc)
        let got = Glibc.read(descriptor, memory, count)
      #elseif canImport(Musl)
        let got = Musl.read(descriptor, memory, count)
      #else
        let got = Darwin.read(descriptor, memory, count)
      #endif
      if got >= 0 { return got }
      if errno != EINTR { throw BulkError(path: path, doing: "read", number: errno) }
    }
  }

  /// Writes all bytes.
  package static func write(
    _ descriptor: Int32, _ bytes: UnsafeBufferPointer<UInt8>, path: String
  ) throws(BulkError) {
    guard let base = bytes.baseAddress else { return }
    var done = 0
    while done < bytes.count {
      #if canImport(Glibc)
        let wrote = Glibc.write(descriptor, base + done, bytes.count - done)
      #elseif canImport(Musl)
        let wrote = Musl.write(descriptor, base + done, bytes.count - done)
      #else
        let wrote = Darwin.write(descriptor, base + done, bytes.count - done)
      #endif
      if wrote > 0 {
        done += wrote
      } else if wrote < 0, errno != EINTR {
        throw BulkError(path: path, doing: "write", number: errno)
      }
    }
  }

  package static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }

  /// Lets a closed pipe be an error of `write` instead of the end of the process.
  package static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }
}

/// Something that a run needs and cannot have: a file that is missing, a disk that is full.
public struct BulkError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file.
  public var path: String
  /// What was to be done with it, as a verb.
  public var action: String
  /// The system's error number.
  public var number: Int32

  package init(path: String, doing action: String, number: Int32) {
    self.path = path
    self.action = action
    self.number = number
  }

  /// True when the reader of a pipe has gone away.
  public var isClosedPipe: Bool { number == EPIPE }

  /// `archive.ndjson: cannot open: No such file or directory`.
  public var description: String { "\(path): cannot \(action): \(Platform.reason(number))" }
}
