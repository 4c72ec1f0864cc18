import SlipcastBulk
import SlipcastDigest
import SlipcastWire

/// Where a run writes, and how it can be resumed.
struct ConvertPlan {
  /// What lines go to.
  enum Target {
    case standardOutput
    /// Nothing: the run only counts.
    case nothing
    case file(String)
    /// A file of CSV.
    case table(String)
    case folder(FolderTarget)
    case database(DatabaseTarget)
  }

  /// A run that may begin.
  struct Start {
    var destination: RunDestination
    /// The checkpoint to resume from; `nil` for a new run.
    var checkpoint: Checkpoint?
  }

  private let arguments: Arguments
  private let target: Target
  /// What decides whether a run is the same.
  private let checkpoint: Checkpoint
  private let checkpointPath: String?
  private let resumes: Bool

  init(_ arguments: Arguments, _ inputs: ConvertInputs, rules: String) throws {
    self.arguments = arguments
    target = try Self.target(arguments)
    checkpointPath = arguments.last("checkpoint")
    resumes = arguments.has("resume")
    try Self.check(arguments, target)
    var checkpoint = Checkpoint()
    if arguments.has("checkpoint") || arguments.has("resume") || target.isDatabase {
      checkpoint.sources = try inputs.sources.map { try Checkpoint.SourceMark($0) }
    }
    checkpoint.rules = Self.digest([Release.version, rules])
    checkpoint.options = Self.digest(try Self.optionWords(arguments))
    self.checkpoint = checkpoint
  }

  /// The run can be interrupted and resumed.
  var isResumable: Bool {
    if case .database(let database) = target { return database.isExecuted }
    return checkpointPath != nil
  }

  /// Records go to a database, and not only in a dry run.
  var writesDatabase: Bool {
    if case .database(let database) = target { return database.isExecuted }
    return false
  }

  /// Lines are rows of CSV.
  var writesTable: Bool { if case .table = target { true } else { false } }

  /// Something half-written may be left behind.
  var writesFiles: Bool {
    switch target {
    case .file, .table, .folder: true
    case .database(let database): database.isExecuted
    case .standardOutput, .nothing: false
    }
  }

  // MARK: what was asked for

