import SlipcastBulk
import SlipcastStores

/// Where `--to` of `convert` writes.
struct ConvertTarget {
  let target: RunTarget
  /// The database of a dry run.
  private let rehearsed: StoreLocation?

  /// - Throws: `UsageError`, and `StoreError` for the location of a database.
  init(_ arguments: Arguments) throws {
    (target, rehearsed) = try Self.find(arguments)
    let command = ConvertCommand.description
    if arguments.has("execute"), target.store == nil {
      throw UsageError(
        "--execute is for databases: --to FILE.sqlite, sqlite:FILE or postgres://HOST/DATABASE"
          + (arguments.last("to").map { "; \($0) is not a database" } ?? ""), command)
    }
    if case .folder = target.kind { return }
    if !arguments.has("dry-run") { try FolderTarget.refuse(arguments, command) }
  }

  private static func find(_ arguments: Arguments) throws -> (RunTarget, rehearsed: StoreLocation?) {
    let isDryRun = arguments.has("dry-run")
    guard let name = arguments.last("to"), name != "-" else { return (isDryRun ? .nothing : .standardOutput, nil) }
    if StoreLocation.isTarget(name) {
      let location = try StoreLocation(name)
      return arguments.has("execute") && !isDryRun ? (.store(location), nil) : (.dryRun(location), location)
    }
    if isDryRun { return (.nothing, nil) }
    return (try files(name, arguments, ConvertCommand.description), nil)
  }

  /// The file or folder of a name.
  static func files(_ name: String, _ arguments: Arguments, _ command: CommandDescription) throws -> RunTarget {
    if let folder = try FolderTarget(name, arguments, command) {
      return .folder(folder.path, by: folder.division, compression: folder.compression)
    }
    try checkEnding(name, command)
    return isTable(name) ? .table(name) : .file(name)
  }

  /// The name asks for CSV, compressed or not.
  static func isTable(_ name: String) -> Bool {
    let endings = [".csv", ".csv.gz", ".csv.zst"]
    return endings.contains { name.lowercased().hasSuffix($0) }
  }

  /// Refuses names that promise another content than they would get.
  static func checkEnding(_ name: String, _ command: CommandDescription) throws(UsageError) {
    let ending = name.split(separator: "/").last.flatMap { $0.split(separator: ".").dropFirst().last } ?? ""
    switch ending.lowercased() {
    case "xz", "bz2", "zip", "tar", "tgz", "7z", "lz4", "br":
      throw UsageError(
        "--to \(name): .\(ending) is read and not written; files are compressed as .gz or .zst",
        command)
    case "tsv", "parquet", "avro", "xlsx":
      throw UsageError(
        "--to \(name): .\(ending) is not written; NDJSON and CSV files, folders, SQLite and PostgreSQL are",
        command)
    default: break
    }
  }

  /// Says what is left to do after a run.
  func sayEnd(_ end: RunEnd, _ counts: RunCounts, isResumable: Bool, _ console: Console) throws {
    if let rehearsed { console.say(try Databases.dryRunMessage(rehearsed, counts)) }
    guard end != .finished else { return }
    if end == .interrupted {
      console.say("slipcast: interrupted; " + (isResumable ? "what is done is kept\n" : "nothing more was written\n"))
    }
    if isResumable {
      console.say("To resume: \(CommandArguments.resumeCommand)\n")
    } else if let path = target.path {
      console.say("What was converted until then is in \(Console.harmless(FileOutput.partName(path)))\n")
    }
  }
}
