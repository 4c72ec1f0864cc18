import SlipcastBulk
import SlipcastMapping
import SlipcastSignatures
import SlipcastSystem
import SlipcastWire

/// `slipcast verify`: one verdict for each signed object.
enum VerifyCommand: Command {
  static let description = CommandDescription("verify", .look, operands: .files)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    if arguments.operands.isEmpty, !arguments.has("sources"), Platform.isTerminal(0) {
      throw UsageError("expected an INPUT, or records on standard input")
    }
    var policy = try TrustOptions.policy(arguments)
    let revocation = try RevocationOptions(arguments)
    policy.revocation = revocation.checker
    TrustOptions.warn(policy, console)
    var options = VerifyOptions(policy: policy)
    options.body = try InputOptions.body(arguments)
    options.jobs = try InputOptions.jobs(arguments)
    options.recordBytes = try InputOptions.recordBytes(arguments) ?? options.recordBytes
    options.isText = (arguments.last("format") ?? (Platform.isTerminal(1) ? "text" : "json")) == "text"
    let names = arguments.operands.isEmpty ? ["-"] : arguments.operands
    let sources = try InputOptions.sources(names, arguments, console)
    try refuseStores(sources)
    try await InputNames.check(sources, arguments, among: ["body"])
    var sink = VerdictPrinter()
    let counts = try await VerifyRun(rules: .builtIn(), options: options).verify(sources, to: &sink)
    try revocation.save()
    if !arguments.has("quiet") {
      console.close(summary(counts, console))
      if counts.reasons[.nothingSigned] != nil, options.body == nil, !arguments.has("sources") {
        console.say(
          "slipcast: decoded records have no signature; of wrapped rows, --body POINTER names the member with the "
            + "record\n")
      }
    }
    let isClean = counts.invalid == 0 && (counts.undetermined == 0 || revocation.isOptional)
    return isClean || arguments.has("exit-zero") ? .fine : .findings
  }

  /// A store has no signatures, so a verdict would not describe the records that it was filled with.
  private static func refuseStores(_ sources: [RecordSource]) throws {
    for case .rows(let rows, _) in sources where rows.holdsConverted {
      throw UsageError(
        "\(rows.name) is a store, which keeps decoded records without their signatures; verify the archive that it was "
          + "filled with, or fill it with convert --require-verified")
    }
  }

  private static func summary(_ counts: VerifyCounts, _ console: Console) -> String {
    let noun = counts.read == 1 ? "record" : "records"
    var text = "\(counts.read.grouped) \(noun): \(counts.valid.grouped) valid"
    if counts.unverified > 0 { text += " (\(counts.unverified.grouped) of them NOT VERIFIED)" }
    text += ", \(counts.invalid.grouped) invalid"
    if counts.empty > 0 { text += ", \(counts.empty.grouped) that list nothing" }
    if counts.undetermined > 0 {
      text += ", \(counts.undetermined.grouped) valid with undetermined revocation"
    }
    let reasons = counts.reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    if !reasons.isEmpty {
      text += ": " + reasons.map { "\($0.key.rawValue) \($0.value.grouped)" }.joined(separator: ", ")
    }
    return (counts.invalid > 0 ? console.red(text) : text) + "\n"
  }
}

/// Standard output, line by line; a reader may stop reading, because the exit status is the verdict.
private struct VerdictPrinter: LineSink {
  private let file = StreamOutput()

  mutating func write(output bytes: Span<UInt8>) throws {
    try Console.keepingVerdict { try file.write(bytes) }
  }
  mutating func write(reject: Reject) throws {}
}
