import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// The rejected records as their sources have them, secrets included, to be repaired by hand: one file, or a folder with a
/// file for each source and a file of sources that reads them again.
///
/// The header row of a table stands before its first record, so that a file of records of one table is a table.
package final class RawRejects {
  package let output: any LineOutput
  /// The folder; `nil` for one file.
  private let folder: String?
  private let sources: [RawSource]
  private let places: [String: Int]
  /// The header rows that a file has.
  private var headers: Set<Header> = []
  /// What an earlier run wrote, which a header row is searched in.
  private let earlier: [OutputState]

  private struct Header: Hashable {
    var file: String
    var text: [UInt8]
  }

  /// One file.
  ///
  /// - Parameter earlier: what an earlier run made final, when this one resumes it.
  package init(_ output: any LineOutput, resuming earlier: OutputState? = nil) {
    (self.output, folder, sources, places) = (output, nil, [], [:])
    self.earlier = [earlier].compactMap(\.self)
  }

  /// A folder.
  init(
    folder: String, of sources: [RawSource], isResumable: Bool, resuming earlier: [OutputState]?
  ) throws(FileError) {
    self.folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    output = try SplitOutput(
      folder, compression: .none, isResumable: isResumable, resuming: earlier, ending: "")
    self.sources = sources
    places = Dictionary(sources.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { one, _ in one })
    self.earlier = earlier ?? []
  }

  /// The path means a folder.
  package static func isFolder(_ path: String) -> Bool { path.hasSuffix("/") || Platform.kind(path) == .folder }

  package func write(_ reject: Reject) throws {
    guard let raw = reject.raw, !raw.record.isEmpty else { return }
    let part = places[reject.source].map { OutputPart(safe: sources[$0].file(of: raw)) } ?? .whole
    if !raw.header.isEmpty, headers.insert(Header(file: part.name, text: raw.header)).inserted,
      try !isThere(raw.header, in: part)
    {
      try writeLine(raw.header, part)
    }
    try writeLine(raw.record, part)
  }

  private func writeLine(_ text: [UInt8], _ part: OutputPart) throws {
    let line = text.last == 0x0A ? text : text + [0x0A]
    try output.write(line.span, part: part)
  }

  private func isThere(_ header: [UInt8], in part: OutputPart) throws -> Bool {
    guard let state = earlier.first(where: { folder == nil || $0.path == path(part) }) else { return false }
    var (end, isFound) = ([UInt8](), false)
    try state.forEachPiece(entryBytes: 1) { piece in
      let text = end + piece
      isFound = isFound || text.contains(header)
      end = text.suffix(header.count)
    }
    return isFound
  }

  private func path(_ part: OutputPart) -> String { "\(folder ?? "")/\(part.name)" }

  // MARK: the end

  /// Gives the files their names, and writes the file of sources that reads those of a folder.
  package func finish() throws {
    try output.finish()
    guard let folder else { return }
    let entries = sources.flatMap { source in
      source.files.map { OutputPart(safe: $0) }.filter { Platform.kind(path($0)) == .file }
        .map { Self.entry($0.name, source.options) }
    }
    guard !entries.isEmpty else { return }
    let file = try FileOutput("\(folder)/\(Self.fileOfSources)", compression: Compression.none)
    try file.write("{\"schema\": 1, \"sources\": [\n\(entries.joined(separator: ",\n"))\n]}\n")
    try file.finish()
  }

  /// The name of the file that `--sources` reads.
  package static let fileOfSources = "sources.json"

  private static func entry(_ name: String, _ options: [ReadingOption]) -> String {
    let writer = JSONWriter(capacity: 256)
    writer.raw("  {")
    writer.member("input", name)
    if !options.isEmpty {
      writer.object("options") {
        for option in options {
          if let value = option.value { writer.member(option.name, value) } else { writer.member(option.name, true) }
        }
      }
    }
    writer.raw("}")
    return writer.string
  }
}
