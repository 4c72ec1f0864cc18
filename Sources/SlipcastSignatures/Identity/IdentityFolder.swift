internal import SlipcastSystem

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
    for file in files where Platform.namedKind(path(of: file.name)) != .nothing {
      throw IdentityError(.exists, path: path(of: file.name))
    }
    var (folders, written): ([String], [String]) = ([], [])
    do throws(FileError) {
      try makeFolders { folders.append($0) }
      for file in files {
        let path = path(of: file.name)
        let descriptor = try Platform.createNew(path, isPrivate: file.isPrivate)
        defer { Platform.close(descriptor) }
        written.append(path)
        try Platform.write(descriptor, file.bytes, path: path)
        try Platform.synchronize(descriptor, path: path)
      }
    } catch {
      for path in written { Platform.remove(path) }
      for folder in folders.reversed() { Platform.removeFolder(folder) }
      throw error.number == Platform.exists ? IdentityError(.exists, path: error.path) : IdentityError(error)
    }
  }

  private func makeFolders(_ note: (String) -> Void) throws(FileError) {
    guard !path.isEmpty else {
      throw FileError(path: "", doing: "make a folder without a name", number: Platform.notFound)
    }
    var place = path.startIndex
    while place < path.endIndex {
      let end = path[path.index(after: place)...].firstIndex(of: "/") ?? path.endIndex
      let folder = String(path[..<end])
      place = end
      // For a folder that exists, making it may fail in another way: on a file system that is only read, for example.
      if Platform.namedKind(folder) == .nothing, try Platform.makeFolder(folder, isPrivate: false) { note(folder) }
    }
  }

  // MARK: reading

  /// A file's bytes.
  func contents(of name: String) throws(IdentityError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try Platform.contents(of: path(of: name), limit: Self.limit + 1)
    } catch {
      throw IdentityError(error)
    }
    guard bytes.count <= Self.limit else { throw IdentityError(.tooLarge, path: path(of: name)) }
    return bytes
  }

  /// A chain or a key has a few kilobytes; a longer file was named by mistake.
  private static let limit = 1 << 20
}

extension IdentityError {
  fileprivate init(_ error: FileError) {
    self.init(.system(action: error.action, number: error.number), path: error.path)
  }
}
