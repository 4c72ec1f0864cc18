internal import SlipcastDigest
package import SlipcastSystem
internal import SlipcastWire

/// The state of one written file at a commit: enough to resume, and to detect a changed file.
package struct OutputState: Hashable, Sendable {
  /// The file, by the name that it will have.
  package var path: String
  /// Bytes that are final.
  package var bytes: Int
  /// Their SHA-256, in lower-case hexadecimal.
  package var sha256: String

  package init(path: String, bytes: Int, sha256: String) {
    (self.path, self.bytes, self.sha256) = (path, bytes, sha256)
  }

  /// Whether a file begins with what this says.
  package func isContent(of path: String) throws(FileError) -> Bool {
    let digest = SHA256Stream()
    let count = try FileBytes(InputFile(path: path)).forEachPiece(upTo: bytes) { digest.add($0.span) }
    return count == bytes && digest.hexadecimal == sha256
  }

  /// Reads the final part of a file of entries, piece by piece; an incomplete last entry is left out.
  func forEachPiece(entryBytes size: Int, _ use: (ArraySlice<UInt8>) throws -> Void) throws {
    let part = FileOutput.partName(path)
    let stream = try FileBytes(InputFile(path: Platform.kind(part) == .file ? part : path))
    var (piece, left): ([UInt8], Int) = ([], bytes)
    while left > 0 {
      let got = try piece.append(min(left, (64 << 10) - piece.count), from: stream)
      if got == 0 { break }
      left -= got
      let whole = piece.count - piece.count % size
      try use(piece[..<whole])
      piece.removeFirst(whole)
    }
  }

  /// A file of which nothing is final.
  init(emptyAt path: String) { self.init(path: path, bytes: 0, sha256: SHA256Stream().hexadecimal) }
}

/// A destination for lines.
///
/// Everything before a commit is final. A run that dies may leave more, under a name that marks it (`.part`); a resumed
/// run truncates it.
package protocol LineOutput: AnyObject {
  /// A commit at any place leaves the same bytes in the end, so an interrupted run may commit where it stands.
  var commitsAnywhere: Bool { get }
  /// Writes whole lines of one part of the output; outputs in one piece ignore the part.
  func write(_ lines: Span<UInt8>, part: OutputPart) throws
  /// Makes the output so far final: on the disk, and readable without what follows.
  func commit() throws -> [OutputState]
  /// Ends the output and renames the files to their final names.
  func finish() throws
}

extension LineOutput {
  /// Writes text that belongs to no record.
  package func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write($0.span, part: .whole) }
  }
}

/// Which part of a divided output a line belongs to.
package struct OutputPart: Hashable, Sendable {
  /// The name of its file, without extensions.
  package var name: String
  /// The only part of an output in one piece.
  package static let whole = OutputPart(name: "")

  package init(name: String) { self.name = name }
}

package final class StreamOutput: LineOutput {
  /// Lines of JSON go to a person's terminal.
  private let isShown: Bool
  package let commitsAnywhere = true

  /// - Parameter isJSON: on a terminal, characters that could mislead it are written as equivalent escapes. Elsewhere
  ///   JSON is data and stays unchanged.
  package init(isJSON: Bool = true) { isShown = isJSON && Platform.isTerminal(1) }

  package func write(_ lines: Span<UInt8>, part: OutputPart = .whole) throws {
    guard isShown, lines.contains(where: { $0 >= 0x7F }) else { return try put(lines) }
    var text = Self.shown(lines)
    try text.withUTF8 { try put($0.span) }
  }

  /// Whole lines of JSON, safe for a terminal.
  static func shown(_ lines: Span<UInt8>) -> String {
    SafeText.json(String(decoding: lines), keepsLines: true)
  }

  private func put(_ bytes: Span<UInt8>) throws {
    try Platform.write(1, bytes, path: "standard output")
  }

  package func commit() throws -> [OutputState] { [] }

  package func finish() throws {}
}

/// How written files are compressed.
public enum Compression: String, CaseIterable, Hashable, Sendable {
  /// Not at all.
  case none
  /// gzip (RFC 1952).
  case gz
  /// Zstandard (RFC 8878).
  case zst

  /// The compression that a file name's extension asks for.
  package init(path: String) {
    let name = path.lowercased()
    self = name.hasSuffix(".gz") ? .gz : name.hasSuffix(".zst") ? .zst : .none
  }

  package var ending: String { self == .none ? "" : "." + rawValue }
}
