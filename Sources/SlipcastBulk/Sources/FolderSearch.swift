// Unsafe on purpose: the system returns names of files in its own memory.
internal import SlipcastLibC

/// An entry of a directory that is not read.
///
/// Names that do not match the user's own patterns are not reported.
package struct PassedOver: Hashable, Sendable, CustomStringConvertible {
  package enum Reason: String, Hashable, Sendable {
    case link = "it is a link out of the directory"
    case folderLink = "it is a link to a directory"
    case deadLink = "it is a broken link"
    case noFile = "it is not a file"
    case otherName = "unknown extension"
  }

  package var path: String
  package var reason: Reason

  package var description: String { "\(path): skipped: \(reason.rawValue)" }
}

struct FolderSearch {
  let patterns: [String]
  /// The directory that the search began in, links and dots resolved.
  let root: String
  private(set) var files: [InputFile] = []
  private(set) var passedOver: [PassedOver] = []

  init(patterns: [String], root: String) { (self.patterns, self.root) = (patterns, root) }

  mutating func list(_ folder: String, depth: Int) throws(BulkError) {
    guard depth < 64 else { throw BulkError(path: folder, doing: "enter so deep a directory", number: ELOOP) }
    for name in try Platform.names(in: folder) {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      // Extensions count in upper case too, as Windows writes them; patterns of a user are taken literally.
      let shown = patterns == InputFile.patterns ? name.lowercased() : name
      let isWanted = patterns.contains { Platform.matches(shown, pattern: $0) }
      guard let status = Platform.namedStatus(path) else { throw BulkError(path: path, doing: "open", number: errno) }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: try list(path, depth: depth + 1)
      case S_IFREG:
        if isWanted {
          files.append(InputFile(path: path))
        } else if patterns == InputFile.patterns {
          passedOver.append(PassedOver(path: path, reason: .otherName))
        }
      case S_IFLNK: follow(path, isWanted: isWanted)
      default: if isWanted { passedOver.append(PassedOver(path: path, reason: .noFile)) }
      }
    }
  }

  private mutating func follow(_ path: String, isWanted: Bool) {
    let kind = Platform.kind(path)
    // A file in a directory may have any name.
    guard isWanted || kind == .folder else { return }
    let reason: PassedOver.Reason? =
      switch kind {
      case .nothing: .deadLink
      case .folder: .folderLink
      case .other: .noFile
      case .file: isInside(path) ? nil : .link
      }
    if let reason {
      passedOver.append(PassedOver(path: path, reason: reason))
    } else {
      files.append(InputFile(path: path))
    }
  }

  private func isInside(_ path: String) -> Bool {
    guard let real = try? Platform.realPath(path) else { return false }
    return real.hasPrefix(root == "/" ? root : root + "/")
  }
}

extension Platform {
  /// The names in a folder, sorted, without those that start with a dot.
  package static func names(in folder: String) throws(BulkError) -> [String] {
    guard let directory = opendir(folder) else { throw BulkError(path: folder, doing: "list", number: errno) }
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
        throw BulkError(path: folder + "/" + name, doing: "open", reason: reason)
      }
      names.append(name)
    }
    // A folder that cannot be read completely must not look like a small one.
    guard errno == 0 else { throw BulkError(path: folder, doing: "list", number: errno) }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The error that the last call of the system left.
  static var lastError: Int32 { errno }

  /// A path without links and dots.
  static func realPath(_ path: String) throws(BulkError) -> String {
    guard let real = realpath(path, nil) else { throw BulkError(path: path, doing: "open", number: errno) }
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
}
