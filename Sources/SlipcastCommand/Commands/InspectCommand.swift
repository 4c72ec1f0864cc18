import SlipcastBulk
import SlipcastMapping
import SlipcastSignatures
import SlipcastSystem

/// `slipcast inspect`: what something is, decoded.
enum InspectCommand: Command {
  static let description = CommandDescription("inspect", .look, operands: .files)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    guard !arguments.operands.isEmpty || arguments.has("sources") else { throw UsageError("expected an INPUT") }
    var policy = try TrustOptions.policy(arguments)
    let revocation = try RevocationOptions(arguments)
    policy.revocation = revocation.checker
    TrustOptions.warn(policy, console)
    let sources = try InputOptions.sources(arguments.operands, arguments, console)
    var options = VerifyOptions(policy: policy)
    options.body = try InputOptions.body(arguments)
    options.jobs = 1
    try await InputNames.check(sources, arguments, among: ["body"])
    let run = InspectRun(rules: try RuleSet.builtIn(), options: options)
    var sink = InspectOutput(isText: arguments.last("format") != "json", isColored: Console.colors(1, arguments))
    var refused = false
    for source in sources {
      if case .file(let file, _) = source, let line = try certificates(file) {
        try sink.write(output: line.span)
      } else {
        let counts = try await run.inspect([source], to: &sink)
        refused = refused || counts.rejected > 0
      }
    }
    try sink.finish()
    try revocation.save()
    if refused, options.body == nil, !arguments.has("sources") {
      console.say(
        "slipcast: V1 and V2 records are read too; of wrapped rows, --body POINTER names the member with the record "
          + "(slipcast detect finds it)\n")
    }
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
  private let screen = TextScreen()
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
      try text.withUTF8 { try screen.write($0.span, part: .whole) }
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

  func finish() throws { try screen.finish() }
}
