import SlipcastBulk
import SlipcastSystem

/// The files that keep rejected records: one JSON object a line, to be fed again after a fix (`--rejects`), and the
/// records as their sources have them (`--rejects-raw`).
final class RejectFile {
  private let file: (any LineOutput)?
  private let raw: RawRejects?
  private let hasVerdict: Bool

  /// - Parameter hasVerdict: the exit status of the command is a verdict, so a reader of the rejects may stop.
  /// - Returns: `nil` when no rejects are kept.
  init?(_ arguments: Arguments, hasVerdict: Bool = false) throws {
    let (path, rawPath) = (try Self.path(arguments), try Self.raw(arguments))
    guard path != nil || rawPath != nil else { return nil }
    file = if let path { try Self.open(path) } else { nil }
    raw = try rawPath.map { RawRejects(try FileOutput($0)) }
    self.hasVerdict = hasVerdict
  }

  /// The path of `--rejects-raw`: a file, because only its owner may read it.
  static func raw(_ arguments: Arguments) throws -> String? {
    guard let path = arguments.last("rejects-raw") else { return nil }
    guard path != "-", !Platform.isStream(path) else {
      throw UsageError("--rejects-raw holds the shared secret; name a file, which only you can read")
    }
    return path
  }

  /// The path of `--rejects-raw` of a run over sources: a folder, where one file of their rejects could not be read again.
  static func raw(_ arguments: Arguments, of sources: [RecordSource], _ options: ConvertOptions) throws -> String? {
    guard let path = try raw(arguments) else { return nil }
    guard RawRejects.isFolder(path) || RawSource.fitInOneFile(sources, options.pointers) else {
      throw UsageError(
        "--rejects-raw \(path): the sources have several forms, and one file of their rejects could not be read again; "
          + "name a folder: --rejects-raw \(path)/")
    }
    return path
  }

  /// The path of `--rejects`, which are lines of JSON.
  static func path(_ arguments: Arguments) throws -> String? {
    guard let path = arguments.last("rejects") else { return nil }
    try ConvertTarget.checkEnding(
      path, option: "rejects", endings: ConvertTarget.endingsOfLines,
      refusing: ["csv", "tsv", "html", "xml", "md"] + ConvertTarget.endingsOfStores, others: ", or -")
    return path
  }

  private static func open(_ path: String) throws -> any LineOutput {
    if path == "-" { return StreamOutput() }
    return try FileOutput(path)
  }

  func write(_ reject: Reject) throws {
    try perform {
      if let file { try reject.withLine { try file.write($0, part: .whole) } }
      try raw?.write(reject)
    }
  }

  /// Gives the files their names.
  func finish() throws {
    try perform {
      try file?.finish()
      try raw?.finish()
    }
  }

  private func perform(_ step: () throws -> Void) throws {
    if hasVerdict { try Console.keepingVerdict(step) } else { try step() }
  }
}
