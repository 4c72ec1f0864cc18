/// The links of one archive, and which of its files were read.
///
/// A link is another name of a file. Its file may come before or after it, and may not be wanted by its own name, so links
/// are settled when the archive has been read to its end.
struct ArchiveLinks {
  /// A link whose file was not read yet.
  struct Open {
    var name: String
    /// The file, by its plain name; `nil` where the link leads out of the archive or back to itself.
    var target: String?
  }

  /// Where all links lead, by their plain names.
  private var targets: [String: String?] = [:]
  /// Names of links that should be read, in their order.
  private var wanted: [String] = []
  /// Hashes of plain names of files that were read, and of their folders: an archive may have very many.
  private var read: Set<Int> = []

  mutating func note(read name: String) {
    guard var path = Self.plain(name, in: "") else { return }
    while read.insert(path.hashValue).inserted, let slash = path.lastIndex(of: "/") { path = String(path[..<slash]) }
  }

  mutating func note(link entry: Archive.Entry, isWanted: Bool) {
    guard let target = entry.target, let name = Self.plain(entry.name, in: "") else { return }
    if isWanted { wanted.append(entry.name) }
    targets[name] = .some(Self.target(target, of: name, isRelative: entry.isRelative))
  }

  private static func target(_ target: String, of name: String, isRelative: Bool) -> String? {
    guard isRelative else { return plain(target, in: "") }
    // What begins at the root of a file system is not in the archive.
    guard !target.isEmpty, !target.hasPrefix("/") else { return nil }
    return plain(target, in: name.lastIndex(of: "/").map { String(name[..<$0]) } ?? "")
  }

  /// Wanted links whose files were not read, one for each file.
  var open: [Open] {
    var seen: Set<String> = []
    return wanted.compactMap { name in
      guard let target = resolve(name) else { return Open(name: name, target: nil) }
      return !read.contains(target.hashValue) && seen.insert(target).inserted ? Open(name: name, target: target) : nil
    }
  }

  /// The file that a link leads to, over other links; `nil` where there is none in the archive.
  private func resolve(_ name: String) -> String? {
    var at = Self.plain(name, in: "")
    for _ in 0..<40 {
      guard let link = at, let next = targets[link] else { return at }
      at = next
    }
    return nil
  }

  /// A path without `.`, `..` and slashes that mean nothing; `nil` where it leads out of the archive.
  static func plain(_ path: String, in folder: String) -> String? {
    var parts = folder.split(separator: "/")
    for part in path.split(separator: "/") where part != "." {
      guard part == ".." else {
        parts.append(part)
        continue
      }
      guard parts.popLast() != nil else { return nil }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "/")
  }
}

/// In the place of a link's content that cannot be had.
final class MissingContent: ByteStream {
  private let fault: BulkError
  let rawOffset = 0

  init(_ path: String, _ reason: String) { fault = BulkError(path: path, doing: "read", reason: reason) }

  func read(into memory: UnsafeMutablePointer<UInt8>, count: Int) throws(BulkError) -> Int { throw fault }
}
