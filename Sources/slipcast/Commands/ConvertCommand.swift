import SlipcastBulk
import SlipcastMapping

/// `slipcast convert`: legacy records become V2, NDJSON on standard output.
enum ConvertCommand: Command {
  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    var options = try self.options(arguments)
    options.identity = try arguments.last("sign").map { try SignCommand.identity($0, console) }
    if let policy = options.verification { TrustOptions.warn(policy, console) }
    let rules = try RuleOptions.rules(arguments.last("mappings"))
    let files = try self.files(arguments, console)
    var sink = try ConvertSink(arguments, console)
    let start = Platform.seconds()
    let (end, counts) = try await ConvertRun(rules: rules, options: options).convert(files, to: &sink)
    let seconds = Platform.seconds() - start
    if !arguments.has("quiet") {
      sink.sayRemaining()
      sayOddities(counts, files, arguments, console)
      console.say(ClosingTable(counts: counts, files: files.count, seconds: seconds).text(console))
    }
    return status(end, counts, options, arguments, console)
  }

  private static func status(
    _ end: RunEnd, _ counts: RunCounts, _ options: ConvertOptions, _ arguments: Arguments, _ console: Console
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
    case .finished: break
    }
    let isFine = counts.rejected == 0 || options.onError == .skip || arguments.has("exit-zero")
    return isFine ? .fine : .findings
  }

  /// The inputs; refuses to wait for a person to type records, and to write over what it reads.
  private static func files(_ arguments: Arguments, _ console: Console) throws -> [InputFile] {
    if arguments.operands.isEmpty, Console.isTerminal(0) {
      throw UsageError("expected an INPUT, or records on standard input", description)
    }
    let names = arguments.operands.isEmpty ? ["-"] : arguments.operands
    let patterns = arguments.all("include")
    let files = try patterns.isEmpty ? InputFile.find(names) : InputFile.find(names, patterns: patterns)
    let outputs = ["provenance", "rejects"].compactMap { name in arguments.last(name).map { (name, $0) } }
    for (name, path) in outputs where files.contains(where: { InputFile.isSame($0.path, path) }) {
      throw UsageError("--\(name) \(path) is also an input, which it would overwrite", description)
    }
    if outputs.count == 2, outputs[0].1 != "-", InputFile.isSame(outputs[0].1, outputs[1].1) {
      throw UsageError("--provenance and --rejects name the same file", description)
    }
    return files
  }

  /// What is not wrong, but hardly meant.
  private static func sayOddities(
    _ counts: RunCounts, _ files: [InputFile], _ arguments: Arguments, _ console: Console
  ) {
    if files.isEmpty {
      console.say("slipcast: no file was found there; --include says which names are read in directories\n")
    } else if counts.read == 0 {
      console.say("slipcast: there are no records in \(files.count == 1 ? "the input" : "the \(files.count) inputs")\n")
    }
    let unread = counts.findings.byCode.first { $0.code == "receivedTimeUnreadable" }?.count ?? 0
    if unread > 0, unread == counts.converted, let pointer = arguments.last("received-at") {
      console.say("slipcast: no row has a readable time at --received-at \(pointer)\n")
    }
  }

  static func options(_ arguments: Arguments) throws -> ConvertOptions {
    var options = ConvertOptions()
    options.emission = arguments.last("emit").flatMap(Emission.init(rawValue:)) ?? .auto
    options.isPlain = arguments.has("plain")
    options.body = try pointer(arguments, "body")
    options.receivedAt = try pointer(arguments, "received-at")
    options.id = try pointer(arguments, "id")
    options.cast = try RuleOptions.cast(arguments, description)
    options.onError = arguments.last("on-error").flatMap(ErrorPolicy.init(rawValue:)) ?? .reject
    if let text = arguments.last("max-rejects") {
      guard let limit = RejectLimit(text) else {
        throw UsageError("--max-rejects is a number or a share such as 0.5%, not \"\(text)\"", description)
      }
      options.maxRejects = limit
    }
    options.jobs = Int(try arguments.number("jobs", 1...64, description) ?? Int64(min(Platform.processors, 64)))
    options.keepsRejects = arguments.has("rejects") && options.onError != .skip
    options.keepsProvenance = arguments.has("provenance")
    options.verification = try TrustOptions.policyIfAsked(arguments, description)
    options.requiresVerified = arguments.has("require-verified")
    if let megabytes = try arguments.number("max-record", 1...1024, description) {
      options.recordBytes = Int(megabytes) << 20
    }
    return options
  }

  private static func pointer(_ arguments: Arguments, _ name: String) throws -> JSONPointer? {
    guard let text = arguments.last(name) else { return nil }
    guard let pointer = JSONPointer(text) else {
      throw UsageError("--\(name) is a JSON pointer such as /payload/body, not \"\(text)\"", description)
    }
    return pointer
  }
}

/// Writes records to standard output, provenance and rejects to their files, the first rejects as words.
struct ConvertSink: RunSink {
  private let console: Console
  private let output: OutputFile?
  private let provenance: OutputFile?
  private let rejects: RejectFile?
  private let isQuiet: Bool
  private var shown = 0
  private var hidden = 0
  private static let most = 5

  init(_ arguments: Arguments, _ console: Console) throws {
    self.console = console
    isQuiet = arguments.has("quiet")
    output = arguments.has("dry-run") ? nil : try OutputFile("-")
    provenance = try arguments.last("provenance").map(OutputFile.init)
    rejects = try arguments.last("rejects").map(RejectFile.init)
  }

  mutating func write(output bytes: UnsafeBufferPointer<UInt8>) throws { try output?.write(bytes) }

  mutating func write(provenance bytes: UnsafeBufferPointer<UInt8>) throws { try provenance?.write(bytes) }

  mutating func write(reject: Reject) throws {
    try rejects?.write(reject)
    if isQuiet { return }
    if shown < Self.most {
      console.say(console.red("rejected") + " \(Console.harmless(reject.description))\n")
      shown += 1
    } else {
      hidden += 1
    }
  }

  /// Says how many rejects were not shown, and where to find them.
  func sayRemaining() {
    if hidden > 0 {
      console.say("… and \(hidden) more" + (rejects == nil ? "; --rejects FILE keeps them all\n" : "\n"))
    }
  }
}
