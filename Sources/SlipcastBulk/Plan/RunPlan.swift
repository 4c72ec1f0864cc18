internal import SlipcastDigest
public import SlipcastMapping
internal import SlipcastSignatures
import SlipcastSystem
internal import SlipcastV2
internal import SlipcastWire

/// What one conversion reads, writes and keeps: immutable, and checked as a whole before it opens an output.
///
/// `slipcast convert` makes its plan from its options; a program makes the same plan from values:
///
/// ```swift
/// var settings = RunPlan.Settings()
/// settings.checkpoint = "run.checkpoint"
/// settings.resumes = true
/// let plan = try RunPlan(
///   try InputFile.find(["archive"]), to: .file("v2.ndjson.zst"), rules: try RuleSet.builtIn(), settings: settings)
/// let outcome = try await plan.run()
/// ```
public struct RunPlan {
  /// What a run keeps besides its output.
  public struct Settings: Hashable, Sendable {
    /// The file of rejects, which can be read again as input; `-` is standard output.
    public var rejects: String?
    /// The file of rejected records as their sources have them, secrets included; the header rows of tables with them.
    ///
    /// A folder (its name ends with a slash, or it exists) gets a file for each source, and a file of sources.
    public var rawRejects: String?
    /// The file of accounts, one line for each record; `-` is standard output.
    public var provenance: String?
    /// The file of checkpoints; a database keeps its checkpoints itself.
    public var checkpoint: String?
    /// Continues the unfinished run of the checkpoint.
    public var resumes = false
    /// How many bytes of lines are written between two checkpoints; `nil`: 16 MiB, or 64 MiB to a database.
    public var commitBytes: Int?
    /// The memory, in bytes, in which duplicates are found and dropped; `nil`: they stay.
    ///
    /// Databases always drop them.
    public var dedupeMemory: Int?

    /// Nothing is kept.
    public init() {}
  }

  /// The rules that are applied.
  public let rules: RuleSet
  /// How records are converted.
  public let options: ConvertOptions
  /// Where records go.
  public let target: RunTarget
  /// What is kept besides.
  public let settings: Settings
  let sources: [RecordSource]
  /// What decides whether a run is the same.
  let checkpoint: Checkpoint

  /// Plans the conversion of files.
  ///
  /// - Parameters:
  ///   - files: the sources, in order; `InputFile.find` lists those of folders.
  ///   - target: where the lines go.
  ///   - rules: the rules of the conversion.
  ///   - options: how records are read and converted.
  ///   - settings: files besides the target, checkpoints and duplicates.
  ///   - words: your settings that decide what is written, such as the version of your program. A run is resumed
  ///     only with the same words.
  /// - Throws: `RunPlanError` for what does not go together; `FileError` for sources that cannot be read.
  public init(
    _ files: [InputFile], to target: RunTarget, rules: RuleSet, options: ConvertOptions = ConvertOptions(),
    settings: Settings = Settings(), words: [String] = []
  ) throws {
    try self.init(
      files.map { .file($0) }, to: target, rules: rules, options: options, settings: settings, words: words)
  }

  /// Plans the conversion of files and rows of databases.
  package init(
    _ sources: [RecordSource], to target: RunTarget, rules: RuleSet, options: ConvertOptions,
    settings: Settings = Settings(), words: [String] = []
  ) throws {
    (self.sources, self.target, self.rules, self.settings) = (sources, target, rules, settings)
    try Self.check(options, target, settings)
    try Self.checkFiles(sources, target, settings)
    var options = options
    let keepsRuns = target.store?.keepsRuns == true
    options.isResumable = target.store.map(\.keepsRuns) ?? (settings.checkpoint != nil)
    options.isTable = target.isTable
    options.takesServer = target.store?.holdsBothSides == true
    options.keepsProvenance = settings.provenance != nil
    options.keepsRejects = (settings.rejects != nil || keepsRuns) && options.onError != .skip
    options.keepsRawRejects = settings.rawRejects != nil
    self.options = options
    var checkpoint = Checkpoint()
    // Of other runs nothing is compared with a later one.
    if options.isResumable {
      checkpoint.rules = SHA256Stream.hexadecimal(of: [Release.version, rules.digest])
      checkpoint.options = SHA256Stream.hexadecimal(
        of: options.words + target.words + settings.words + sources.flatMap { $0.words(options.pointers) } + words)
      checkpoint.sources = try sources.map { try Checkpoint.SourceMark($0) }
    }
    self.checkpoint = checkpoint
  }

