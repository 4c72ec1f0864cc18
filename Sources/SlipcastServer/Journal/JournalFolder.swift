internal import SlipcastBulk
internal import SlipcastDigest
@_spi(Slipcast) internal import SlipcastWire

/// The files of a journal: `journal.json`, and parts that are named by the number of their first event.
package struct JournalFolder: Sendable {
  /// One file of events.
  struct Part: Hashable, Sendable {
    /// The number of its first event.
    var first: Int64
    var path: String
  }

  package let path: String

  package init(_ path: String) { self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path }

  private static let ending = ".ndjson"
  private static let digits = 16

  /// The file that marks a folder as a journal.
  var mark: String { JournalMark.path(in: path) }

  func part(_ first: Int64) -> Part {
    let number = String(first)
    let name = String(repeating: "0", count: max(0, Self.digits - number.count)) + number + Self.ending
    return Part(first: first, path: path + "/" + name)
  }

  /// All parts, in their order.
  ///
  /// - Throws: `BulkError` when the folder cannot be read.
  func parts() throws(BulkError) -> [Part] {
    let names = try Platform.names(in: path)
    return names.filter { $0.hasSuffix(Self.ending) && $0.utf8.count == Self.digits + Self.ending.utf8.count }
      .compactMap { Int64($0.dropLast(Self.ending.count)) }.sorted().map(part)
  }

  /// A name for a target that is safe as a part of a file name.
  static func name(of target: String) -> String { String(SHA256Stream.hexadecimal(of: Array(target.utf8)).prefix(16)) }

  /// The file that remembers how far a target is.
  func checkpoint(of target: String) -> String { "\(path)/target-\(target).json" }

  /// Makes the folder and its mark, unless they are there.
  ///
  /// - Returns: the journal's own id, which targets remember.
  /// - Throws: `BulkError` when the folder is something else, or cannot be written.
  func create() throws(BulkError) -> String {
    try Platform.makeFolder(path)
    if Platform.kind(mark) == .nothing {
      guard try Platform.names(in: path).isEmpty else {
        throw BulkError(
          path: path, doing: "keep a journal in", reason: "it contains other files; name a new or an empty folder")
      }
      let id = JournalLine.text(KnownIDs.ID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)))
      try write(mark, "{\"slipcastJournal\":1,\"id\":\"\(id)\"}\n")
    }
    let text = String(decoding: try Platform.contents(of: mark, limit: 4096), as: UTF8.self)
    guard text.hasPrefix("{\"slipcastJournal\":1,"), let id = text.split(separator: "\"").dropFirst(4).first else {
      throw BulkError(path: mark, doing: "read", reason: "expected the mark of a journal of this version of slipcast")
    }
    return String(id)
  }

  /// Replaces a small file, completely or not at all.
  func write(_ path: String, _ text: String) throws(BulkError) {
    let name = path + ".new"
    let descriptor = try Platform.create(name)
    defer { Platform.close(descriptor) }
    try Platform.write(descriptor, Array(text.utf8), path: name)
    try Platform.synchronize(descriptor, path: name)
    try Platform.rename(name, to: path)
    Platform.synchronizeFolder(of: path)
  }
}
