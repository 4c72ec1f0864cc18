import SlipcastBulk
import SlipcastMapping
import SlipcastOutlets
import SlipcastStores
import SlipcastSystem
import SlipcastWire

/// `convert --emit verify-receipt`: V2 histories and statuses become verifyReceipt responses, one for each customer.
enum AnswersRun {
  /// The word of `--emit`.
  static let emission = "verify-receipt"

  /// The options that act here; a customer's records are sorted before the first line is written.
  private static let taken: Set = [
    "emit", "to", "provenance", "rejects", "quiet", "jobs", "include", "mappings", "color", "root", "intermediate",
    "online-time", "accept-xcode", "exit-zero", "progress", "csv", "separator", "tsv", "from-logs", "body", "id",
    "received-at", "max-record", "sources", "help",
  ]

  private static func options(_ arguments: Arguments) throws -> ConvertOptions {
    var options = ConvertOptions()
    options.pointers = try InputOptions.pointers(arguments)
    options.jobs = try InputOptions.jobs(arguments)
    options.recordBytes = try InputOptions.recordBytes(arguments) ?? options.recordBytes
    options.keepsRejects = arguments.has("rejects")
    return options
  }

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    if let idle = arguments.values.keys.sorted().first(where: { !taken.contains($0) }) {
      throw UsageError("--\(idle) does not go with --emit \(emission)")
    }
    let path = arguments.last("to") ?? "-"
    if StoreLocation.isTarget(path) { throw UsageError("--emit \(emission) writes NDJSON, and no database") }
    if ConvertTarget.isTable(path) { throw UsageError("--emit \(emission) writes NDJSON, and no table") }
    try ConvertTarget.checkFile(path)
    let rules = try RuleOptions.rules(arguments)
    let policy = try TrustOptions.policy(arguments)
    TrustOptions.warn(policy, console)
    let inputs = try ConvertInputs(arguments, console)
    try await InputNames.check(inputs.sources, arguments)
    let words = RejectWords(arguments, console, inputs.progress(arguments, console))
    let rejects = try RejectFile(arguments)
    let index = try CustomerIndex()
    let scan = CustomerScan(policy, rules: rules, options: try options(arguments))
    let rejected = try await CustomerSources.fill(index, from: inputs.sources, scan) { reject in
      words.say(reject)
      try rejects?.write(reject)
    }
    let output: any LineOutput = path == "-" ? StreamOutput() : try FileOutput(path)
    let provenance = try arguments.last("provenance").map { try FileOutput($0) }
    let answers = CustomerAnswers(index, rules: rules, keepsProvenance: provenance != nil)
    let count = try answers.write { answer, line in
      try output.write(answer.span, part: .whole)
      try provenance?.write(line.span, part: .whole)
    }
    try output.finish()
    try provenance?.finish()
    try rejects?.finish()
    if !arguments.has("quiet") {
      words.sayRemaining()
      let customers = count == 1 ? "1 customer" : "\(count.grouped) customers"
      console.say("\(customers), \(rejected.grouped) \(rejected == 1 ? "record" : "records") rejected\n")
    }
    return rejected == 0 || arguments.has("exit-zero") ? .fine : .findings
  }
}
