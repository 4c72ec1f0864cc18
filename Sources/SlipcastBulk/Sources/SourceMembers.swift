/// The texts that one source holds: itself, or what is left when compression and archives are taken off, one by one.
///
/// What a source is, its first bytes say, not its name: gzip, zstd, xz, bzip2, tar or zip, each inside another, to a
/// depth of 4. Nothing is ever unpacked to a disk.
final class SourceMembers {
  /// One text.
  struct Member {
    /// The name of the source; for a file of an archive `exports.tar.gz!2021/march.json`.
    var name: String
    var bytes: HeadedBytes
  }

  /// An archive that is being read, and how deep it lies.
  private struct Layer {
    var archive: Archive
    var name: String
    var depth: Int
  }

  private let patterns: [String]
  private var layers: [Layer] = []
  private var first: (file: FileBytes, name: String)?
  private let file: FileBytes
  private static let deepest = 4
  /// The magic word of a tar header stands there.
  private static let tarMark = 257

  /// - Parameters:
  ///   - patterns: which files of archives are read, by name; all that are not hidden when empty.
  ///   - isHashed: computes the SHA-256 of the source while it is read.
  init(_ file: InputFile, patterns: [String], isHashed: Bool = false) throws(BulkError) {
    self.patterns = patterns
    let bytes = try FileBytes(file, isHashed: isHashed)
    self.file = bytes
    first = (bytes, file.path)
  }

  /// Bytes of the source that were read so far: compressed ones, where it is compressed.
  var rawOffset: Int { file.rawOffset }

  /// Length and SHA-256 of the whole source: reads what is left of it.
  func digest() throws(BulkError) -> SourceDigests.Digest? { try file.digest() }

  /// The next text; `nil` behind the last one.
  ///
  /// - Throws: `BulkError` for damaged data; whatever lies behind it in the source is lost.
  func next() throws(BulkError) -> Member? {
    if let (file, name) = first {
      first = nil
      if let member = try open(file, name: name, depth: 0) { return member }
    }
    while let layer = layers.last {
      guard let entry = try layer.archive.nextEntry() else {
        layers.removeLast()
        continue
      }
      guard isWanted(entry) else { continue }
      let bytes = ArchiveBytes(layer.archive)
      if let member = try open(bytes, name: "\(layer.name)!\(entry)", depth: layer.depth) { return member }
    }
    return nil
  }

  /// Takes off what a text is wrapped in; `nil` when it is an archive, whose files follow.
  private func open(_ stream: any ByteStream, name: String, depth: Int) throws(BulkError) -> Member? {
    let headed = HeadedBytes(stream)
    let head = try headed.peek(Self.tarMark + 5)
    guard let wrapping = Wrapping(head) else {
      return Member(name: name, bytes: headed)
    }
    guard depth < Self.deepest else {
      let reason = "it is compressed or archived more than \(Self.deepest) times over"
      throw BulkError(path: name, doing: "decompress", reason: reason)
    }
    if wrapping == .gzip { return try open(GzipBytes(headed, path: name), name: name, depth: depth + 1) }
    let isArchive = wrapping == .tar || wrapping == .zip
    let archive = try Archive(headed, path: name, kind: isArchive ? .files : .filter, format: wrapping.rawValue)
    if isArchive {
      layers.append(Layer(archive: archive, name: name, depth: depth + 1))
      return nil
    }
    guard try archive.nextContent() else { return nil }
    return try open(ArchiveBytes(archive), name: name, depth: depth + 1)
  }

  /// What a text is wrapped in, told by its first bytes.
  private enum Wrapping: String {
    case gzip, zstd, xz, bzip2, tar, zip

    init?(_ head: [UInt8]) {
      let marks: [(Wrapping, [UInt8])] = [
        (.gzip, [0x1F, 0x8B]), (.zstd, [0x28, 0xB5, 0x2F, 0xFD]), (.xz, [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
        (.bzip2, [0x42, 0x5A, 0x68]), (.zip, [0x50, 0x4B, 0x03, 0x04]), (.zip, [0x50, 0x4B, 0x05, 0x06]),
      ]
      if let mark = marks.first(where: { head.starts(with: $0.1) }) {
        self = mark.0
      } else if head.dropFirst(SourceMembers.tarMark).starts(with: Array("ustar".utf8)) {
        self = .tar
      } else {
        return nil
      }
    }
  }

  /// Hidden files are what systems put beside the data: `.DS_Store`, `__MACOSX/._march.json`.
  private func isWanted(_ entry: String) -> Bool {
    // Whether it is wanted cannot be told, and nothing may be left out silently.
    if entry == Archive.nameless { return true }
    let parts = entry.split(separator: "/")
    guard let name = parts.last, !parts.contains(where: { $0.hasPrefix(".") && $0 != "." && $0 != ".." }),
      parts.first != "__MACOSX"
    else { return false }
    // A file whose name cannot be told is read rather than lost.
    return patterns.isEmpty || entry == Archive.nameless
      || patterns.contains { Platform.matches(String(name), pattern: $0) }
  }
}
