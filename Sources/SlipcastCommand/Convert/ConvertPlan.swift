import SlipcastBulk
import SlipcastMapping
import SlipcastStores
import SlipcastWire

/// The plan of a run that the options of `convert` ask for.
enum ConvertPlan {
  static func make(
    _ arguments: Arguments, _ inputs: ConvertInputs, to target: RunTarget, rules: RuleSet, _ options: ConvertOptions
  ) throws -> RunPlan {
    var settings = RunPlan.Settings()
    // Grouping has a separate run before this one, and its rejects are the only ones.
    if !arguments.has("group") {
      settings.rejects = try RejectFile.path(arguments)
      settings.rawRejects = try RejectFile.raw(arguments, of: inputs.sources, options)
    }
    settings.provenance = arguments.last("provenance")
    settings.checkpoint = arguments.last("checkpoint")
    settings.resumes = arguments.has("resume")
    if let megabytes = try arguments.number("checkpoint-every", 0...4096) {
      settings.commitBytes = megabytes << 20
    }
    if arguments.has("dedupe") {
      settings.dedupeMemory = (try arguments.number("dedupe-memory", 1...65536) ?? 64) << 20
    }
    if arguments.has("dedupe-memory"), !arguments.has("dedupe") {
      throw UsageError("--dedupe-memory has no effect without --dedupe")
    }
    if arguments.has("checkpoint-every"), settings.checkpoint == nil, target.store == nil {
      throw UsageError("--checkpoint-every has no effect without --checkpoint or a database")
    }
    if settings.checkpoint != nil, case .nothing = target.kind {
      throw UsageError("--checkpoint does not go with --dry-run, which writes nothing that could be resumed")
    }
    let words = try words(arguments)
    return try inOptions {
      try RunPlan(inputs.sources, to: target, rules: rules, options: options, settings: settings, words: words)
    }
  }

  /// Says an error of a plan in the words of the command line.
  static func inOptions<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as RunPlanError {
      throw UsageError(message(error))
    }
  }

  private static func message(_ error: RunPlanError) -> String {
    let decoded = "a database keeps decoded records, with \"migration\" in separate columns"
    switch error {
    case .signedTable(let path): return "--to \(path): CSV cannot contain signed payloads; write NDJSON"
    case .signedStore(let name): return "--sign does not go with --to \(name): \(decoded)"
    case .plainStore(let name): return "--plain does not go with --to \(name): \(decoded)"
    case .appTransactionElsewhere(let name):
      return "--emit app-transaction does not go with --to \(name): it is written as NDJSON; name FILE.ndjson"
    case .bodiesElsewhere:
      return "--keep-bodies is for databases: --to FILE.sqlite, sqlite:FILE or postgres://HOST/DATABASE"
    case .nothingToResume: return "--resume needs the --checkpoint FILE of the run"
    case .checkpointOfStream: return "--checkpoint needs --to: standard output cannot be rewritten"
    case .checkpointOfStore:
      return "--checkpoint is for files; a database keeps the checkpoint with the data (--resume)"
    case .streamWithCheckpoint(let name):
      return "--checkpoint needs --\(name) FILE: standard output cannot be rewritten"
    case .unfinishedRun(let path):
      return
        "\(path) is the checkpoint of an unfinished run; continue it with --resume, or delete the file to start over"
    case .otherRun(let path, let difference):
      return
        "\(path) is the checkpoint of another run: \(difference); repeat that command with --resume, or start over"
    case .notACheckpoint, .sameFile, .overwritesInput: return error.description
    }
  }

  /// Options that decide what is written, as words.
  private static func words(_ arguments: Arguments) throws -> [String] {
    // How sources are read is part of the sources, wherever it is said.
    let indifferent = Set([
      "jobs", "quiet", "progress", "color", "summary", "resume", "execute", "max-rejects", "exit-zero", "checkpoint",
      "mappings", "dedupe-memory", "sources",
    ])
    .union(SourcesFile.options.map(\.name))
    var words: [String] = []
    for (name, values) in arguments.values.sorted(by: { $0.key < $1.key }) where !indifferent.contains(name) {
      // The command that is printed for going on has no password, and must be the same.
      words.append("\(name)=\(values.map { Databases.withoutPassword($0) }.joined(separator: "\u{0}"))")
    }
    if let path = arguments.last("products") { words.append(String(decoding: try Files.read(path), as: UTF8.self)) }
    return words
  }
}
