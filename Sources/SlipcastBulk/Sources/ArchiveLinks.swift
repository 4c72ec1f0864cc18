/// The links of one archive, and which of its files were read.
///
/// A link is another name of a file. Its file may come before or after it, and may not be selected by its own name, so
/// links are resolved when the archive has been read completely.
struct ArchiveLinks {
  /// Links whose files were not read.
  struct Open {
    /// Names of links that lead to no file of the archive, the last one first.
    var missing: [String] = []
    /// Links to files of the archive: the name of the link, by the plain name of the file.
    var unread: [String: String] = [:]
  }

  /// No archive of records has more; each is kept until the end of the archive.
  static let most = 100_000
  /// Where all links lead, by their plain names.
  private var targets: [String: String?] = [:]
  /// Names of links that should be read, in their order.
  private var wanted: [String] = []
  /// Hashes of plain names of files that were read, and of their folders: an archive may have very many.
  private var read: Set<Int> = []
  /// The same of files that were not read.
  private var passed: Set<Int> = []

  var isFull: Bool { targets.count >= Self.most || wanted.count >= Self.most }

  mutating func note(file name: String, isRead: Bool) {
    guard var path = Self.plain(name, in: "") else { return }
    guard isRead else {
      passed.insert(path.hashValue)
      return
    }
    while read.insert(path.hashValue).inserted, let slash = path.lastIndex(of: "/") { path = String(path[..<slash]) }
  }

  mutating func note(link entry: Archive.Entry, isWanted: Bool) {
    if isWanted { wanted.append(entry.name) }
    guard let target = entry.target, let name = Self.plain(entry.name, in: "") else { return }
    targets[name] = .some(Self.target(target, of: name, isRelative: entry.isRelative))
  }

  private static func target(_ target: String, of name: String, isRelative: Bool) -> String? {
    guard isRelative else { return plain(target, in: "") }
    // A path from the root of a file system is not in the archive.
    guard !target.isEmpty, !target.hasPrefix("/") else { return nil }
    return plain(target, in: name.lastIndex(of: "/").map { String(name[..<$0]) } ?? "")
  }

  /// Wanted links whose files were not read; of several that lead to one file the first.
  var open: Open {
    var open = Open()
    for name in wanted {
      let target = resolve(name)
      if let target, read.contains(target.hashValue) { continue }
      guard let target, passed.contains(target.hashValue) else {
        open.missing.append(name)
        continue
      }
      if open.unread[target] == nil { open.unread[target] = name }
    }
    open.missing.reverse()
    return open
  }

  /// The file that a link leads to, through other links; `nil` where the archive has none.
  private func resolve(_ name: String) -> String? {
    var at = Self.plain(name, in: "")
    for _ in 0..<40 {
      guard let link = at, let next = targets[link] else { return at }
      at = next
    }
    return nil
  }

  /// A path without `.`, `..` and redundant slashes; `nil` where it leads out of the archive.
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
