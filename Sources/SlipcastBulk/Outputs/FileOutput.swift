internal import SlipcastDigest

/// A file of lines, compressed as its name says.
///
/// Until it is finished it is called `NAME.part`, so that nothing half-written looks whole. Then it takes the place of what
/// had the name: of a link too, whose target stays as it is. What is no regular file (a named pipe, `/dev/null`) is
/// written to as it is. A file that another program deletes or replaces meanwhile is an error of the next commit.
package final class FileOutput: LineOutput {
  package let path: String
  private let target: String
  /// Open while something is being written.
  private var descriptor: Int32?
  /// The file under the name `target`; `nil` for what is no regular file.
  private var file: WrittenFile?
  private let compressor: Compressor?
  private let digest: SHA256Stream?
  private var bytes = 0
  /// Something was written since the last commit.
  private var isDirty = true

  /// Creates the file anew.
  ///
  /// - Parameters:
  ///   - isResumable: keeps the SHA-256 of what is written.
  ///   - state: what a run before had made final; the file is verified, and cut to it with the first commit at the latest.
  /// - Throws: `BulkError` when it cannot be created, or is not what it was.
  package init(
    _ path: String, compression: Compression? = nil, isResumable: Bool = false, resuming state: OutputState? = nil
  ) throws(BulkError) {
    self.path = path
    let compression = compression ?? Compression(path: path)
    compressor = compression == .none ? nil : Compressor(compression, path: path)
    digest = isResumable ? SHA256Stream() : nil
    guard let state else {
      let isStream = Platform.isStream(path)
      target = isStream ? path : Self.partName(path)
      let opened = isStream ? try Platform.openStream(path) : try Platform.create(target)
      descriptor = opened
      file = isStream ? nil : try WrittenFile(opened, path: target)
      return
    }
    let part = Self.partName(path)
    // A run that was finished has given the file its name already.
    target = Platform.kind(part) == .file ? part : path
    let file = try WrittenFile(closed: target)
    try Self.verify(target, state, digest)
    try file.check()
    self.file = file
    // What lies behind is cut off when the file is opened: not before all files of the run were verified.
    bytes = state.bytes
  }

  deinit { close() }

  /// Its bytes depend on where it was committed.
  var isCompressed: Bool { compressor != nil }

  /// The name of a file that is not finished.
  package static func partName(_ path: String) -> String { path + ".part" }

  package func write(_ lines: UnsafeBufferPointer<UInt8>, part: OutputPart = .whole) throws {
    guard lines.count > 0 else { return }
    isDirty = true
    guard let compressor else { return try put(lines) }
    try compressor.add(lines)
    if compressor.output.count >= 256 << 10 { try putCompressed(compressor) }
  }

  private func putCompressed(_ compressor: Compressor) throws {
    try compressor.output.withUnsafeBufferPointer { try put($0) }
    compressor.clearOutput()
  }

  private func put(_ text: UnsafeBufferPointer<UInt8>) throws {
    guard text.count > 0 else { return }
    try Platform.write(try opened(), text, path: target)
    digest?.add(text)
    bytes += text.count
  }

  package func commit() throws -> [OutputState] {
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

  /// Makes sure that the file is still there under its name.
  func check() throws(BulkError) { try file?.check() }

  /// Closes the file until it is written to again: a run may have more files than can be open at a time.
  func suspend() throws -> [OutputState] {
    let states = try commit()
    close()
    try file?.noteClosing()
    return states
  }

  private func opened() throws -> Int32 {
    if let descriptor { return descriptor }
    try check()
    let descriptor = try Platform.reopen(target, at: bytes) { [file] () throws(BulkError) in try file?.check() }
    self.descriptor = descriptor
    file?.noteOpening()
    return descriptor
  }

  func close() {
    if let descriptor { Platform.close(descriptor) }
    descriptor = nil
  }

  package func finish() throws {
    _ = try commit()
    // The file is claimed until it is closed: nobody may take it for one that was left behind before it has its name.
    defer { close() }
    guard target != path else { return }
    _ = try opened()
    try file?.rename(to: path)
    // It has done what it was noted for, and has another name now.
    file = nil
  }

  /// What is marked done must be there, byte for byte.
  private static func verify(_ path: String, _ state: OutputState, _ digest: SHA256Stream?) throws(BulkError) {
    let stream = try FileBytes(InputFile(path: path))
    let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: 256 << 10)
    defer { piece.deallocate() }
    let digest = digest ?? SHA256Stream()
    var left = state.bytes
    while left > 0 {
      let got = try stream.read(into: piece, count: min(left, 256 << 10))
      guard got > 0 else { throw changed(path, "it is shorter than the checkpoint says") }
      digest.add(UnsafeBufferPointer(start: piece, count: got))
      left -= got
    }
    guard digest.hexadecimal == state.sha256 else { throw changed(path, "its content is not what the checkpoint says") }
  }

  private static func changed(_ path: String, _ what: String) -> BulkError {
    BulkError(path: path, doing: "go on", reason: what + "; begin anew without --resume")
  }
}
