// Unsafe on purpose: the system's calls for files take pointers into arrays that outlive the call.
internal import SlipcastLibC

/// A file of an identity before it is written.
struct IdentityFile {
  var name: String
  var bytes: [UInt8]
  /// Readable only by its owner, from the moment of its creation.
  var isPrivate = false
}

struct IdentityFolder {
  let path: String

  func path(of name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

  // MARK: writing

  /// Writes files that must not exist yet; after an error, none of them remains, nor a folder that was made.
  func create(_ files: [IdentityFile]) throws(IdentityError) {
    for file in files where exists(path(of: file.name)) { throw IdentityError(.exists, path: path(of: file.name)) }
    let folders = try makeFolders()
    var written: [String] = []
    do throws(IdentityError) {
      for file in files {
        let descriptor = try makeFile(file)
        written.append(path(of: file.name))
        try fill(descriptor, file)
      }
    } catch {
      for path in written { unlink(path) }
      for folder in folders.reversed() { rmdir(folder) }
      throw error
    }
  }

  private func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  private func makeFolders() throws(IdentityError) -> [String] {
    guard !path.isEmpty else { throw IdentityError(.system(action: "make a folder without a name", number: ENOENT)) }
    var made: [String] = []
    var place = path.startIndex
    while place < path.endIndex {
      let end = path[path.index(after: place)...].firstIndex(of: "/") ?? path.endIndex
      let folder = String(path[..<end])
      place = end
      if mkdir(folder, 0o755) == 0 {
        made.append(folder)
        continue
      }
      let number = errno
      if exists(folder) { continue }
      for folder in made.reversed() { rmdir(folder) }
      throw IdentityError(.system(action: "make the folder", number: number), path: folder)
    }
    return made
  }

  /// Creates a file; a file that appeared in the meantime is not touched.
  private func makeFile(_ file: IdentityFile) throws(IdentityError) -> Int32 {
    let descriptor = repeating {
      open(path(of: file.name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file.isPrivate ? 0o600 : 0o644)
    }
    if descriptor >= 0 { return descriptor }
    let reason: IdentityError.Reason =
      errno == EEXIST ? .exists : .system(action: "create", number: errno)
    throw IdentityError(reason, path: path(of: file.name))
  }

  private func fill(_ descriptor: Int32, _ file: IdentityFile) throws(IdentityError) {
    var number: Int32 = 0
    file.bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count, number == 0 {
        let wrote = write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if wrote > 0 { done += wrote } else if errno != EINTR { number = wrote == 0 ? ENOSPC : errno }
      }
    }
    if close(descriptor) != 0, number == 0 { number = errno }
    if number != 0 { throw IdentityError(.system(action: "write", number: number), path: path(of: file.name)) }
  }

  // MARK: reading

  /// A file's bytes and its mode.
  func contents(of name: String) throws(IdentityError) -> (bytes: [UInt8], mode: UInt32) {
    let path = path(of: name)
    let descriptor = repeating { open(path, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw IdentityError(.system(action: "open", number: errno), path: path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw IdentityError(.system(action: "read", number: errno), path: path)
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let got = read(descriptor, &chunk, chunk.count)
      if got == 0 { return (bytes, UInt32(status.st_mode)) }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw IdentityError(.system(action: "read", number: errno), path: path) }
      bytes += chunk[..<got]
      guard bytes.count <= Self.limit else { throw IdentityError(.tooLarge, path: path) }
    }
  }

  /// A chain or a key has a few kilobytes; a longer file was named by mistake.
  private static let limit = 1 << 20
}
