import SlipcastBulk
import SlipcastSignatures

/// `slipcast inspect`: what something is, decoded.
enum InspectCommand: Command {
  static let description = CommandDescription(
    name: "inspect", topic: .look,
    summary: "decodes notifications, receipts, JWS and certificates",
    usage: "inspect [OPTION…] INPUT…",
    operands: .files,
    discussion: [
      "Detects the kind of each record and shows it decoded: app receipts (binary or base64) with the names of a "
        + "verifyReceipt answer, iOS 6 receipts, signed payloads with what is signed inside them, records of both "
        + "versions with the receipts and tokens in them, certificates. INPUT is a file, a folder, or - for standard "
        + "input; the envelopes that game engines put around a receipt are opened.",
      "Signatures are verified as by verify, and the verdict is shown; records with an invalid signature are shown "
        + "too. The shared secret (password) is never shown. A receipt may contain identifiers of devices.",
      "As JSON each record is one object on a line: input, line, offset, kind, content, certificates, verdict.",
    ],
    options: [
      Option(
        name: "format", value: "FORMAT",
        choices: [Choice("text", "a tree for people"), Choice("json", "for programs")],
        byDefault: "text", help: "The format of records."
      ),
      InputOptions.body,
      InputOptions.includeAny,
    ].under(.reading) + TrustOptions.trust + RevocationOptions.all + TrustOptions.comparing,
    exitStatuses: [
      (.fine, "all records were decoded, even with invalid signatures"),
      (.findings, "something could not be decoded, or the revocation of a certificate is undetermined"),
      (.failed, "the job could not be done, for example because a file was not found"),
    ],
    examples: [
      (command: "slipcast inspect receipt.b64", says: "A receipt:"),
      (
        command: "slipcast inspect v1.json --format json | jq '.signed[].receipt.in_app'",
        says: "The receipt in a body:"
      ),
      (command: "pbpaste | slipcast inspect -", says: "A token from the clipboard of a Mac:"),
    ])

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    guard !arguments.operands.isEmpty else { throw UsageError("expected an INPUT", description) }
    var policy = try TrustOptions.policy(arguments, description)
    let revocation = try RevocationOptions(arguments, description)
    policy.revocation = revocation.checker
    TrustOptions.warn(policy, console)
    let patterns = arguments.all("include")
    let (files, passedOver) = try InputFile.search(arguments.operands, patterns: patterns.isEmpty ? ["*"] : patterns)
    PassedOverWords.say(passedOver, arguments, console)
    var options = VerifyOptions(policy: policy)
    options.body = try InputOptions.body(arguments, description)
    options.jobs = 1
    let run = InspectRun(rules: try RuleOptions.rules(nil), options: options)
    var sink = InspectOutput(isText: arguments.last("format") != "json", isColored: Console.colors(1, arguments))
    guard !files.isEmpty else { throw InputOptions.nothingFound(arguments.operands, patterns, description) }
    var refused = false
    for file in files {
      if let line = try certificates(file) {
        try sink.write(output: line.span)
      } else {
        let counts = try await run.inspect([file], to: &sink)
        refused = refused || counts.refused > 0
      }
    }
    try revocation.save()
    return refused || revocation.isFailed ? .findings : .fine
  }

  private static func certificates(_ file: InputFile) throws -> [UInt8]? {
    guard file != .standardInput, let bytes = try Files.head(file.path, count: 64 << 10) else { return nil }
    return InspectRun.inspect(certificatesIn: bytes, of: file.path)
  }
}

/// Standard output: lines of JSON as they come, or each of them as a tree for people.
private struct InspectOutput: LineSink {
  private let file = StreamOutput(isJSON: false)
  private let tree: InspectionTree?

  init(isText: Bool, isColored: Bool) {
    tree = isText ? InspectionTree(isColored: isColored) : nil
  }

  mutating func write(output bytes: Span<UInt8>) throws {
    guard let tree else { return try file.write(bytes) }
    var start = 0
    var text = ""
    func flush(above count: Int) throws {
      guard text.utf8.count > count else { return }
      try text.withUTF8 { try file.write($0.span) }
      text.removeAll(keepingCapacity: true)
    }
    while let feed = Platform.find(0x0A, in: bytes, from: start) {
      try tree.write(bytes.extracting(start..<feed)) {
        text += $0
        // A call of the system for each of many small records would take longer than all the rest.
        try flush(above: 64 << 10)
      }
      start = feed + 1
    }
    try flush(above: 0)
  }

  mutating func write(reject: Reject) throws {}
}
