import SlipcastBulk
import SlipcastStores

/// The two archives of a comparison, as the command line names them.
struct ParityInputs {
  let legacy: [RecordSource]
  let server: [RecordSource]
  /// What reports call them.
  let names: (legacy: String, server: String)
  let passedOver: [PassedOver]

  init(_ arguments: Arguments) throws {
    if let word = arguments.operands.first {
      let isGiven = arguments.has("legacy") || arguments.has("server")
      let words = arguments.operands
      let options = words.count == 2 ? "; did you mean --legacy \(words[0]) --server \(words[1])?" : ""
      let hint = "; the shell makes several words of a pattern: name the folder, and --include the pattern in quotes"
      throw UsageError("expected --legacy INPUT --server INPUT, found the word \"\(word)\"\(isGiven ? hint : options)")
    }
    let words = (legacy: arguments.all("legacy"), server: arguments.all("server"))
    for (name, given) in [("legacy", words.legacy), ("server", words.server)] where given.isEmpty {
      throw UsageError("--\(name) is missing: a file, a folder, a database, or - for standard input")
    }
    guard (words.legacy + words.server).count(where: { $0 == "-" }) < 2 else {
      throw UsageError("standard input can be read only once")
    }
    let tables = try InputOptions.tables(arguments)
    try Self.check(words.legacy, words.server, arguments)
    let first = try ConvertInputs.find(words.legacy, arguments.all("include"), tables: tables)
    // Logs of the server have other records, at a place of their own.
    var tablesOfServer = tables
    tablesOfServer.isOfServer = true
    tablesOfServer.bodyOfLog = try InputOptions.pointer(arguments, "server-body")?.tokens.last
    let second = try ConvertInputs.find(words.server, arguments.all("include"), tables: tablesOfServer)
    for (side, found, words) in [("legacy", first, words.legacy), ("server", second, words.server)]
    where found.sources.isEmpty {
      let fault = InputOptions.nothingFound(words, arguments.all("include"), readsAny: false)
      throw UsageError("--\(side): \(fault.message)")
    }
    func name(_ words: [String]) -> String { words.map(Databases.withoutPassword).joined(separator: " ") }
    (legacy, server) = (first.sources, second.sources)
    passedOver = first.passedOver + second.passedOver
    names = (name(words.legacy), name(words.server))
    try OverwriteGuard(arguments).check((first.files + second.files).map(\.path))
  }

  private static func check(_ legacy: [String], _ server: [String], _ arguments: Arguments) throws {
    try InputUse.check(legacy, arguments, only: ["body", "received-at", "id"])
    try InputUse.check(server, arguments, prefix: "server-", only: ["body", "received-at", "id"])
    let shared = ["include", "csv", "separator", "tsv", "from-logs", "max-record"]
    try InputUse.check(legacy + server, arguments, only: shared)
  }
}
