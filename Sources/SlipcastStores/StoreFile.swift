internal import SlipcastBulk

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The calls of the operating system that files of databases need.
enum StoreFile {
  /// What stands under a path.
  enum Found: Equatable {
    case nothing, empty, database
    /// A folder, a pipe, or a file that is no SQLite database.
    case other
  }

  /// The bytes with which every SQLite database begins.
  static let header = Array("SQLite format 3\0".utf8)

  /// Looks at a path without reading from pipes.
  static func look(_ path: String) -> Found {
    var status = stat()
    guard stat(path, &status) == 0 else { return .nothing }
    guard status.st_mode & S_IFMT == S_IFREG else { return .other }
    guard status.st_size > 0 else { return .empty }
    guard let descriptor = try? Platform.open(path) else { return .other }
    defer { Platform.close(descriptor) }
    var bytes: [UInt8] = []
    var piece = header
    while bytes.count < header.count {
      guard let got = try? Platform.read(descriptor, into: &piece, count: header.count - bytes.count, path: path),
        got > 0
      else { return .other }
      bytes += piece.prefix(got)
    }
    return bytes == header ? .database : .other
  }

  /// Makes an empty file that only its owner may read, unless there is one: it will hold customers' purchases.
  static func createPrivately(_ path: String) throws(StoreError) {
    var descriptor: Int32
    repeat { descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else {
      let number = errno
      let kind: StoreError.Kind =
        number == EROFS || number == EACCES ? .readOnly : number == ENOSPC ? .full : .cannotOpen
      throw StoreError(kind, path, "create the store", String(cString: strerror(number)))
    }
    close(descriptor)
  }
}
