import SlipcastSystem
internal import SlipcastWire

/// The texts in one source: the source itself, or its content without compression and archives, one by one.
///
/// The first bytes of a source decide what it is, not its name: gzip, zstd, xz, bzip2, tar or zip, nested up to a depth
/// of 4; text in UTF-16 becomes UTF-8. Nothing is unpacked to a disk. A link in an archive stands for its target: each
/// file is read once, and a link to a missing file is reported as damage.
final class SourceMembers {
  struct Member {
    /// The name of the source; for a file of an archive `exports.tar.gz!2021/march.json`.
    var name: String
    var bytes: HeadedBytes
    /// Why none of it can be read: it has a form that is not supported.
    var refusal: String?
  }

  /// An archive that is being read, and its depth.
  private final class Layer {
    var archive: Archive
    let name: String
    let depth: Int
    /// The numbers of the entries that lead here from the source: those of archives inside archives.
    let way: [Int]
    /// The number of the current entry.
    var entry = -1
    var links = ArchiveLinks()
    /// Unresolved links after the archive was read; `nil` until then.
    var openLinks: ArchiveLinks.Open?
    /// The archive, opened again for the targets of links.
    var again: Archive?
    /// How often the archive was opened again behind a damaged file.
    var reopenings = 0
    /// Why the content of links cannot be had.
    var faultOfLinks = "a link to a file that is not in this archive; add the file, or exclude the link (--include)"

    init(_ archive: Archive, name: String, depth: Int, way: [Int]) {
      (self.archive, self.name, self.depth, self.way) = (archive, name, depth, way)
    }
  }

  private let patterns: [String]
  private var layers: [Layer] = []
  private var first: (file: FileBytes, name: String)?
  private let file: FileBytes
  private let input: InputFile
  private var sample: SourceSample? { input.sample }
  private let path: String
  private static let deepest = 4
  /// The position of the magic word in a tar header.
  private static let tarMark = 257

  /// - Parameter patterns: which files of archives are read, by name; all that are not hidden when empty.
  init(_ file: InputFile, patterns: [String], isHashed: Bool = false) throws(FileError) {
    (self.patterns, input) = (patterns, file)
    let bytes = try FileBytes(file, isHashed: isHashed)
    self.file = bytes
    path = file.path
    first = (bytes, file.path)
  }

  var rawOffset: Int { file.rawOffset }

  func digest() throws(FileError) -> SourceDigests.Digest? { try file.digest() }

  /// The next text; `nil` after the last one.
  ///
  /// - Throws: `FileError` for damaged data; the rest of the source after it is lost.
  func next() throws(FileError) -> Member? {
    if let (file, name) = first {
      first = nil
      if let member = try open(file, name: name, depth: 0, way: []) { return member }
    }
    while let layer = layers.last {
      if layer.openLinks == nil {
        if let member = try nextFile(layer) { return member }
      } else if let member = try nextLink(layer) {
        return member
      }
    }
    return nil
  }

  /// The next entry of an archive as a text; `nil` when it has none, or after the last one.
  private func nextFile(_ layer: Layer) throws(FileError) -> Member? {
    if layer.archive.hasDamagedFile { try passDamage(layer) }
    guard let entry = try layer.archive.nextEntry() else {
      layer.openLinks = layer.links.open
      return nil
    }
    layer.entry += 1
    let isWanted = isWanted(entry.name)
    guard entry.target == nil else {
      guard !layer.links.isFull else {
        throw FileError(
          path: layer.name, doing: "read",
          reason: "it has more than \(ArchiveLinks.most) links; unpack it, and pass on the files")
      }
      layer.links.note(link: entry, isWanted: isWanted)
      return nil
    }
    layer.links.note(file: entry.name, isRead: isWanted)
    guard isWanted else { return nil }
    let name = "\(layer.name)!\(entry.name)"
    do throws(FileError) {
      return try open(layer.archive, name: name, depth: layer.depth, way: layer.way + [layer.entry])
    } catch {
      guard layer.archive.hasDamagedFile else { throw error }
      return Member(missing: name, error.reason)
    }
  }

  /// Opens a zip archive again, behind a file that is damaged: libarchive cannot continue, and the others may be intact.
  private func passDamage(_ layer: Layer) throws(FileError) {
    guard layer.reopenings < Self.mostReopenings, Platform.kind(path) == .file, let again = try archiveAgain(layer.way)
    else { return }
    for _ in 0...layer.entry { _ = try again.nextEntry() }
    layer.archive = again
    layer.reopenings += 1
  }

  private static let mostReopenings = 100

  // MARK: links

