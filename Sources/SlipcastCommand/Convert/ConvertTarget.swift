import SlipcastBulk
import SlipcastMapping
import SlipcastStores
import SlipcastWire

/// Where `--to` of `convert` writes.
struct ConvertTarget {
  let target: RunTarget
  /// The database that it writes to, or that of a dry run.
  private let database: StoreLocation?
  private let isRehearsal: Bool
  /// It is a database, also in a dry run.
  var isStore: Bool { database != nil }

  init(_ arguments: Arguments) throws {
    (target, database) = try Self.find(arguments)
    isRehearsal = !arguments.has("execute") || arguments.has("dry-run")
    if arguments.has("execute"), target.store == nil {
      throw UsageError(
        "--execute is for databases: --to FILE.sqlite, sqlite:FILE or postgres://HOST/DATABASE"
          + (arguments.last("to").map { "; \($0) is not a database" } ?? ""))
    }
    if case .folder = target.kind { return }
    if !arguments.has("dry-run") { try FolderTarget.refuse(arguments) }
  }

  private static func find(_ arguments: Arguments) throws -> (RunTarget, StoreLocation?) {
    let isDryRun = arguments.has("dry-run")
    guard let name = arguments.last("to"), name != "-" else { return (isDryRun ? .nothing : .standardOutput, nil) }
    try TargetName.check(name)
    if StoreLocation.isTarget(name) {
      let location = try StoreLocation(name)
      return (arguments.has("execute") && !isDryRun ? .store(location) : .dryRun(location), location)
    }
    if isDryRun { return (.nothing, nil) }
    return (try files(name, arguments), nil)
  }

  static func files(_ name: String, _ arguments: Arguments) throws -> RunTarget {
    if let folder = try FolderTarget(name, arguments) {
      return .folder(folder.path, by: folder.division, compression: folder.compression)
    }
    try checkEnding(name)
    return isTable(name) ? .table(name) : .file(name)
  }

  /// The name asks for CSV, compressed or not.
  static func isTable(_ name: String) -> Bool {
    let endings = [".csv", ".csv.gz", ".csv.zst"]
    return endings.contains { name.lowercased().hasSuffix($0) }
  }

  /// The extensions of files of lines, which `.gz` and `.zst` may follow.
  static let endingsOfLines = ["ndjson", "jsonl", "json"]
  /// Those of files of lines and of tables.
  static let endings = endingsOfLines + ["csv"]
  static let endingsOfStores = ["sqlite", "sqlite3", "db"]

  /// Refuses names that promise another content than they would get; a name without an extension promises none.
  ///
  /// - Parameters:
  ///   - option: the option that names the file.
  ///   - endings: the extensions that a command writes.
  ///   - refused: the extensions that promise another content; `nil`: all others.
  ///   - others: what else the name may be.
  static func checkEnding(
    _ name: String, option: String = "to", endings: [String] = endings, refusing refused: [String]? = nil,
    others: String = ", .sqlite, .sqlite3, .db, a folder, the location of a database, or -"
  ) throws(UsageError) {
    var parts = name.lowercased().split(separator: "/").last?.split(separator: ".").map(String.init) ?? []
    if parts.count > 1, let last = parts.last, last == "gz" || last == "zst" { parts.removeLast() }
    guard parts.count > 1, let ending = parts.last, !endings.contains(ending), refused?.contains(ending) ?? true else {
      return
    }
    let known = endings.map { ".\($0)" }.joined(separator: ", ")
    let all = endings + endingsOfStores.filter { others.contains(".\($0)") }
    let near = Suggestion.closest(to: ending, among: all).map { "; did you mean .\($0)?" } ?? ""
    throw UsageError(
      "--\(option) \(name): .\(ending) is not written; write \(known) (each also with .gz or .zst)\(others)\(near)")
  }

  /// Refuses what cannot name a file of lines, or `-`.
  static func checkFile(_ name: String, endings: [String] = endingsOfLines) throws {
    guard name != "-" else { return }
    try OverwriteGuard.checkFile(name, option: "to")
    try checkEnding(name, endings: endings, others: ", or -")
  }

  /// Ends a run into a database: its table `states` has what all messages show.
  func fillStates(_ rules: RuleSet) throws {
    if let database, !isRehearsal { try StatesOfStore.fill(database, rules) }
  }

  func sayEnd(_ end: RunEnd, _ counts: RunCounts, of plan: RunPlan, isQuiet: Bool, _ console: Console) throws {
    if let database, isRehearsal { console.say(try Databases.dryRunMessage(database, counts)) }
    if end == .finished {
      if let database, !isRehearsal, !isQuiet { try EventStore.sayWhatItLacks(database, console) }
      return
    }
    if end == .interrupted {
      let words = plan.isResumable ? "what is done is kept" : "nothing more was written"
      let isFile = target.path != nil && target.store == nil && plan.settings.checkpoint == nil
      let advice = isFile ? "; with --checkpoint FILE, a run can be resumed" : ""
      console.say("slipcast: interrupted; \(words)\(advice)\n")
    }
    if plan.isResumable {
      Self.sayHowToResume(end, plan, console)
    } else if let path = target.path {
      console.say("What was converted until then is in \(Console.harmless(FileOutput.partName(path)))\n")
    }
  }

  private static func sayHowToResume(_ end: RunEnd, _ plan: RunPlan, _ console: Console) {
    if let rejects = plan.settings.rejects, end == .stopped || end == .tooManyRejects {
      console.say("The rejects until then are in \(Console.harmless(FileOutput.partName(rejects)))\n")
    }
    let command = CommandArguments.resuming(ConvertCommand.description)
    if let source = plan.unorderedSource {
      console.say(
        "The run cannot be resumed, because the rows of \(Console.harmless(source)) have no known order: start over, and "
          + "name a unique column with key=COLUMN\n")
    } else if end == .tooManyRejects {
      console.say("To resume, with a larger number for --max-rejects: \(command)\n")
    } else {
      console.say("To resume: \(command)\n")
    }
  }
}
