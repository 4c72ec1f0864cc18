import SlipcastBulk
import SlipcastStores
import SlipcastSystem

/// What a run reads, as the command line names it.
struct ConvertInputs {
  let sources: [RecordSource]
  let files: [InputFile]
  /// What messages call the sources, in order.
  var names: [String] { sources.map(\.name) }

  /// Finds the inputs; refuses to wait for a person to type records, and to write over what it reads.
  ///
  /// - Parameters:
  ///   - console: reports skipped files; `nil` where they were reported before.
  ///   - reading: the options that `--sources` replaces.
  ///   - side: chooses the records of stores.
  init(
    _ arguments: Arguments, _ console: Console?, replacing reading: [String] = SourcesFile.options.map(\.name),
    side: StoreSideRule = .both
  ) throws {
    if arguments.operands.isEmpty, !arguments.has("sources"), Platform.isTerminal(0) {
      throw UsageError("expected an INPUT, or records on standard input")
    }
    let isStandardInput = arguments.operands.isEmpty && !arguments.has("sources")
    let given = try GivenInputs(isStandardInput ? ["-"] : arguments.operands, arguments, replacing: reading)
    var (sources, files, passedOver) = ([RecordSource](), [InputFile](), [PassedOver]())
    for group in given.groups {
      let found = try group.checked {
        try InputUse.check(group.names, group.arguments)
        let found = try Self.find(group, tables: InputOptions.tables(group.arguments), side: side)
        guard !found.sources.isEmpty else {
          throw InputOptions.nothingFound(group.names, group.arguments.all("include"), readsAny: false)
        }
        try FoundUse.check(group.names, found.files, group.arguments)
        return found
      }
      sources += found.sources
      files += found.files
      passedOver += found.passedOver
    }
    (self.sources, self.files) = (sources, files)
    try OverwriteGuard(arguments).check(files.map(\.path))
    guard let console else { return }
    PassedOverWords.say(passedOver, arguments, console)
    for case .rows(let rows as DatabaseRows, _) in sources {
      SideOption.sayLeftOut(rows.chosen, of: rows.name, arguments, console)
    }
  }

  /// The sources of inputs that are read with the same options.
  static func find(
    _ group: GivenInputs.Group, tables: TableOptions, side: StoreSideRule = .both
  ) throws -> (sources: [RecordSource], files: [InputFile], passedOver: [PassedOver]) {
    try find(group.names, group.arguments.all("include"), tables: tables, pointers: group.pointers(), side: side)
  }

  /// The sources that words name: rows of databases, files, and the files in directories.
  ///
  /// - Parameter usual: the names of files that are read in folders where no pattern says it.
  static func find(
    _ names: [String], _ patterns: [String], tables: TableOptions = TableOptions(), pointers: RowPointers? = nil,
    side: StoreSideRule = .both, usual: [String] = InputFile.patterns
  ) throws -> (sources: [RecordSource], files: [InputFile], passedOver: [PassedOver]) {
    var (sources, files, passedOver) = ([RecordSource](), [InputFile](), [PassedOver]())
    for name in names {
      if let rows = try Databases.rows(name, side) {
        sources.append(.rows(rows, pointers: pointers))
        continue
      }
      var found = try InputFile.search([name], patterns: patterns.isEmpty ? usual : patterns)
      for place in found.files.indices {
        (found.files[place].table, found.files[place].pointers) = (tables, pointers)
        try TableCheck.check(found.files[place])
      }
      files += found.files
      passedOver += found.passedOver
      sources += found.files.map { .file($0, patterns: patterns) }
    }
    if !sources.isEmpty, !sources.contains(where: MemberSearch.hasText) {
      throw InputOptions.nothingFound(names, patterns)
    }
    return (sources, files, passedOver)
  }

  func progress(_ arguments: Arguments, _ console: Console) -> Progress {
    Progress(arguments, writesLines: (arguments.last("to") ?? "-") == "-", console)
  }
}
