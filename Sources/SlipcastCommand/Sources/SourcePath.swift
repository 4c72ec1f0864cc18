import SlipcastStores
import SlipcastSystem

/// How a file of sources names an input: relative to the folder that the file is in.
enum SourcePath {
  /// The folder of a file, with its slash; nothing for a file in the current folder.
  static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

  /// The name that the command line would use for an input of a file in that folder.
  static func resolved(_ input: String, in folder: String) -> String {
    guard !folder.isEmpty, isRelative(input) else { return input }
    guard input.hasPrefix(sqlite) else { return short(folder + input) }
    let path = input.dropFirst(sqlite.count)
    let end = path.firstIndex(of: "?") ?? path.endIndex
    return sqlite + short(escaped(folder) + path[..<end]) + path[end...]
  }

  /// A path without steps into a folder and out again, where that is the same file: links may lead elsewhere.
  private static func short(_ path: String) -> String {
    guard path.contains("..") else { return path }
    var steps: [Substring] = []
    for step in path.split(separator: "/", omittingEmptySubsequences: false) where step != "." {
      if step == "..", let last = steps.last, last != "..", !last.isEmpty {
        steps.removeLast()
      } else {
        steps.append(step)
      }
    }
    let shorter = steps.joined(separator: "/")
    guard !shorter.isEmpty, let one = try? Platform.realPath(path), let other = try? Platform.realPath(shorter),
      one == other
    else { return path }
    return shorter
  }

  /// The reverse: what a file in that folder calls an input of the command line.
  static func relative(_ input: String, to folder: String) throws -> String {
    guard !folder.isEmpty, isRelative(input) else { return input }
    let (scheme, path) = input.hasPrefix(sqlite) ? (sqlite, String(input.dropFirst(sqlite.count))) : ("", input)
    let start = scheme.isEmpty ? folder : escaped(folder)
    if path.hasPrefix(start) { return scheme + path.dropFirst(start.count) }
    let here = try Platform.realPath(".") + "/"
    guard let way = way(out: folder, of: here) else { return scheme + (scheme.isEmpty ? here : escaped(here)) + path }
    return scheme + way + path
  }

  /// The way from a folder back to the current one: `../` for each step; `nil` where it leads through a link or is not
  /// below the current folder.
  private static func way(out folder: String, of here: String) -> String? {
    guard !folder.hasPrefix("/"), let real = try? Platform.realPath(folder), (real + "/").hasPrefix(here) else {
      return nil
    }
    let steps = folder.split(separator: "/").filter { $0 != "." }
    guard !steps.contains(".."), real == here + steps.joined(separator: "/") else { return nil }
    return String(repeating: "../", count: steps.count)
  }

  private static let sqlite = "sqlite:"

  private static func isRelative(_ input: String) -> Bool {
    if input.hasPrefix(sqlite) { return !input.dropFirst(sqlite.count).hasPrefix("/") }
    return input != "-" && !input.hasPrefix("/") && !input.contains("://")
  }

  /// A path inside a location: what would have a meaning there is percent-encoded.
  static func escaped(_ path: String) -> String {
    path.replacing("%", with: "%25").replacing("?", with: "%3F").replacing("#", with: "%23")
  }
}
