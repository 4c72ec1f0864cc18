import SlipcastBulk
import SlipcastStores

/// The two archives of a comparison, as the command line names them.
struct ParityInputs {
  let legacy: [RecordSource]
  let server: [RecordSource]
  /// What reports call them.
  let names: (legacy: String, server: String)
  let passedOver: [PassedOver]

  /// The options that say how rows are read on one side, and those for both.
  private static let ofOneSide = ["body", "received-at", "id"]
  private static let ofServer = ["server-body", "server-received-at", "server-id"]
  private static let ofBoth = ["include", "csv", "separator", "tsv", "from-logs"]

  init(_ arguments: Arguments) throws {
    try Self.refuseOperands(arguments)
    let first = try Self.given("legacy", "sources", replacing: Self.ofOneSide, arguments)
    let second = try Self.given("server", "server-sources", replacing: Self.ofServer, arguments)
    guard (first.names + second.names).count(where: { $0 == "-" }) < 2 else {
      throw UsageError("standard input can be read only once")
    }
    try Self.check(first, second, arguments)
    let found = (legacy: try Self.find(first, "legacy"), server: try Self.find(second, "server"))
    (legacy, server) = (found.legacy.sources, found.server.sources)
    let own = [(first, found.legacy.files), (second, found.server.files)].filter { !$0.0.ownNames.isEmpty }
    try FoundUse.check(own.flatMap(\.0.ownNames), own.flatMap(\.1), arguments)
    passedOver = found.legacy.passedOver + found.server.passedOver
    names = (Self.name(first.names), Self.name(second.names))
    try OverwriteGuard(arguments).check((found.legacy.files + found.server.files).map(\.path))
  }

  /// The inputs of a side in one line: the first ones, and how many more there are.
  ///
  /// The JSON form lists all.
  private static func name(_ words: [String]) -> String {
    let shown = words.count > 3 ? Array(words.prefix(2)) : words
    let rest = words.count - shown.count
    return shown.map(Databases.withoutPassword).joined(separator: " ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private static func refuseOperands(_ arguments: Arguments) throws {
    guard let word = arguments.operands.first else { return }
    let isGiven = arguments.has("legacy") || arguments.has("server")
    let words = arguments.operands
    let options = words.count == 2 ? "; did you mean --legacy \(words[0]) --server \(words[1])?" : ""
    let hint = "; the shell makes several words of a pattern: name the folder, and --include the pattern in quotes"
    throw UsageError("expected --legacy INPUT --server INPUT, found the word \"\(word)\"\(isGiven ? hint : options)")
  }

  private static func given(
    _ side: String, _ file: String, replacing reading: [String], _ arguments: Arguments
  ) throws -> GivenInputs {
    let words = arguments.all(side)
    if words.isEmpty, !arguments.has(file) {
      throw UsageError("--\(side) is missing: a file, a folder, a database, or - for standard input; or --\(file) FILE")
    }
    if let word = words.first, arguments.has(file) {
      throw UsageError("--\(file) names all inputs of that side; leave out --\(side) \(word), or --\(file)")
    }
    return try GivenInputs(words, arguments, option: file, replacing: reading)
  }

  private static func check(_ legacy: GivenInputs, _ server: GivenInputs, _ arguments: Arguments) throws {
    let (one, two) = (legacy.ownNames, server.ownNames)
    try InputUse.check(one, arguments, only: ofOneSide)
    try InputUse.check(two, arguments, prefix: "server-", only: ofOneSide)
    try InputUse.check(one + two, arguments, only: ofBoth + ["max-record"])
    guard (one + two).isEmpty, let name = ofBoth.first(where: { arguments.has($0) }) else { return }
    throw UsageError("--sources and --server-sources say how each source is read; put --\(name) into these files")
  }

  private static func find(
    _ given: GivenInputs, _ side: String
  ) throws -> (sources: [RecordSource], files: [InputFile], passedOver: [PassedOver]) {
    var all: (sources: [RecordSource], files: [InputFile], passedOver: [PassedOver]) = ([], [], [])
    for group in given.groups {
      let found = try UsageError.at(group.place ?? "--\(side)") {
        if group.place != nil { try InputUse.check(group.names, group.arguments) }
        let found = try ConvertInputs.find(
          group, tables: tables(group, isOfServer: side == "server"),
          side: side == "server" ? StoreSideRule(preferred: .v2) : .both)
        guard !found.sources.isEmpty else {
          throw InputOptions.nothingFound(group.names, group.arguments.all("include"), readsAny: false)
        }
        if group.place != nil { try FoundUse.check(group.names, found.files, group.arguments) }
        return found
      }
      all.sources += found.sources
      all.files += found.files
      all.passedOver += found.passedOver
    }
    return all
  }

  /// Logs of the server have other records, at a place of their own.
  private static func tables(_ group: GivenInputs.Group, isOfServer: Bool) throws -> TableOptions {
    var tables = try InputOptions.tables(group.arguments)
    guard isOfServer else { return tables }
    tables.isOfServer = true
    if group.place == nil {
      tables.bodyOfLog = try InputOptions.pointer(group.arguments, "server-body")?.tokens.last
    }
    return tables
  }
}

extension GivenInputs {
  /// The inputs that the command line names itself.
  fileprivate var ownNames: [String] { groups.filter { $0.place == nil }.flatMap(\.names) }
}
