// Unsafe on purpose: the system returns names of files in its own memory.
internal import SlipcastLibC

/// Folders and paths.
extension Platform {
  /// The names in a folder, sorted, without those that start with a dot.
  package static func names(in folder: String) throws(FileError) -> [String] {
    guard let directory = opendir(folder) else { throw FileError(path: folder, doing: "list", number: errno) }
    defer { closedir(directory) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(directory) {
      let (name, isText) = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          (String(cString: $0), String(validatingCString: $0) != nil)
        }
      }
      errno = 0
      if name.hasPrefix(".") { continue }
      guard isText else {
        let reason = "its name is not UTF-8; rename it, or pass it on standard input"
        throw FileError(path: folder + "/" + name, doing: "open", reason: reason)
      }
      names.append(name)
    }
    // A folder that cannot be read completely must not look like a small one.
    guard errno == 0 else { throw FileError(path: folder, doing: "list", number: errno) }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// A path without links and dots.
  package static func realPath(_ path: String) throws(FileError) -> String {
    guard let real = realpath(path, nil) else { throw FileError(path: path, doing: "open", number: errno) }
    defer { free(real) }
    return String(cString: real)
  }

  /// The path of a file that may not exist, without links and dots in the name of its folder; a link itself stays one.
  package static func resolved(_ path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard let name = parts.last, name != ".", name != ".." else { return (try? realPath(path)) ?? path }
    let folder = (path.hasPrefix("/") ? "/" : "./") + parts.dropLast().joined(separator: "/")
    guard let real = try? realPath(folder) else { return path }
    return real == "/" ? "/\(name)" : "\(real)/\(name)"
  }

  /// Makes a new name durable by writing the folder to the disk.
  package static func synchronizeFolder(of path: String) throws(FileError) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let descriptor = try open(folder.isEmpty ? "/" : folder)
    defer { close(descriptor) }
    try synchronize(descriptor, path: folder)
  }

  /// Creates a folder; an existing one is fine.
  ///
  /// - Parameter isPrivate: only its owner can read it.
  /// - Returns: whether it is new.
  @discardableResult
  package static func makeFolder(_ path: String, isPrivate: Bool = true) throws(FileError) -> Bool {
    if mkdir(path, isPrivate ? 0o700 : 0o755) == 0 { return true }
    guard errno == EEXIST else { throw FileError(path: path, doing: "make the folder", number: errno) }
    return false
  }

  /// Removes an empty folder.
  package static func removeFolder(_ path: String) { rmdir(path) }
}
