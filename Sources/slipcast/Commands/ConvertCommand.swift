import SlipcastBulk
import SlipcastMapping

/// `slipcast convert`: legacy records become V2, NDJSON on standard output.
enum ConvertCommand: Command {
  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let options = try self.options(arguments)
    let rules = try RuleOptions.rules(arguments.last("mappings"))
    let patterns = arguments.all("include")
    let names = arguments.operands.isEmpty ? ["-"] : arguments.operands
    let files = try patterns.isEmpty ? InputFile.find(names) : InputFile.find(names, patterns: patterns)
    var sink = try ConvertSink(arguments, console)
    let start = Platform.seconds()
    let (end, counts) = try await ConvertRun(rules: rules, options: options).convert(files, to: &sink)
    let seconds = Platform.seconds() - start
    if !arguments.has("quiet") {
      sink.sayRemaining()
      console.say(ClosingTable(counts: counts, files: files.count, seconds: seconds).text(console))
    }
    switch end {
    case .tooManyRejects:
      console.say("slipcast: more records were rejected than --max-rejects allows; the run ended early or failed\n")
      return .failed
    case .stopped: return .findings
    case .finished: break
    }
    let isFine = counts.rejected == 0 || options.onError == .skip || arguments.has("exit-zero")
    return isFine ? .fine : .findings
  }

  static func options(_ arguments: Arguments) throws -> ConvertOptions {
    var options = ConvertOptions()
    options.emission = arguments.last("emit").flatMap(Emission.init(rawValue:)) ?? .auto
    options.isPlain = arguments.has("plain")
    options.body = try pointer(arguments, "body")
    options.receivedAt = try pointer(arguments, "received-at")
    options.id = try pointer(arguments, "id")
    options.cast = CastOptions(
      appAppleId: try number(arguments, "app-apple-id", 1...Int64.max),
      products: try RuleOptions.products(arguments.last("products")))
    options.onError = arguments.last("on-error").flatMap(ErrorPolicy.init(rawValue:)) ?? .reject
    if let text = arguments.last("max-rejects") {
      guard let limit = RejectLimit(text) else {
        throw UsageError("--max-rejects is a number or a share such as 0.5%, not \"\(text)\"", description)
      }
      options.maxRejects = limit
    }
    options.jobs = Int(try number(arguments, "jobs", 1...64) ?? Int64(min(Platform.processors, 64)))
    options.keepsRejects = arguments.has("rejects") && options.onError != .skip
    options.keepsProvenance = arguments.has("provenance")
    if let megabytes = try number(arguments, "max-record", 1...1024) { options.recordBytes = Int(megabytes) << 20 }
    return options
  }

  private static func pointer(_ arguments: Arguments, _ name: String) throws -> JSONPointer? {
    guard let text = arguments.last(name) else { return nil }
    guard let pointer = JSONPointer(text) else {
      throw UsageError("--\(name) is a JSON pointer such as /payload/body, not \"\(text)\"", description)
    }
    return pointer
  }

  private static func number(_ arguments: Arguments, _ name: String, _ range: ClosedRange<Int64>) throws -> Int64? {
    guard let text = arguments.last(name) else { return nil }
    guard let value = Int64(text), range.contains(value) else {
      let bound =
        range.upperBound == .max ? "from \(range.lowerBound) on" : "from \(range.lowerBound) to \(range.upperBound)"
      throw UsageError("--\(name) is a number \(bound), not \"\(text)\"", description)
    }
    return value
  }
}

/// Writes converted records to standard output, provenance and rejects to their files, the first rejects as words.
private struct ConvertSink: RunSink {
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
