public import SlipcastSystem

/// A source of records.
public struct InputFile: Hashable, Sendable {
  /// The path as given or found; `-` is standard input.
  public var path: String

  package var table = TableOptions()

  /// What its rows have where; `nil`: what the options of the run say.
  package var pointers: RowPointers?

  /// How many of its bytes are read; `nil`: all.
  package var limit: Int?

  /// Only its beginning is read; `nil`: all of it.
  package var sample: SourceSample?

  /// What a part of a journal holds: events from this number on, up to the one that the following part begins with.
  struct JournalPart: Hashable, Sendable {
    var first: Int64
    var following: Int64?
  }

  /// It is a part of a journal.
  var journal: JournalPart?
  /// It is a part of a journal of `slipcast serve`.
  package var isJournal: Bool { journal != nil }

  /// Two files are equal when their paths are.
  public static func == (left: InputFile, right: InputFile) -> Bool { left.path == right.path }
  /// Hashes the path.
  public func hash(into hasher: inout Hasher) { hasher.combine(path) }

  /// Standard input.
  public static let standardInput = InputFile(path: "-")

  /// What messages and reports call a source.
  package static func title(_ path: String) -> String {
    path == "-" || path.hasPrefix("-!") ? "standard input" + path.dropFirst() : path
  }

  /// It may be read only once: standard input, a pipe, a device.
  package var isStream: Bool { path == "-" || Platform.kind(path) != .file }

  /// Names a file without opening it.
  public init(path: String) { self.path = path }

  /// The names of files that are read in directories: records, compressed or not, and archives.
  public static let patterns: [String] = {
    let plain = ["json", "ndjson", "jsonl", "csv", "tsv", "b64", "base64", "tar"]
    let wrapped = ["", ".gz", ".zst", ".xz", ".bz2"]
    return plain.flatMap { name in wrapped.map { "*.\(name)\($0)" } } + ["*.tgz", "*.tbz2", "*.txz", "*.zip"]
  }()

  /// The files that arguments name: files themselves, directories with all files below them.
  ///
  /// Order: arguments as given; inside a directory by the bytes of the names, folders and files alike. Hidden names are
  /// omitted. The content of a directory must not redirect the search: links to folders, links that lead out of it, and
  /// entries that are not files are skipped (a pipe would never end).
  ///
  /// - Parameters:
  ///   - paths: files, directories, or `-` for standard input.
  ///   - patterns: shell patterns for names of files inside directories.
  /// - Throws: `FileError` for a path that does not exist or cannot be read.
  public static func find(
    _ paths: [String], patterns: [String] = InputFile.patterns
  ) throws(FileError) -> [InputFile] {
    try search(paths, patterns: patterns).files
  }

  /// The same, and the skipped entries, so that they can be reported.
  package static func search(
    _ paths: [String], patterns: [String] = InputFile.patterns
  ) throws(FileError) -> (files: [InputFile], passedOver: [PassedOver]) {
    var (files, passedOver) = ([InputFile](), [PassedOver]())
    for path in paths {
      if path == "-" {
        files.append(.standardInput)
        continue
      }
      switch Platform.kind(path) {
      case .folder where JournalMark.isPresent(in: path):
        files += try journal(path)
      case .folder:
        var search = FolderSearch(patterns: patterns, root: try Platform.realPath(path))
        try search.list(path, depth: 0)
        files += search.files
        passedOver += search.passedOver
      case .nothing:
        try ForeignLocation.check(path)
        throw FileError(path: path, doing: "open", number: Platform.lastError)
      case .file, .link, .other: files.append(InputFile(path: path))
      }
    }
    return (files, passedOver)
  }

  /// The parts of a journal, as far as they are written: a server may be appending to the last one.
  private static func journal(_ folder: String) throws(FileError) -> [InputFile] {
    var files = try Platform.names(in: folder).filter(JournalMark.isPart).map { InputFile(path: folder + "/" + $0) }
    if let last = files.indices.last { files[last].limit = try Platform.wholeLines(of: files[last].path) }
    let numbers = files.map { JournalMark.first(of: $0.path) }
    for (place, number) in numbers.enumerated() {
      let following = place + 1 < numbers.count ? numbers[place + 1] : nil
      files[place].journal = number.map { JournalPart(first: $0, following: following) }
    }
    return files
  }

  package static func isSame(_ left: String, _ right: String) -> Bool {
    guard let one = Platform.identity(left), let two = Platform.identity(right) else { return left == right }
    return one == two
  }
}
