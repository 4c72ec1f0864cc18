internal import SlipcastLibC

/// Creates files that may contain customers' receipts.
extension Platform {
  /// Opens a new file for writing, readable only by its owner from the moment of its creation.
  ///
  /// Its name (`NAME.part`) is predictable, so another user may have created something there. A link is not followed,
  /// and a file that belongs to another user, has a second name or is not a regular file is not written. A leftover of
  /// a killed run is overwritten, once no process writes it any more.
  ///
  /// - Throws: `FileError` that states what exists there.
  package static func create(_ path: String) throws(FileError) -> Int32 {
    var descriptor = systemOpen(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    // Without waiting: it may be a pipe without a reader.
    if descriptor < 0, errno == EEXIST {
      descriptor = systemOpen(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
    }
    guard descriptor >= 0 else { throw refusal(path, doing: "create") }
    return try keep(descriptor) { () throws(FileError) in
      try own(descriptor, path)
      try empty(descriptor, path)
    }
  }

  /// Opens something that exists and is not a regular file: a pipe, a device, an open file in `/dev/fd`.
  package static func openStream(_ path: String) throws(FileError) -> Int32 {
    let descriptor = systemOpen(path, O_WRONLY)
    guard descriptor >= 0 else { throw FileError(path: path, doing: "open", number: errno) }
    return try keep(descriptor) { () throws(FileError) in
      if try claim(descriptor, path) { try empty(descriptor, path) }
    }
  }

  /// Opens a file of an earlier run for writing at a position, and truncates what follows.
  ///
  /// - Parameter check: throws when the open file is not the expected one, before it is truncated.
  package static func reopen(
    _ path: String, at size: Int, check: () throws(FileError) -> Void = { () throws(FileError) in }
  ) throws(FileError) -> Int32 {
    let descriptor = systemOpen(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw refusal(path, doing: "open") }
    return try keep(descriptor) { () throws(FileError) in
      try own(descriptor, path)
      try check()
      guard repeating({ ftruncate(descriptor, off_t(size)) }) == 0, lseek(descriptor, 0, SEEK_END) == off_t(size) else {
        throw FileError(path: path, doing: "cut to the length of the checkpoint", number: errno)
      }
    }
  }

  /// Returns an open file, and closes it where the preparation fails.
  private static func keep(
    _ descriptor: Int32, _ prepare: () throws(FileError) -> Void
  ) throws(FileError) -> Int32 {
    do throws(FileError) {
      try prepare()
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func empty(_ descriptor: Int32, _ path: String) throws(FileError) {
    guard repeating({ ftruncate(descriptor, 0) }) == 0 else {
      throw FileError(path: path, doing: "empty", number: errno)
    }
  }

  /// Locks an open file for this run until it is closed.
  private static func own(_ descriptor: Int32, _ path: String) throws(FileError) {
    let status = try status(descriptor, path)
    guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_nlink == 1 else {
      throw FileError(path: path, doing: "write", reason: "it exists and is not a file of this user; remove it")
    }
    try claim(descriptor, path)
    // Another run may have given the file its final name while this one waited to open it.
    guard let named = namedStatus(path), FileIdentity(named) == FileIdentity(status) else {
      throw FileError(path: path, doing: "write", reason: "another run writes there; wait until it has ended")
    }
    guard fchmod(descriptor, 0o600) == 0 else { throw FileError(path: path, doing: "protect", number: errno) }
  }

  /// Creates a file that does not exist yet; what exists is not touched.
  ///
  /// - Parameter isPrivate: only its owner can read it, from the moment of its creation.
  /// - Throws: `FileError` with the number `exists` where something has the name.
  package static func createNew(_ path: String, isPrivate: Bool) throws(FileError) -> Int32 {
    let descriptor = repeating {
      SlipcastLibC.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isPrivate ? 0o600 : 0o644)
    }
    guard descriptor >= 0 else { throw FileError(path: path, doing: "create", number: errno) }
    return descriptor
  }

  /// Creates an empty file that only its owner can read, or protects one that is there; a link is not followed.
  package static func createEmpty(_ path: String) throws(FileError) {
    let descriptor = systemOpen(path, O_RDWR | O_CREAT | O_NOFOLLOW)
    guard descriptor >= 0 else { throw FileError(path: path, doing: "create", number: errno) }
    defer { close(descriptor) }
    guard fchmod(descriptor, 0o600) == 0 else { throw FileError(path: path, doing: "protect", number: errno) }
  }

  /// True for a file that others than its owner may read, write or run.
  package static func isOpenToOthers(_ path: String) -> Bool { status(path).map { $0.st_mode & 0o077 != 0 } ?? false }

  /// Makes a file readable by its owner only.
  package static func protect(_ path: String) throws(FileError) {
    guard chmod(path, 0o600) == 0 else { throw FileError(path: path, doing: "protect", number: errno) }
  }

  private static func refusal(_ path: String, doing action: String) -> FileError {
    let error = FileError(path: path, doing: action, number: errno)
    if error.isLink {
      return FileError(path: path, doing: action, reason: "it is a symbolic link, which is not followed; remove it")
    }
    return error.number == ENXIO ? FileError(path: path, doing: action, reason: "it is a pipe; remove it") : error
  }
}
