#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// One place that records are read from.
public struct InputFile: Hashable, Sendable {
  /// The path as it was given or found; `-` is standard input.
  public var path: String

  /// Standard input.
  public static let standardInput = InputFile(path: "-")

  /// Names a file; nothing is opened yet.
  public init(path: String) { self.path = path }

  /// The names of files that are read in directories: records, compressed or not, and archives.
  public static let patterns: [String] = {
    let plain = ["json", "ndjson", "jsonl", "b64", "base64", "tar"]
    let wrapped = ["", ".gz", ".zst", ".xz", ".bz2"]
    return plain.flatMap { name in wrapped.map { "*.\(name)\($0)" } } + ["*.tgz", "*.tbz2", "*.txz", "*.zip"]
  }()

  /// The files that arguments name: files as they are, directories with all that lies below them.
  ///
  /// Order: arguments as given; inside a directory by the bytes of the names, folders and files alike. Hidden names and
  /// folders behind symbolic links are left out.
  ///
  /// - Parameters:
  ///   - paths: files, directories, or `-` for standard input.
  ///   - patterns: shell patterns for names of files inside directories.
  /// - Throws: `BulkError` for what does not exist or cannot be read.
  public static func find(
    _ paths: [String], patterns: [String] = InputFile.patterns
  ) throws(BulkError) -> [InputFile] {
    var files: [InputFile] = []
    for path in paths {
      if path == "-" {
        files.append(.standardInput)
        continue
      }
      var status = stat()
      guard stat(path, &status) == 0 else { throw BulkError(path: path, doing: "open", number: errno) }
      if status.st_mode & S_IFMT == S_IFDIR {
        try list(path, patterns, depth: 0, &files)
      } else {
        files.append(InputFile(path: path))
      }
    }
    return files
  }

  /// True when two paths lead to the same existing file.
  package static func isSame(_ left: String, _ right: String) -> Bool {
    var (one, two) = (stat(), stat())
    guard stat(left, &one) == 0, stat(right, &two) == 0 else { return left == right }
    return one.st_dev == two.st_dev && one.st_ino == two.st_ino
  }

  private static func list(
    _ folder: String, _ patterns: [String], depth: Int, _ files: inout [InputFile]
  ) throws(BulkError) {
    guard depth < 64 else { throw BulkError(path: folder, doing: "enter so deep a directory", number: ELOOP) }
    for name in try names(in: folder) {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0 else { throw BulkError(path: path, doing: "open", number: errno) }
      let isLink = status.st_mode & S_IFMT == S_IFLNK
      if isLink, stat(path, &status) != 0 {
        // Whoever laid a link meant something to be read there.
        guard patterns.contains(where: { Platform.matches(name, pattern: $0) }) else { continue }
        throw BulkError(path: path, doing: "follow the link", number: errno)
      }
      if status.st_mode & S_IFMT == S_IFDIR {
        if !isLink { try list(path, patterns, depth: depth + 1, &files) }
      } else if status.st_mode & S_IFMT == S_IFREG, patterns.contains(where: { Platform.matches(name, pattern: $0) }) {
        files.append(InputFile(path: path))
      }
    }
  }

  private static func names(in folder: String) throws(BulkError) -> [String] {
    guard let directory = opendir(folder) else { throw BulkError(path: folder, doing: "list", number: errno) }
    defer { closedir(directory) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
      errno = 0
    }
    // A folder that cannot be read to its end must not look like a small one.
    guard errno == 0 else { throw BulkError(path: folder, doing: "list", number: errno) }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
