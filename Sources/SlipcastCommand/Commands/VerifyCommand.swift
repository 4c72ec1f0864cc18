import SlipcastBulk
import SlipcastSignatures

/// `slipcast verify`: one verdict for each signed object.
enum VerifyCommand: Command {
  static let description = CommandDescription(
    name: "verify", topic: .look,
    summary: "verifies the signature of each token and receipt",
    usage: "verify [OPTION…] [INPUT…]",
    operands: .files,
    discussion: [
      "Verifies signed payloads (JWS), app receipts and iOS 6 receipts: the signature, the certificate path to Apple's "
        + "roots as of the time of signing, and what the options require; nothing else is compared.",
      "Each INPUT is a file, a folder or - for standard input (the default): bare tokens or receipts, one a line; JSON "
        + "records, an array or NDJSON, whose signed payloads and receipts are found by their names (signedPayload, "
        + "signedTransactions, signedTransactionInfo, signedRenewalInfo, signedAppTransactionInfo, latest_receipt, "
        + "latest_expired_receipt, receipt-data); a receipt in binary.",
      "Writes one line for each signed object. As JSON: input, line, offset, kind (notification, transaction, "
        + "renewalInfo, appTransaction, appReceipt, transactionReceipt, or unknown), path inside the record, verdict "
        + "(valid or invalid), reason (one word for each way to fail, which slipcast explain knows), message, judgedAt "
        + "(the time at which certificates were judged), and signingTime, which is undetermined where a payload has no "
        + "date; its certificates are judged at the current time. Input that is not a record is invalid too.",
      "A valid signature proves who signed, not that a customer still has access: a refund may have followed, and a "
        + "receipt of another app or device is genuine as well. Require what you expect: --bundle-id, --device-id.",
    ],
    options: TrustOptions.comparing + TrustOptions.trust + RevocationOptions.all
      + [
        InputOptions.body,
        InputOptions.includeAny,
        Option(
          name: "max-record", value: "MIB", byDefault: "16",
          help: "The longest record that is read, in MiB, 1 to 1024. A token or receipt never has more than 16."),
        InputOptions.jobs,
      ].under(.reading)
      + [
        Option(
          name: "format", value: "FORMAT", choices: ["text", "json"], byDefault: "text on a terminal, else json",
          help: "The format of verdicts."),
        Option(name: "quiet", help: "Writes verdicts only, no summary."),
        Option(name: "exit-zero", help: "Ends with 0 despite invalid signatures."),
      ].under(.words),
    exitStatuses: [
      (.fine, "all are valid"), (.findings, "some are not, or their revocation is undetermined"),
      (.failed, "the job could not be done"),
    ],
    examples: [
      (command: "slipcast verify receipt.b64", says: "A receipt:"),
      (
        command: "slipcast verify --bundle-id com.example.app --environment Production notifications.ndjson",
        says: "Stored notifications of your app:"
      ),
      (
        command: "slipcast verify --online-checks --ocsp-cache ocsp.ndjson v2.ndjson",
        says: "Downloaded records, with a check for revoked certificates:"
      ),
      (
        command: "slipcast convert v1/ --sign ./id | slipcast verify --root ./id/root.der -",
        says: "Records that a test identity signed:"
      ),
    ])

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    if arguments.operands.isEmpty, Console.isTerminal(0) {
      throw UsageError("expected an INPUT, or records on standard input", description)
    }
    var policy = try TrustOptions.policy(arguments, description)
    let revocation = try RevocationOptions(arguments, description)
    policy.revocation = revocation.checker
    TrustOptions.warn(policy, console)
    var options = VerifyOptions(policy: policy)
    options.body = try InputOptions.body(arguments, description)
    options.jobs = Int(try arguments.number("jobs", 1...64, description) ?? Int64(min(Platform.processors, 64)))
    options.recordBytes = try InputOptions.recordBytes(arguments, description) ?? options.recordBytes
    options.isText = (arguments.last("format") ?? (Console.isTerminal(1) ? "text" : "json")) == "text"
    let names = arguments.operands.isEmpty ? ["-"] : arguments.operands
    let patterns = arguments.all("include")
    let (files, passedOver) = try InputFile.search(names, patterns: patterns.isEmpty ? ["*"] : patterns)
    PassedOverWords.say(passedOver, arguments, console)
    guard !files.isEmpty else { throw InputOptions.nothingFound(names, patterns, description) }
    var sink = VerdictPrinter()
    let counts = try await VerifyRun(rules: RuleOptions.rules(nil), options: options).verify(files, to: &sink)
    try revocation.save()
    if !arguments.has("quiet") {
      console.say(summary(counts, console))
      if counts.reasons[.nothingSigned] != nil, options.body == nil {
        console.say("slipcast: for wrapped rows, --body POINTER names the member with the record\n")
      }
    }
    let isClean = counts.invalid == 0 && (counts.undetermined == 0 || revocation.isOptional)
    return isClean || arguments.has("exit-zero") ? .fine : .findings
  }

  private static func summary(_ counts: VerifyCounts, _ console: Console) -> String {
    let noun = counts.read == 1 ? "record" : "records"
    var text = "\(ClosingTable.grouped(counts.read)) \(noun): \(ClosingTable.grouped(counts.valid)) valid"
    if counts.unverified > 0 { text += " (\(ClosingTable.grouped(counts.unverified)) of them NOT VERIFIED)" }
    text += ", \(ClosingTable.grouped(counts.invalid)) invalid"
    if counts.empty > 0 { text += ", \(ClosingTable.grouped(counts.empty)) that list nothing" }
    if counts.undetermined > 0 {
      text += ", \(ClosingTable.grouped(counts.undetermined)) valid with undetermined revocation"
    }
    let reasons = counts.reasons.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    if !reasons.isEmpty {
      text += ": " + reasons.map { "\($0.key.rawValue) \(ClosingTable.grouped($0.value))" }.joined(separator: ", ")
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
