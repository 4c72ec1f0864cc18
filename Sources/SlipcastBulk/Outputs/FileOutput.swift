internal import SlipcastDigest
package import SlipcastSystem

/// A file of lines, compressed according to its name.
///
/// Until it is finished it is called `NAME.part`, so that an incomplete file does not look complete. Then it replaces
/// the file or link with the final name; a link's target stays unchanged. A path that is not a regular file (a named
/// pipe, `/dev/null`) is written directly. If another program deletes or replaces the file in the meantime, the next
/// commit fails.
package final class FileOutput: LineOutput {
  package let path: String
  private let target: String
  /// Open while something is being written.
  private var descriptor: Int32?
  /// The file under the name `target`; `nil` for a path that is not a regular file.
  private var file: WrittenFile?
  private let compressor: Compressor?
  private let digest: SHA256Stream?
  private var bytes = 0
  /// What the file held before the first run that appends to it; `nil` for a file of such runs alone.
  private(set) var earlier: EarlierLines?
  /// The last line of what it held has no line feed yet.
  private var isUnended = false
  /// Something was written since the last commit.
  private var isDirty = true

  /// Creates the file, or resumes it.
  ///
  /// - Parameters:
  ///   - isResumable: computes the SHA-256 of the output.
  ///   - state: what an earlier run had made final; the file is verified, and truncated to it with the first commit at
  ///     the latest.
  package init(
    _ path: String, compression: Compression? = nil, isResumable: Bool = false, resuming state: OutputState? = nil
  ) throws(FileError) {
    self.path = path
    compressor = Compressor(compression ?? Compression(path: path), path: path)
    digest = isResumable ? SHA256Stream() : nil
    guard let state else {
      let isStream = Platform.isStream(path)
      // The file could be written, but would never get its name.
      if Platform.kind(path) == .folder { throw FileError(path: path, doing: "write", reason: Self.isFolder) }
      target = isStream ? path : Self.partName(path)
      let opened = isStream ? try Platform.openStream(path) : try Platform.create(target)
      descriptor = opened
      file = isStream ? nil : try WrittenFile(opened, path: target)
      return
    }
    let part = Self.partName(path)
    // A finished run has already given the file its final name.
    target = Platform.kind(part) == .file ? part : path
    let file = try WrittenFile(closed: target)
    try Self.verify(
      target, bytes: state.bytes, sha256: state.sha256, with: digest ?? SHA256Stream(),
      advice: "start over without --resume")
    try file.check()
    self.file = file
    // Trailing bytes are truncated when the file is opened: not before all files of the run were verified.
    bytes = state.bytes
  }

  /// Opens a file that grows under its final name, so that others can read it meanwhile.
  ///
  /// - Parameter state: what is final of it. Without one, everything that the file holds stays, and its last line is
  ///   ended where it has no line feed.
  package init(growing path: String, resuming state: OutputState?) throws(FileError) {
    (self.path, target) = (path, path)
    compressor = Compressor(Compression(path: path), path: path)
    let digest = SHA256Stream()
    self.digest = digest
    if Platform.isStream(path) {
      throw FileError(path: path, doing: "append to", reason: "it is not a regular file; name a file")
    }
    guard let size = state?.bytes ?? Platform.size(path) else {
      let opened = try Platform.create(path)
      (descriptor, file) = (opened, try WrittenFile(opened, path: path))
      return
    }
    let file = try WrittenFile(closed: path)
    try Self.verify(
      path, bytes: size, sha256: state?.sha256, with: digest,
      advice: "restore it, or name another file, which receives all events")
    try file.check()
    (self.file, bytes) = (file, size)
    guard state == nil, size > 0 else { return }
    let earlier = try EarlierLines(of: path)
    (self.earlier, isUnended) = (earlier, earlier.isUnended)
  }

  deinit { close() }

  /// Nothing of it is on the disk, from this run or an earlier one.
  var isEmpty: Bool { bytes == 0 }

  // The bytes of a compressed file depend on where it was committed.
  package var commitsAnywhere: Bool { compressor == nil }

  private static let isFolder = "it is a folder; name a file"

  /// Checks that a file can be written later; leaves nothing behind.
  package static func check(_ path: String) throws(FileError) {
    guard Platform.kind(partName(path)) == .nothing, !Platform.isStream(path) else { return }
    _ = try FileOutput(path, compression: Compression.none)
    Platform.remove(partName(path))
  }

  /// The name of a file that is not finished.
  package static func partName(_ path: String) -> String { path + ".part" }

  package func write(_ lines: Span<UInt8>, part: OutputPart = .whole) throws {
    guard lines.count > 0 else { return }
    try endEarlierLine()
    isDirty = true
    guard let compressor else { return try put(lines) }
    try compressor.add(lines)
    if compressor.output.count >= 256 << 10 { try putCompressed(compressor) }
  }

  /// A run that resumes from the first commit does not look at the earlier lines again.
  private func endEarlierLine() throws {
    guard isUnended else { return }
    isUnended = false
    try write([0x0A].span)
  }

  private func putCompressed(_ compressor: Compressor) throws {
    let output = compressor.output
    try put(output.span)
    compressor.clearOutput()
  }

  private func put(_ text: Span<UInt8>) throws {
    guard text.count > 0 else { return }
    try Platform.write(try opened(), text, path: target)
    digest?.add(text)
    bytes += text.count
  }

  package func commit() throws -> [OutputState] {
    try endEarlierLine()
    if isDirty {
      if let compressor {
        try compressor.endFrame()
        try putCompressed(compressor)
      }
      if digest != nil { try Platform.synchronize(try opened(), path: target) }
      isDirty = false
    }
    try check()
    return digest.map { [OutputState(path: path, bytes: bytes, sha256: $0.hexadecimal)] } ?? []
  }

  func check() throws(FileError) { try file?.check() }

  /// Closes the file until the next write: a run may have more files than can be open at a time.
  func suspend() throws -> [OutputState] {
    let states = try commit()
    close()
    try file?.noteClosing()
    return states
  }

  private func opened() throws -> Int32 {
    if let descriptor { return descriptor }
    try check()
    let descriptor = try Platform.reopen(target, at: bytes) { [file] () throws(FileError) in try file?.check() }
    self.descriptor = descriptor
    file?.noteOpening()
    return descriptor
  }

  func close() {
    if let descriptor { Platform.close(descriptor) }
    descriptor = nil
  }

  package func finish() throws { try finish(syncsFolder: true) }

  /// - Parameter syncsFolder: false where the caller makes the names in a folder durable together.
  func finish(syncsFolder: Bool) throws {
    _ = try commit()
    // The file stays locked until it is closed: before it has its name, no other run may treat it as a leftover.
    defer { close() }
    guard target != path else { return }
    _ = try opened()
    try file?.rename(to: path, syncsFolder: syncsFolder)
    // The identity is no longer needed, and the file has another name now.
    file = nil
  }

  /// The part that is marked as done must be unchanged.
  private static func verify(
    _ path: String, bytes: Int, sha256: String?, with digest: SHA256Stream, advice: String
  ) throws(FileError) {
    func changed(_ what: String) -> FileError {
      FileError(path: path, doing: "resume", reason: "\(what); \(advice)")
    }
    let got = try FileBytes(InputFile(path: path)).forEachPiece(upTo: bytes) { digest.add($0.span) }
    guard got == bytes else { throw changed("it is shorter than the checkpoint says") }
    guard sha256 == nil || sha256 == digest.hexadecimal else {
      throw changed("its content is not what the checkpoint says")
    }
  }
}