  private static func target(_ arguments: Arguments) throws -> Target {
    guard let name = arguments.last("to"), name != "-" else {
      return arguments.has("dry-run") ? .nothing : .standardOutput
    }
    if let database = try Databases.target(name, arguments) { return .database(database) }
    if arguments.has("dry-run") { return .nothing }
    if let folder = try FolderTarget(name, arguments, ConvertCommand.description) { return .folder(folder) }
    try checkEnding(name, ConvertCommand.description)
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

  private static func check(_ arguments: Arguments, _ target: Target) throws {
    func refuse(_ message: String) -> UsageError { UsageError(message, ConvertCommand.description) }
    var isFolder = false
    if case .folder = target { isFolder = true }
    if case .table(let path) = target, arguments.has("sign") {
      throw refuse("--to \(path): CSV cannot contain signed payloads; write NDJSON")
    }
    if arguments.has("execute"), !target.isDatabase {
      throw refuse(
        "--execute is for databases: --to FILE.sqlite, sqlite:FILE or postgres://HOST/DATABASE"
          + (arguments.last("to").map { "; \($0) is not a database" } ?? ""))
    }
    if !isFolder, !arguments.has("dry-run") { try FolderTarget.refuse(arguments, ConvertCommand.description) }
    if arguments.has("resume"), !arguments.has("checkpoint"), !target.isDatabase {
      throw refuse("--resume needs the --checkpoint FILE of the run")
    }
    guard arguments.has("checkpoint") else { return }
    switch target {
    case .file, .table, .folder: break
    case .standardOutput, .nothing:
      throw refuse("--checkpoint needs --to: standard output cannot be rewritten")
    case .database:
      throw refuse("--checkpoint is for files; a database keeps the checkpoint with the data (--resume)")
    }
    for name in ["provenance", "rejects"] where arguments.last(name) == "-" {
      throw refuse("--checkpoint needs --\(name) FILE: standard output cannot be rewritten")
    }
  }

  /// Options that decide what is written, as words.
  private static func optionWords(_ arguments: Arguments) throws -> [String] {
    let indifferent: Set = [
      "jobs", "quiet", "progress", "color", "summary", "resume", "execute", "max-rejects", "exit-zero", "checkpoint",
      "mappings", "dedupe-memory",
    ]
    var words: [String] = []
    for (name, values) in arguments.values.sorted(by: { $0.key < $1.key }) where !indifferent.contains(name) {
      // The command that is printed for going on has no password, and must be the same.
      words.append("\(name)=\(values.map { Databases.withoutPassword($0) }.joined(separator: "\u{0}"))")
    }
    if let path = arguments.last("products") { words.append(String(decoding: try Files.read(path), as: UTF8.self)) }
    return words
  }

  private static func digest(_ words: [String]) -> String {
    let digest = SHA256Stream()
    for word in words { digest.add("\(word.utf8.count)\n\(word)") }
    return digest.hexadecimal
  }

  // MARK: beginning

  /// How a run begins.
  enum Opening {
    case begins(Start)
    /// It was finished before, and rejected so many records.
    case finished(rejected: Int)
  }

  /// Opens all outputs, unless the run was finished before.
  ///
  /// - Throws: `UsageError`, `BulkError`, and what a database says.
  func open(_ words: RejectWords) throws -> Opening {
    let destination = RunDestination()
    destination.onReject = { words.say($0) }
    destination.checkpoint = checkpoint
    if let megabytes = try arguments.number("checkpoint-every", 0...4096, ConvertCommand.description) {
      destination.commitBytes = Int(megabytes) << 20
    }
    if case .database(let database) = target {
      if resumes, let rejected = try database.finished(checkpoint) { return .finished(rejected: rejected) }
      let start = try database.open(destination, checkpoint, resumes: resumes)
      try openFiles(destination, start)
      return .begins(Start(destination: destination, checkpoint: start))
    }
    let before = try checkpointPath.flatMap { try unfinished($0) }
    if let before, before.isFinished {
      // What is marked done is verified even when nothing is left to do.
      try openFiles(RunDestination(), before)
      if let checkpointPath { RunDestination.removeEventLog(Self.eventLog(checkpointPath)) }
      return .finished(rejected: before.counts.rejected)
    }
    try openFiles(destination, before)
    destination.checkpointPath = checkpointPath
    if before == nil { try destination.begin() }
    return .begins(Start(destination: destination, checkpoint: before))
  }

  /// The checkpoint to resume from.
  private func unfinished(_ path: String) throws -> Checkpoint? {
    guard Platform.kind(path) != .nothing else {
      // A run that was killed before its first checkpoint has nothing that counts.
      return nil
    }
    guard let found = Checkpoint(json: try Files.read(path, limit: 256 << 20)) else {
      throw UsageError(
        "\(path) is not a checkpoint of this version of slipcast; name another file", ConvertCommand.description)
    }
    guard resumes else {
      if found.isFinished || found.counts.read == 0 { return nil }
      throw UsageError(
        "\(path) is the checkpoint of an unfinished run; continue it with --resume, or delete the file to start over",
        ConvertCommand.description)
    }
    if let difference = found.difference(from: checkpoint) {
      throw UsageError(
        "\(path) is the checkpoint of another run: \(difference); repeat that command with --resume, or start over",
        ConvertCommand.description)
    }
    return found
  }

  /// The file next to a checkpoint with what a run must know of earlier messages.
  private static func eventLog(_ checkpoint: String) -> String { checkpoint + ".events" }

  private func openFiles(_ destination: RunDestination, _ before: Checkpoint?) throws {
    let isResumable = isResumable
    func file(_ path: String, compression: Compression? = nil) throws -> FileOutput {
      let state = before?.outputs.first { $0.path == path }
      return try FileOutput(path, compression: compression, isResumable: isResumable, resuming: state)
    }
    func stream(_ name: String) throws -> (any LineOutput)? {
      guard let path = arguments.last(name) else { return nil }
      return path == "-" ? StreamOutput() : try file(path)
    }
    let ids = checkpointPath.map { $0 + ".ids" }
    let events = checkpointPath.map(Self.eventLog)
    if let events {
      destination.makeEventLog = { try FileOutput(events, compression: Compression.none, isResumable: isResumable) }
      if before?.outputs.contains(where: { $0.path == events }) == true {
        destination.eventLog = try file(events, compression: Compression.none)
      }
    }
    destination.provenance = try stream("provenance")
    // Grouping has a separate run before this one, and its rejects are the only ones.
    if !arguments.has("group") { destination.rejects = try stream("rejects") }
    switch target {
    case .standardOutput: destination.output = StreamOutput()
    case .nothing, .database: break
    case .file(let path): destination.output = try file(path)
    case .table(let path):
      let output = try file(path)
      // A resumed file begins with it.
      if before?.outputs.contains(where: { $0.path == path }) != true { try output.write(EventTable.header) }
      destination.output = output
    case .folder(let folder):
      let others = ["provenance", "rejects"].compactMap { arguments.last($0) } + [ids, events].compactMap(\.self)
      let states = before?.outputs.filter { !others.contains($0.path) }
      destination.division = folder.division
      destination.output = try SplitOutput(
        folder.path, compression: folder.compression, isResumable: isResumable, resuming: states)
    }
    guard arguments.has("dedupe"), !target.isDatabase else { return }
    let megabytes = try arguments.number("dedupe-memory", 1...65536, ConvertCommand.description) ?? 64
    destination.known = KnownIDs(memory: Int(megabytes) << 20)
    guard let ids else { return }
    if let state = before?.outputs.first(where: { $0.path == ids }) { try destination.known?.recall(state) }
    destination.idLog = try file(ids, compression: Compression.none)
  }

  // MARK: end

  /// Says what is left to do.
  func sayEnd(_ end: RunEnd, _ counts: RunCounts, _ console: Console) throws {
    if case .database(let database) = target, !database.isExecuted { console.say(try database.dryRunMessage(counts)) }
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

extension ConvertPlan.Target {
  var isDatabase: Bool { if case .database = self { true } else { false } }

  /// The one file that is written.
  var path: String? {
    switch self {
    case .file(let path), .table(let path): path
    case .standardOutput, .nothing, .folder, .database: nil
    }
  }
}
