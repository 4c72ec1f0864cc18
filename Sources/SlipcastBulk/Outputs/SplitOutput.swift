internal import SlipcastDigest
package import SlipcastSystem
internal import SlipcastWire

/// A folder of files, each with the lines of one part: a day, an app, or a number of records.
///
/// Files stay open as far as the system allows it; compressed ones need memory, so only a few of them are open at a time.
/// Lines of a part wait in memory until there are enough of them, or until a commit.
package final class SplitOutput: LineOutput {
  package let commitsAnywhere = false
  private let folder: String
  /// The folder, open while it is locked against other runs.
  private var claim: Int32?
  private let compression: Compression
  /// What the name of a part becomes a file's with.
  private let ending: String
  private let isResumable: Bool
  /// Files have their final names from the start, so that others can read them meanwhile.
  private let isGrowing: Bool
  /// Lines that wait, by the name of their part.
  private var waiting: [String: [UInt8]] = [:]
  private var waitingBytes = 0
  private var files: [String: FileOutput] = [:]
  private var states: [String: OutputState] = [:]
  /// Open files by their paths, each with the number of its last use.
  private var open: [String: Int] = [:]
  private var uses = 0
  /// The rest of the run needs about 28 files.
  private let mostOpen: Int
  private static let mostWaiting = 8 << 20
  /// The maximum number of parts; more would make every checkpoint too long.
  package static let mostParts = 10_000

  /// Uses a folder that is empty or missing, or the same folder in a resumed run.
  ///
  /// - Parameters:
  ///   - states: what is final of each file in a resumed run.
  ///   - ending: follows the name of a part.
  ///   - isGrowing: the files can be read while they are written; such an output is always resumable.
  package init(
    _ folder: String, compression: Compression, isResumable: Bool, resuming states: [OutputState]? = nil,
    ending: String = ".ndjson", isGrowing: Bool = false
  ) throws(FileError) {
    self.folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    (self.compression, self.ending) = (compression, ending)
    (self.isResumable, self.isGrowing) = (isResumable, isGrowing)
    mostOpen = min(compression == .none ? Self.mostParts : 64, max(4, Platform.mostOpenFiles - 28))
    try Platform.makeFolder(self.folder)
    let descriptor = try Platform.open(self.folder)
    claim = descriptor
    try Platform.claim(descriptor, self.folder)
    guard let states else {
      guard try InputFile.find([self.folder], patterns: ["*"]).isEmpty else {
        let reason = "there are files in it already; name an empty folder, or a new one"
        throw FileError(path: folder, doing: "write into this folder", reason: reason)
      }
      return
    }
    for state in states {
      let file =
        isGrowing
        ? try FileOutput(growing: state.path, resuming: state)
        : try FileOutput(state.path, isResumable: true, resuming: state)
      file.close()
      files[state.path] = file
      self.states[state.path] = state
    }
  }

  deinit { letGo() }

  private func letGo() {
    if let claim { Platform.close(claim) }
    claim = nil
  }

  package func write(_ lines: Span<UInt8>, part: OutputPart) throws {
    waiting[part.name, default: []].append(contentsOf: lines)
    waitingBytes += lines.count
    if waitingBytes >= Self.mostWaiting { try flush() }
  }

  private func flush() throws {
    for name in waiting.keys.sorted() {
      guard let lines = waiting[name], !lines.isEmpty else { continue }
      let file = try file(name)
      try file.write(lines.span)
    }
    waiting.removeAll(keepingCapacity: true)
    waitingBytes = 0
  }

  private func file(_ name: String) throws -> FileOutput {
    let path = "\(folder)/\(name)\(ending)\(compression.ending)"
    uses += 1
    if open[path] != nil, let file = files[path] {
      open[path] = uses
      return file
    }
    if open.count >= mostOpen, let oldest = open.min(by: { $0.value < $1.value })?.key { try suspend(oldest) }
    let file = try files[path] ?? newFile(path)
    files[path] = file
    if files.count > Self.mostParts {
      let reason = "the records fall into more than \(Self.mostParts) parts; split them another way"
      throw FileError(path: folder, doing: "write into this folder", reason: reason)
    }
    open[path] = uses
    return file
  }

  private func newFile(_ path: String) throws -> FileOutput {
    guard isGrowing else { return try FileOutput(path, isResumable: isResumable) }
    // The folder was empty before the first commit, so nothing in a file that no commit knows is final.
    let isLeft = Platform.kind(path) == .file
    return try FileOutput(growing: path, resuming: isLeft ? OutputState(emptyAt: path) : nil)
  }

  private func suspend(_ path: String) throws {
    open[path] = nil
    if let file = files[path] { note(try file.suspend()) }
  }

  private func note(_ committed: [OutputState]) {
    for state in committed { states[state.path] = state }
  }

  // Compressed files are closed, so their bytes after a commit do not depend on what came before it.
  package func commit() throws -> [OutputState] {
    try flush()
    for path in open.keys.sorted() {
      if compression != .none { try suspend(path) } else if let file = files[path] { note(try file.commit()) }
    }
    for file in files.values { try file.check() }
    return states.values.sorted { $0.path < $1.path }
  }

  package func finish() throws {
    _ = try commit()
    let paths = files.keys.sorted()
    for path in paths { try files[path]?.finish(syncsFolder: false) }
    // Thousands of files in one folder: their names are made durable once. Not every folder can be opened.
    if let path = paths.last { try? Platform.synchronizeFolder(of: path) }
    letGo()
  }
}

extension OutputPart {
  /// No file system accepts names of more than 255 bytes, and extensions follow.
  private static let longest = 200

  /// The part of a name that comes from a record: letters, digits and `._-` stay, other bytes become `%XX`.
  ///
  /// A name that becomes too long is cut, and a hash of the whole keeps it unique.
  package init(safe text: String) {
    let name = Self.encode(text)
    guard name.utf8.count > Self.longest else {
      self.init(name: name.isEmpty ? "unknown" : name)
      return
    }
    let digest = SHA256Stream.hexadecimal(of: Array(text.utf8))
    self.init(name: name.prefix(Self.longest - 17) + "-" + digest.prefix(16))
  }

  private static func encode(_ text: String) -> String {
    let name = Hexadecimal.percentEncoded(text, keeping: "._-")
    // The name of a hidden file begins with a dot.
    return name.hasPrefix(".") ? "%2E" + name.dropFirst() : name
  }
}