  package var isResumable: Bool { options.isResumable }

  /// A source whose rows have no known order, so that a run cannot be resumed among them.
  package var unorderedSource: String? {
    for case .rows(let feed, _) in sources where !feed.isOrdered { return feed.name }
    return nil
  }

  /// Something incomplete may be left behind.
  package var writesFiles: Bool { target.writesFiles || target.store?.keepsRuns == true }

  // MARK: checks

  private static func check(
    _ options: ConvertOptions, _ target: RunTarget, _ settings: Settings
  ) throws(RunPlanError) {
    if case .table(let path) = target.kind, options.identity != nil { throw .signedTable(path) }
    if let store = target.store {
      if options.identity != nil { throw .signedStore(store.name.description) }
      if options.isPlain { throw .plainStore(store.name.description) }
    }
    if options.keepsBodies, target.store == nil { throw .bodiesElsewhere }
    if options.emission == .appTransaction {
      if case .table(let path) = target.kind { throw .appTransactionElsewhere(path) }
      if let store = target.store { throw .appTransactionElsewhere(store.name.description) }
    }
    if settings.resumes, settings.checkpoint == nil, target.store == nil { throw .nothingToResume }
    guard settings.checkpoint != nil else { return }
    switch target.kind {
    case .file, .table, .folder: break
    case .standardOutput, .nothing: throw .checkpointOfStream
    case .store: throw .checkpointOfStore
    }
    if settings.provenance == "-" { throw .streamWithCheckpoint("provenance") }
    if settings.rejects == "-" { throw .streamWithCheckpoint("rejects") }
  }

  /// An output must be neither an input nor another output.
  private static func checkFiles(
    _ sources: [RecordSource], _ target: RunTarget, _ settings: Settings
  ) throws(RunPlanError) {
    let outputs = [target.path, settings.rejects, settings.rawRejects, settings.provenance, settings.checkpoint]
      .compactMap(\.self)
      .filter { $0 != "-" && !Platform.isStream($0) }
    for (place, path) in outputs.enumerated() {
      if outputs[..<place].contains(where: { InputFile.isSame($0, path) }) { throw .sameFile(path) }
      for name in [path, FileOutput.partName(path)] {
        guard let written = Platform.identity(name) else { continue }
        for case .file(let file, _) in sources where Platform.identity(file.path) == written {
          throw .overwritesInput(path)
        }
      }
    }
  }
}

extension ConvertOptions {
  /// What decides the output, as words.
  fileprivate var words: [String] {
    let products = conversion.products.map { "\($0)=\($1.rawValue)" }.sorted()
    return [
      emission.rawValue, "\(isPlain)", "\(isTable)", "\(members.map { String(describing: $0) } ?? "")",
      identity?.root.sha256 ?? "",
      "\(conversion.appAppleId ?? 0)", onError.rawValue, "\(recordBytes)", "\(depth)", "\(settled != nil)",
      "\(verification != nil)", "\(requiresVerified)", "\(keepsBodies)",
    ] + products
  }
}

extension RecordSource {
  /// How it is read, as words.
  ///
  /// - Parameter others: where rows have what, if the source does not state it.
  fileprivate func words(_ others: RowPointers) -> [String] {
    let words = (pointers ?? others).words
    guard case .file(let file, let patterns) = self else { return words }
    return words + ["\(file.table)"] + patterns
  }
}

extension RunTarget {
  fileprivate var words: [String] {
    switch kind {
    case .folder(let path, let division, let compression): ["\(path) \(division) \(compression.rawValue)"]
    case .nothing, .standardOutput, .file, .table, .store: [path ?? ""]
    }
  }
}

extension RunPlan.Settings {
  fileprivate var words: [String] { [rejects ?? "", rawRejects ?? "", provenance ?? "", "\(dedupeMemory != nil)"] }
}
