import SlipcastBulk
import SlipcastSystem

/// What a run reads, as the command line names it.
struct ConvertInputs {
  let sources: [RecordSource]
  let files: [InputFile]

  /// Finds the inputs; refuses to wait for a person to type records, and to write over what it reads.
  ///
  /// - Parameter console: reports skipped files; `nil` where they were reported before.
  init(_ arguments: Arguments, _ console: Console?) throws {
    if arguments.operands.isEmpty, Platform.isTerminal(0) {
      throw UsageError("expected an INPUT, or records on standard input")
    }
    let names = arguments.operands.isEmpty ? ["-"] : arguments.operands
    let (patterns, tables) = (arguments.all("include"), try InputOptions.tables(arguments))
    try InputUse.check(names, arguments)
    let passedOver: [PassedOver]
    (sources, files, passedOver) = try Self.find(names, patterns, tables: tables)
    try OverwriteGuard(arguments).check(files.map(\.path))
    if let console { PassedOverWords.say(passedOver, arguments, console) }
    if sources.isEmpty { throw InputOptions.nothingFound(names, patterns, readsAny: false) }
  }

  /// The sources that words name: rows of databases, files, and the files in directories.
  static func find(
    _ names: [String], _ patterns: [String], tables: TableOptions = TableOptions()
  ) throws -> (sources: [RecordSource], files: [InputFile], passedOver: [PassedOver]) {
    var (sources, files, passedOver) = ([RecordSource](), [InputFile](), [PassedOver]())
    for name in names {
      if let rows = try Databases.rows(name) {
        sources.append(.rows(rows))
        continue
      }
      var found = try InputFile.search([name], patterns: patterns.isEmpty ? InputFile.patterns : patterns)
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

  func progress(_ arguments: Arguments, _ console: Console) -> Progress {
    let style: Progress.Style = arguments.value("progress") ?? .auto
    let sizes = files.map { $0 == .standardInput ? nil : Platform.size($0.path) }
    // Lines on the terminal and a bar on the same terminal would overwrite each other.
    let isInTheWay = (arguments.last("to") ?? "-") == "-" && Platform.isTerminal(1)
    let isKnown = sources.count == files.count && !sizes.contains { $0 == nil }
    return Progress(
      style == .auto && (arguments.has("quiet") || isInTheWay) ? .none : style,
      totalBytes: isKnown ? sizes.reduce(0) { $0 + ($1 ?? 0) } : nil, console)
  }
}
