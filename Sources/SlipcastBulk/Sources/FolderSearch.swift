internal import SlipcastLibC
import SlipcastSystem

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

  mutating func list(_ folder: String, depth: Int) throws(FileError) {
    guard depth < 64 else { throw FileError(path: folder, doing: "enter so deep a directory", number: ELOOP) }
    for name in try Platform.names(in: folder) {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      // Extensions count in upper case too, as Windows writes them; patterns of a user are taken literally.
      let shown = patterns == InputFile.patterns ? name.lowercased() : name
      let isWanted = patterns.contains { Platform.matches(shown, pattern: $0) }
      switch Platform.namedKind(path) {
      case .nothing: throw FileError(path: path, doing: "open", number: Platform.lastError)
      case .folder: try list(path, depth: depth + 1)
      case .file:
        if isWanted {
          files.append(InputFile(path: path))
        } else if patterns == InputFile.patterns {
          passedOver.append(PassedOver(path: path, reason: .otherName))
        }
      case .link: follow(path, isWanted: isWanted)
      case .other: if isWanted { passedOver.append(PassedOver(path: path, reason: .noFile)) }
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
      case .link, .other: .noFile
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
