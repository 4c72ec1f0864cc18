import SlipcastBulk
import SlipcastMapping
import SlipcastStores
import SlipcastSystem
import SlipcastTimeline

/// `slipcast convert`: legacy records become V2, NDJSON on standard output.
enum ConvertCommand: Command {
  static let description = CommandDescription("convert", .convert, operands: .files)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    if arguments.last("emit") == AnswersRun.emission { return try await AnswersRun.run(arguments, console) }
    return try await convert(arguments, console)
  }

  private static func convert(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    var options = try self.options(arguments)
    try prepareTrust(&options, arguments, console)
    let rules = try RuleOptions.rules(arguments)
    _ = try SummaryFile.targets(arguments)
    if arguments.has("group") { try GroupedRun.check(arguments) }
    try SettleOptions.check(arguments)
    let (target, inputs) = try ends(arguments, console)
    try await check(inputs, to: target, arguments)
    let plan = try ConvertPlan.make(arguments, inputs, to: target.target, rules: rules, options)
    let words = RejectWords(arguments, console, inputs.progress(arguments, console))
    let start: RunPlan.Start
    switch try ConvertPlan.inOptions({ try plan.open { words.say($0) } }) {
    case .begins(let opened): start = opened
    case .finished(let counts):
      try target.fillStates(rules)
      return try finished(counts, of: inputs, options: options, arguments, console)
    }
    if plan.isResumable || plan.writesFiles { Interruption.watch() }
    let clock = Platform.seconds()
    if arguments.has("settle"), !arguments.has("group") {
      options.settled = try await SettleOptions.settle(
        inputs.sources, rules, options, with: arguments, keepingIn: start.destination.store, progress: words.progress)
    }
    var grouping: GroupingCounts?
    let (end, counts): (RunEnd, RunCounts)
    if arguments.has("group") {
      let outcome = try await GroupedRun.run(
        arguments, rules, to: start.destination, writesTable: target.target.isTable, words: words, console)
      (end, counts, grouping) = (outcome.end, outcome.counts, outcome.grouping)
      options.settled = outcome.settled
    } else {
      let name = arguments.has("settle") ? "converting" : ""
      let watch = words.progress.converting(inputs.sources, name: name)
      (end, counts) = try await plan.convert(start, settled: options.settled, watch: watch)
    }
    if end == .finished { try target.fillStates(rules) }
    words.progress.makeRoom()
    let table = ClosingTable(
      counts: counts, grouping: grouping, settling: SettleOptions.figures(options.settled), names: inputs.names,
      seconds: Platform.seconds() - clock, before: start.checkpoint?.counts ?? RunCounts())
    if !arguments.has("quiet") {
      words.sayRemaining()
      sayOddities(of: counts, inputs, rejects: words, arguments, console)
      console.close(table.text(console))
    }
    try SummaryFile.write(table, end: end, inputs: inputs, arguments)
    try target.sayEnd(end, counts, of: plan, isQuiet: arguments.has("quiet"), console)
    return status(of: end, counts, options: options, arguments, console)
  }

  /// The target, and the inputs as it takes them.
  private static func ends(_ arguments: Arguments, _ console: Console) throws -> (ConvertTarget, ConvertInputs) {
    let target = try ConvertTarget(arguments)
    let isGrouped = arguments.has("group")
    try SideOption.check(arguments, readsEvents: isGrouped)
    // A store takes both sides of another one as they are; of lines, each event comes once.
    let side: StoreSide = target.target.store == nil && !isGrouped ? .v1 : .both
    let inputs = try ConvertInputs(arguments, console, side: SideOption.rule(arguments, preferring: side))
    try StoreInputs.check(arguments, inputs, to: target.target)
    return (target, inputs)
  }

  /// Refuses names that no row has, and options about the conversion where a store takes records as they are.
  private static func check(_ inputs: ConvertInputs, to target: ConvertTarget, _ arguments: Arguments) async throws {
    try await InputNames.check(inputs.sources, arguments)
    guard target.isStore else { return }
    try await ConversionUse.check(inputs.sources, arguments, of: ["emit", "app-apple-id", "products"])
  }

  /// Loads the identity that signs; says what a verifier requires besides the signature, and what is accepted unsigned.
  private static func prepareTrust(
    _ options: inout ConvertOptions, _ arguments: Arguments, _ console: Console
  ) throws {
    defer { if let policy = options.verification { TrustOptions.warn(policy, console) } }
    guard let folder = arguments.last("sign") else { return }
    if !arguments.has("app-apple-id"), !arguments.has("quiet") {
      console.say(
        "slipcast: --sign without --app-apple-id: Apple's verifiers reject notifications of Production without the "
          + "app's id in the App Store, which V1 notifications do not contain; add --app-apple-id N\n")
    }
    options.identity = try SignCommand.identity(folder, console)
  }

  private static func status(
    of end: RunEnd, _ counts: RunCounts, options: ConvertOptions, _ arguments: Arguments, _ console: Console
  ) -> ExitCode {
    switch end {
    case .tooManyRejects:
      let limit = arguments.last("max-rejects") ?? ""
      console.say(
        "slipcast: \(counts.rejected) of \(counts.read) records were rejected, more than --max-rejects \(limit)\n")
      return .failed
    case .stopped:
      console.say("slipcast: stopped at the first rejected record (--on-error stop)\n")
      return .findings
    case .interrupted: return .failed
    case .finished: break
    }
    return isFine(rejected: counts.rejected, options, arguments) ? .fine : .findings
  }

  private static func finished(
    _ counts: RunCounts, of inputs: ConvertInputs, options: ConvertOptions, _ arguments: Arguments, _ console: Console
  ) throws -> ExitCode {
    let rejected = counts.rejected
    // A run that was killed after its last checkpoint wrote no summary.
    let table = ClosingTable(counts: counts, names: inputs.names, seconds: 0, before: counts)
    try SummaryFile.write(table, end: .finished, inputs: inputs, arguments)
    if !arguments.has("quiet") {
      let words = rejected == 0 ? "" : "; it rejected \(rejected) \(rejected == 1 ? "record" : "records")"
      console.say("slipcast: this run was finished before; there is nothing to do\(words)\n")
    }
    return isFine(rejected: rejected, options, arguments) ? .fine : .findings
  }

  private static func isFine(rejected: Int, _ options: ConvertOptions, _ arguments: Arguments) -> Bool {
    rejected == 0 || options.onError == .skip || arguments.has("exit-zero")
  }

  /// Warns about likely mistakes.
  private static func sayOddities(
    of counts: RunCounts, _ inputs: ConvertInputs, rejects: RejectWords, _ arguments: Arguments, _ console: Console
  ) {
    let count = inputs.sources.count
    let only = rejects.only(counts)
    if counts.rejected > 0, counts.rejected == counts.read,
      let advice = advice(inputs, arguments) ?? RejectAdvice.words(only, arguments)
    {
      console.say("slipcast: \(advice)\n")
    } else if counts.read == 0 {
      console.say("slipcast: there are no records in \(count == 1 ? "the input" : "the \(count) inputs")\n")
    }
    let unread = counts.findings.byCode.first { $0.code == "receivedTimeUnreadable" }?.count ?? 0
    if unread > 0, unread == counts.converted, let pointer = arguments.last("received-at") {
      console.say("slipcast: no row has a readable time at --received-at \(pointer)\n")
    }
  }

  private static func advice(_ inputs: ConvertInputs, _ arguments: Arguments) -> String? {
    func first(_ endings: [String]) -> InputFile? {
      inputs.files.first { file in endings.contains { file.path.lowercased().contains($0) } }
    }
    let table = inputs.files.first { $0.table.isCSV || $0.table.escaping != nil } ?? first([".csv", ".tsv"])
    if let table, !arguments.has("body"), table.pointers?.body == nil {
      return "\(Console.harmless(table.path)) is a table; --body names the column of the record, such as --body payload"
    }
    if let log = first([".log"]), !log.table.isLog {
      return "\(Console.harmless(log.path)) looks like a log; --from-logs finds the notifications in its lines"
    }
    return nil
  }

  static func options(_ arguments: Arguments) throws -> ConvertOptions {
    var options = ConvertOptions()
    options.emission = arguments.value("emit") ?? .auto
    if options.emission == .appTransaction, arguments.has("sign") {
      throw UsageError("--sign does not go with --emit app-transaction; pass its lines to slipcast sign")
    }
    options.isPlain = arguments.has("plain")
    options.keepsBodies = arguments.has("keep-bodies")
    options.pointers = try InputOptions.pointers(arguments)
    options.conversion = try RuleOptions.conversion(arguments)
    options.onError = arguments.value("on-error") ?? .reject
    if let text = arguments.last("max-rejects") {
      guard let limit = RejectLimit(text) else {
        throw UsageError("--max-rejects is a number or a share such as 0.5%, not \"\(text)\"")
      }
      options.maxRejects = limit
    }
    options.jobs = try InputOptions.jobs(arguments)
    options.verification = try TrustOptions.policyIfAsked(arguments)
    options.requiresVerified = arguments.has("require-verified")
    options.recordBytes = try InputOptions.recordBytes(arguments) ?? options.recordBytes
    return options
  }
}
