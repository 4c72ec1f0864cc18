import SlipcastBulk
import SlipcastSignatures

/// `slipcast sign`: decoded V2 records in Apple's wire shape, signed with a test identity.
enum SignCommand: Command {
  static let description = CommandDescription(
    name: "sign", topic: .look,
    summary: "signs decoded V2 records with a test identity, in Apple's wire shape",
    usage: "sign [OPTION…] IDENTITY [INPUT…]",
    operands: .files,
    discussion: [
      "Signs decoded version 2 records as convert writes them, one line of output each, in their order. A notification "
        + "becomes {\"signedPayload\": …} with a signed transaction and renewal info inside, a history gets "
        + "signedTransactions, statuses get signedTransactionInfo and signedRenewalInfo, and so does a lone transaction "
        + "or renewal info; \"migration\" is omitted, every other value stays unchanged.",
      "IDENTITY is a folder that slipcast identity has made. INPUT is a file, a folder or - for standard input, the "
        + "default: a JSON document, an array, or one record a line.",
      "The signedDate of a payload is its own, else that of its notification, else its latest date in the past, never "
        + "the current time. A record that cannot be signed (it is signed already, it is version 1, it has no date) is "
        + "reported with its position; signing continues with the next record.",
    ],
    options: [
      Option(
        name: "rejects", value: "FILE", file: .written,
        help: "Keeps the records that could not be signed, one JSON object a line. - is standard output."),
      InputOptions.maxRecord,
      Option(
        name: "include", value: "PATTERN", byDefault: InputOptions.recordNames, isRepeatable: true,
        help: "Reads only these files of folders, by name: v2.json, '2021-*.ndjson'."),
      Option(
        name: "jobs", value: "N", byDefault: InputOptions.allProcessors,
        help: "The number of workers, 1 to 64. The output keeps the order of the input."),
      InputOptions.quiet,
    ],
    exitStatuses: [
      (.fine, "all records were signed"), (.findings, "some records could not be signed"),
      (.failed, "the job could not be done"),
    ],
    examples: [
      (command: "slipcast sign identity/ v2.ndjson > signed.ndjson", says: "Records that convert wrote:"),
      (
        command: "jq -c '.data.environment = \"Sandbox\"' v2.ndjson | slipcast sign identity/ > sandbox.ndjson",
        says: "Modified records:"
      ),
    ])

  /// The option of other commands that sign what they write.
  static let sign = Option(
    name: "sign", value: "IDENTITY", file: .read, isFolder: true,
    help: "Writes Apple's own wire shape, {\"signedPayload\": …} and so on, signed with the test identity in that "
      + "folder (slipcast identity makes one); \"migration\" is omitted.")

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
      throw UsageError("expected the folder of an identity; slipcast identity FOLDER makes one", description)
    }
    let files = try files(arguments, console)
    var options = SignOptions()
    options.keepsRejects = arguments.has("rejects")
    options.jobs = Int(try arguments.number("jobs", 1...64, description) ?? Int64(min(Platform.processors, 64)))
    options.recordBytes = try InputOptions.recordBytes(arguments, description) ?? options.recordBytes
    let identity = try identity(directory, console)
    let words = RejectWords(arguments, console, Progress(.none, totalBytes: nil, console))
    var sink = SignSink(
      output: StreamOutput(), rejects: try arguments.last("rejects").map { try RejectFile($0) }, words: words)
    let counts = try await SignRun(identity: identity, options: options).sign(files, to: &sink)
    try sink.rejects?.finish()
    if !arguments.has("quiet") {
      words.sayRemaining()
      let (signed, rejected) = (ClosingTable.grouped(counts.converted), ClosingTable.grouped(counts.rejected))
      console.say("signed \(signed), rejected \(rejected)\n")
    }
    return counts.rejected == 0 ? .fine : .findings
  }

  /// The inputs; refuses to wait for a person to type records, and to write over what it reads.
  private static func files(_ arguments: Arguments, _ console: Console) throws -> [InputFile] {
    let names = Array(arguments.operands.dropFirst())
    if names.isEmpty, Console.isTerminal(0) {
      throw UsageError("expected an INPUT, or records on standard input", description)
    }
    let (inputs, patterns) = (names.isEmpty ? ["-"] : names, arguments.all("include"))
    let (files, passedOver) = try InputFile.search(inputs, patterns: patterns.isEmpty ? InputFile.patterns : patterns)
    PassedOverWords.say(passedOver, arguments, console)
    let identity = (try? InputFile.find([arguments.operands[0]], patterns: ["*"])) ?? []
    try OverwriteGuard(arguments, description).check((identity + files).map(\.path))
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