  /// The file of the next unresolved link; `nil` when it has no text, or after the last one.
  private func nextLink(_ layer: Layer) throws(FileError) -> Member? {
    if let link = layer.openLinks?.missing.popLast() {
      return Member(missing: "\(layer.name)!\(link)", layer.faultOfLinks)
    }
    guard let unread = layer.openLinks?.unread, !unread.isEmpty else {
      layers.removeLast()
      return nil
    }
    if layer.again == nil {
      layer.again = Platform.kind(path) == .file ? try archiveAgain(layer.way) : nil
      layer.entry = -1
    }
    while let entry = try layer.again?.nextEntry() {
      layer.entry += 1
      guard entry.target == nil, let name = ArchiveLinks.plain(entry.name, in: ""), let again = layer.again,
        let link = layer.openLinks?.unread.removeValue(forKey: name)
      else { continue }
      return try open(again, name: "\(layer.name)!\(link)", depth: layer.depth, way: layer.way + [layer.entry])
    }
    // A pipe cannot be read again, and a file may have changed in the meantime.
    layer.openLinks = ArchiveLinks.Open(missing: unread.values.sorted(by: >))
    layer.faultOfLinks =
      "a link to a file whose own name no --include fits, and the archive cannot be read twice; save the archive as a file"
    return nil
  }

  private func archiveAgain(_ way: [Int]) throws(FileError) -> Archive? {
    var stream: any ByteStream = try FileBytes(input)
    for number in way {
      guard case .archive(let archive)? = try unwrap(stream, name: path, depth: 0)?.content else { return nil }
      for _ in 0...number { _ = try archive.nextEntry() }
      stream = archive
    }
    guard case .archive(let archive)? = try unwrap(stream, name: path, depth: 0)?.content else { return nil }
    return archive
  }

  // MARK: unpacking

  /// The content of a stream without its compression.
  private enum Content {
    case text(HeadedBytes, refusal: String? = nil)
    case archive(Archive)
  }

  /// Unpacks a text; `nil` when it is an archive, whose files follow.
  private func open(_ stream: any ByteStream, name: String, depth: Int, way: [Int]) throws(FileError) -> Member? {
    guard let (content, depth) = try unwrap(stream, name: name, depth: depth) else { return nil }
    switch content {
    case .text(let bytes, let refusal): return Member(name: name, bytes: bytes, refusal: refusal)
    case .archive(let archive):
      layers.append(Layer(archive, name: name, depth: depth, way: way))
      return nil
    }
  }

  /// Decompresses down to a text or an archive; `nil` for compressed data without content.
  private func unwrap(
    _ stream: any ByteStream, name: String, depth: Int
  ) throws(FileError) -> (content: Content, depth: Int)? {
    let headed = HeadedBytes(stream, limit: sample?.bytes)
    let head = try headed.peek(Self.tarMark + 5)
    if let foreign = ForeignForm(head) { return (.text(headed, refusal: foreign.advice(for: name)), depth) }
    let decoder = UTF16Decoder(head: head)
    let wrapping = Wrapping(head)
    guard wrapping != nil || decoder != nil else { return (.text(headed), depth) }
    guard depth < Self.deepest else {
      let reason = "it is compressed or archived more than \(Self.deepest) times over"
      throw FileError(path: name, doing: "decompress", reason: reason)
    }
    guard let wrapping else {
      guard let decoder else { return (.text(headed), depth) }
      return try unwrap(UTF16Bytes(headed, decoder, path: name), name: name, depth: depth + 1)
    }
    if wrapping == .gzip { return try unwrap(GzipBytes(headed, path: name), name: name, depth: depth + 1) }
    let isArchive = wrapping == .tar || wrapping == .zip
    let archive = try Archive(headed, path: name, kind: isArchive ? .files : .filter, format: wrapping.rawValue)
    if isArchive { return (.archive(archive), depth + 1) }
    guard try archive.nextContent() else { return nil }
    return try unwrap(archive, name: name, depth: depth + 1)
  }

  /// The compression or archive format of a text, recognized by its first bytes.
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

  /// Hidden files are metadata of systems: `.DS_Store`, `__MACOSX/._march.json`.
  private func isWanted(_ entry: String) -> Bool {
    // It is unknown whether the file is selected, and nothing may be omitted silently.
    if entry == Archive.nameless { return true }
    let parts = entry.split(separator: "/")
    guard let name = parts.last, !parts.contains(where: { $0.hasPrefix(".") && $0 != "." && $0 != ".." }),
      parts.first != "__MACOSX"
    else { return false }
    // A file whose name cannot be decoded is read rather than lost.
    return patterns.isEmpty || entry == Archive.nameless
      || patterns.contains { Platform.matches(String(name), pattern: $0) }
  }
}
