internal import SlipcastBulk
internal import SlipcastDigest
import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// The files of a journal: `journal.json`, and parts that are named by the number of their first event.
package struct JournalFolder: Sendable {
  struct Part: Hashable, Sendable {
    var first: Int64
    var path: String
  }

  package let path: String

  package init(_ path: String) { self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path }

  /// The file that marks a folder as a journal.
  var mark: String { JournalMark.path(in: path) }

  func part(_ first: Int64) -> Part {
    Part(first: first, path: path + "/" + JournalMark.part(first))
  }

  /// All parts, in their order.
  ///
  /// - Throws: `FileError` when the folder cannot be read.
  func parts() throws(FileError) -> [Part] {
    let names = try Platform.names(in: path)
    return names.filter(JournalMark.isPart).compactMap(JournalMark.first).sorted().map(part)
  }

  /// A name for a target that is safe as a part of a file name.
  static func name(of target: String) -> String { String(SHA256Stream.hexadecimal(of: Array(target.utf8)).prefix(16)) }

  func checkpoint(of target: String) -> String { "\(path)/target-\(target).json" }

  /// What events show of their subscriptions, for `--settle`.
  var history: String { "\(path)/history.sqlite" }

  /// Makes the folder and its mark, unless they are there.
  ///
  /// - Returns: the journal's own id, which targets remember.
  /// - Throws: `FileError` when the folder is something else, or cannot be written.
  func create() throws(FileError) -> String {
    try Platform.makeFolder(path)
    if Platform.kind(mark) == .nothing {
      guard try Platform.names(in: path).isEmpty else {
        throw FileError(
          path: path, doing: "keep a journal in", reason: "it contains other files; name a new or an empty folder")
      }
      let id = JournalLine.text(KnownIDs.ID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)))
      try Platform.replace(mark, with: GuardedState.seal(.journal) { $0.member("id", id) })
      // The name of a new folder must be on disk too; that of a given one is, even where its parent cannot be opened.
      try? Platform.synchronizeFolder(of: path)
    }
    let text = try Platform.contents(of: mark, limit: 4096)
    do throws(StateFault) {
      return try GuardedState.open(text, .journal) { $0["id"]?.string }
    } catch {
      throw FileError(
        path: mark, doing: "use the journal", reason: "\(error.reason); restore it from a copy, or name a new folder")
    }
  }
}
