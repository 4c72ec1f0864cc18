import SlipcastBulk
import SlipcastSignatures
import SlipcastSystem
import SlipcastWire

/// `slipcast sign`: decoded V2 records in Apple's wire shape, signed with a test identity.
enum SignCommand: Command {
  static let description = CommandDescription("sign", .look, operands: .files)

  /// The identity in a directory; warns when others can read its key.
  static func identity(_ directory: String, _ console: Console) throws -> TestIdentity {
    let identity = try TestIdentity(directory: directory)
    if identity.isKeyReadableByOthers {
      let name = Console.harmless(directory)
      console.say("slipcast: \(name): others can read leaf.key; chmod 600 makes it yours alone\n")
    }
    return identity
  }

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    guard let directory = arguments.operands.first else {
      throw UsageError("expected the folder of an identity; slipcast identity FOLDER makes one")
    }
    let sources = try sources(arguments, console)
    var options = SignOptions()
    (options.keepsRejects, options.keepsRawRejects) = (arguments.has("rejects"), arguments.has("rejects-raw"))
    options.jobs = try InputOptions.jobs(arguments)
    options.recordBytes = try InputOptions.recordBytes(arguments) ?? options.recordBytes
    let identity = try identity(directory, console)
    let words = RejectWords(arguments, console, Progress(.none, console))
    var sink = SignSink(
      output: StreamOutput(), rejects: try RejectFile(arguments), words: words)
    let counts = try await SignRun(identity: identity, options: options).sign(sources, to: &sink)
    try sink.rejects?.finish()
    if !arguments.has("quiet") {
      words.sayRemaining()
      let (signed, rejected) = (counts.converted.grouped, counts.rejected.grouped)
      console.say("signed \(signed), rejected \(rejected)\n")
    }
    return counts.rejected == 0 ? .fine : .findings
  }

  /// The inputs; refuses to wait for a person to type records, and to write over what it reads.
  private static func sources(_ arguments: Arguments, _ console: Console) throws -> [RecordSource] {
    let names = Array(arguments.operands.dropFirst())
    if names.isEmpty, Platform.isTerminal(0) { throw UsageError("expected an INPUT, or records on standard input") }
    let sources = try InputOptions.sources(
      names.isEmpty ? ["-"] : names, arguments, console, usual: InputFile.patterns)
    let identity = (try? InputFile.find([arguments.operands[0]], patterns: ["*"])) ?? []
    let files = sources.compactMap { source in if case .file(let file, _) = source { file } else { nil } }
    try OverwriteGuard(arguments).check((identity + files).map(\.path))
    return sources
  }
}

/// Writes signed records to standard output, rejects to their file, the first rejects as words.
private struct SignSink: LineSink {
  let output: StreamOutput
  let rejects: RejectFile?
  let words: RejectWords

  mutating func write(output bytes: Span<UInt8>) throws { try output.write(bytes) }

  mutating func write(reject: Reject) throws {
    try rejects?.write(reject)
    words.say(reject)
  }
}
