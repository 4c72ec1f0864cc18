import SlipcastStores
import SlipcastSystem

/// How a file of sources names an input: relative to the folder that the file is in.
enum SourcePath {
  /// The folder of a file, with its slash; nothing for a file in the current folder.
  static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

  /// The name that the command line would use for an input of a file in that folder.
  static func resolved(_ input: String, in folder: String) -> String {
    guard !folder.isEmpty, isRelative(input) else { return input }
    guard input.hasPrefix(sqlite) else { return folder + input }
    return sqlite + escaped(folder) + input.dropFirst(sqlite.count)
  }

  /// The reverse: what a file in that folder calls an input of the command line.
  static func relative(_ input: String, to folder: String) throws -> String {
    guard !folder.isEmpty, isRelative(input) else { return input }
    let (scheme, path) = input.hasPrefix(sqlite) ? (sqlite, String(input.dropFirst(sqlite.count))) : ("", input)
    let start = scheme.isEmpty ? folder : escaped(folder)
    if path.hasPrefix(start) { return scheme + path.dropFirst(start.count) }
    let here = try Platform.realPath(".") + "/"
    return scheme + (scheme.isEmpty ? here : escaped(here)) + path
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
