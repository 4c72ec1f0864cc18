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
    let files = try files(arguments, console)
    var options = SignOptions()
    (options.keepsRejects, options.keepsRawRejects) = (arguments.has("rejects"), arguments.has("rejects-raw"))
    options.jobs = try InputOptions.jobs(arguments)
    options.recordBytes = try InputOptions.recordBytes(arguments) ?? options.recordBytes
    let identity = try identity(directory, console)
    let words = RejectWords(arguments, console, Progress(.none, console))
    var sink = SignSink(
      output: StreamOutput(), rejects: try RejectFile(arguments), words: words)
    let counts = try await SignRun(identity: identity, options: options).sign(files, to: &sink)
    try sink.rejects?.finish()
    if !arguments.has("quiet") {
      words.sayRemaining()
      let (signed, rejected) = (counts.converted.grouped, counts.rejected.grouped)
      console.say("signed \(signed), rejected \(rejected)\n")
    }
    return counts.rejected == 0 ? .fine : .findings
  }

  /// The inputs; refuses to wait for a person to type records, and to write over what it reads.
  private static func files(_ arguments: Arguments, _ console: Console) throws -> [InputFile] {
    let names = Array(arguments.operands.dropFirst())
    if names.isEmpty, Platform.isTerminal(0) { throw UsageError("expected an INPUT, or records on standard input") }
    let (inputs, patterns) = (names.isEmpty ? ["-"] : names, arguments.all("include"))
    try InputUse.check(inputs, arguments, only: ["include"])
    let (files, passedOver) = try InputFile.search(inputs, patterns: patterns.isEmpty ? InputFile.patterns : patterns)
    PassedOverWords.say(passedOver, arguments, console)
    let identity = (try? InputFile.find([arguments.operands[0]], patterns: ["*"])) ?? []
    try OverwriteGuard(arguments).check((identity + files).map(\.path))
    return files
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
