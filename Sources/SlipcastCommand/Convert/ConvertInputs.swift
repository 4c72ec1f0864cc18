import SlipcastBulk

/// What a run reads, as the command line names it.
struct ConvertInputs {
  let sources: [RecordSource]
  /// The files among them.
  let files: [InputFile]
  /// Files in directories that are skipped.
  let passedOver: [PassedOver]
  private let nothingFound: UsageError

  /// Finds the inputs; refuses to wait for a person to type records, and to write over what it reads.
  ///
  /// - Throws: `UsageError`, and `BulkError` for what is not there.
  init(_ arguments: Arguments, _ command: CommandDescription = ConvertCommand.description) throws {
    if arguments.operands.isEmpty, Console.isTerminal(0) {
      throw UsageError("expected an INPUT, or records on standard input", command)
    }
    let names = arguments.operands.isEmpty ? ["-"] : arguments.operands
    nothingFound = InputOptions.nothingFound(names, arguments.all("include"), command, readsAny: false)
    let tables = try InputOptions.tables(arguments, command)
    (sources, files, passedOver) = try Self.find(names, arguments.all("include"), tables: tables)
    try OverwriteGuard(arguments, command).check(files.map(\.path))
  }

  /// The sources that words name: rows of databases, files, and the files in directories.
  ///
  /// - Parameter path: the path to read for a word.
  static func find(
    _ names: [String], _ patterns: [String], tables: TableOptions = TableOptions(), path: (String) -> String = { $0 }
  ) throws -> (sources: [RecordSource], files: [InputFile], passedOver: [PassedOver]) {
    var (sources, files, passedOver) = ([RecordSource](), [InputFile](), [PassedOver]())
    for name in names {
      if let rows = try Databases.rows(name) {
        sources.append(.rows(rows))
        continue
      }
      var found = try InputFile.search([path(name)], patterns: patterns.isEmpty ? InputFile.patterns : patterns)
      for place in found.files.indices {
        found.files[place].table = tables
        try TableCheck.check(found.files[place])
      }
      files += found.files
      passedOver += found.passedOver
      sources += found.files.map { .file($0, patterns: patterns) }
    }
    return (sources, files, passedOver)
  }

  /// - Throws: `UsageError` where there is nothing to read.
  func check() throws {
    if sources.isEmpty { throw nothingFound }
  }

  /// Shows the progress of the run in the requested form.
  func progress(_ arguments: Arguments, _ console: Console) -> Progress {
    let style = arguments.last("progress").flatMap(Progress.Style.init(rawValue:)) ?? .auto
    let sizes = files.map { $0 == .standardInput ? nil : Platform.size($0.path) }
    // Lines on the terminal and a bar on the same terminal would overwrite each other.
    let isInTheWay = (arguments.last("to") ?? "-") == "-" && Console.isTerminal(1)
    let isKnown = sources.count == files.count && !sizes.contains { $0 == nil }
    return Progress(
      style == .auto && (arguments.has("quiet") || isInTheWay) ? .none : style,
      totalBytes: isKnown ? sizes.reduce(0) { $0 + ($1 ?? 0) } : nil, console)
  }
}
