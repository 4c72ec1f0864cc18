import SlipcastBulk
import SlipcastNetwork
import SlipcastReports
import SlipcastServer
import SlipcastWire

/// `slipcast replay`: sends an archive to an endpoint.
enum ReplayCommand: Command {
  static let description = CommandDescription("replay", .convert, operands: .files)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    guard let address = HTTPAddress(try arguments.required("to", "the address to send to")) else {
      throw UsageError("--to is an address with http:// or https://; \(HTTPAddress.advice)")
    }
    if arguments.has("raw"), arguments.has("sign") {
      throw UsageError("--raw sends V1 as it is, --sign converts it; use only one of them")
    }
    try refuseIdle(arguments)
    let order: ReplayPlan.Order = arguments.value("order") ?? .original
    let duplicates = try share(arguments)
    let seed = UInt64(try arguments.number("seed", 0...Int64.max) ?? 1)
    let sending = try sending(arguments, address)
    let summaries = try SummaryFile.targets(arguments)
    var options = try ConvertCommand.options(arguments)
    options.identity = try arguments.last("sign").map { try SignCommand.identity($0, console) }
    let rules = try RuleOptions.rules(arguments)
    try SideOption.check(arguments, readsEvents: false)
    let inputs = try ConvertInputs(arguments, console, side: SideOption.rule(arguments))
    try await InputNames.check(inputs.sources, arguments)
    let missing = try arguments.last("missing").map { try MissingFile($0) }
    let spool = try ReplaySpool()
    let progress = Progress(arguments, writesLines: false, console)
    let run = ReplayRun(rules: rules, options: options, isRaw: arguments.has("raw"))
    let bytes = inputs.sources.totalBytes
    let counts = try await run.read(
      inputs.sources, into: spool,
      onReject: { reject in
        say(reject, arguments, progress, on: console)
        try missing?.write(reject)
      },
      watch: { records, read in
        progress.update(Stage(name: "reading", share: bytes.map { (Double(read), Double($0)) }, count: records))
      })
    progress.makeRoom()
    let plan = ReplayPlan(count: spool.count, order: order, duplicates: duplicates, seed: seed)
    guard arguments.has("execute") else {
      sayPlan(plan, of: spool, to: address, hasSummary: !summaries.isEmpty, on: console)
      try missing?.finish()
      return counts.rejected == 0 ? .fine : .findings
    }
    Interruption.watch()
    let result = try send(plan, of: spool, sending, progress)
    try missing?.finish(result, spool)
    let table = ReplayTable(result: result, read: counts.read, notSent: counts.rejected)
    var summary = table.summary(inputs.sources.map(\.name))
    (summary.made, summary.options) = (ReportClock.milliseconds, GivenOptions.list(arguments))
    for (path, format) in summaries { try Files.write(summary.text(format), to: path) }
    return end(table, arguments, console)
  }

  /// Refuses options without an effect on what is sent.
  private static func refuseIdle(_ arguments: Arguments) throws {
    // --received-at says what the rows have, as it does in a file of --sources.
    let ofConversion = ["app-apple-id", "products", "mappings"]
    if arguments.has("raw"), let idle = ofConversion.first(where: arguments.has) {
      throw UsageError("--\(idle) has no effect with --raw, which sends V1 as it is; leave it out")
    }
    guard arguments.has("seed"), !arguments.has("duplicates"), arguments.last("order") != "shuffled" else { return }
    throw UsageError("--seed has no effect without --order shuffled or --duplicates; leave it out")
  }

  private static func sayPlan(
    _ plan: ReplayPlan, of spool: ReplaySpool, to address: HTTPAddress, hasSummary: Bool, on console: Console
  ) {
    let summary = hasSummary ? ", and no summary written" : ""
    console.say(
      "slipcast: nothing was sent\(summary). With --execute, \(plan.indices.count.grouped) requests go to "
        + "\(Console.harmless("\(address)")), with \(spool.bytes.grouped) bytes of different records\n")
  }

  private static func send(
    _ plan: ReplayPlan, of spool: ReplaySpool, _ options: Replay.Options, _ progress: Progress
  ) throws -> ReplayResult {
    var options = options
    let all = Double(plan.indices.count)
    options.watch = { ended, retries in
      progress.update(
        Stage(
          name: "sending", share: (Double(ended), all), count: ended, unit: "requests",
          others: [.init(count: retries, name: "retries")]))
    }
    defer { progress.makeRoom() }
    return try Replay(spool, plan, options) { Interruption.isAsked }.run()
  }

  private static func say(_ reject: Reject, _ arguments: Arguments, _ progress: Progress, on console: Console) {
    guard !arguments.has("quiet") else { return }
    progress.makeRoom()
    console.say(
      "slipcast: \(Console.harmless(reject.source)): record \(reject.record): \(Console.harmless(reject.message))\n")
  }

  private static func end(_ table: ReplayTable, _ arguments: Arguments, _ console: Console) -> ExitCode {
    if !arguments.has("quiet") { console.close(table.text) }
    if table.result.isInterrupted {
      console.say("slipcast: interrupted; not everything was sent\n")
      return .failed
    }
    return table.result.missing.isEmpty && table.notSent == 0 ? .fine : .findings
  }

  private static func share(_ arguments: Arguments) throws -> Double {
    guard let text = arguments.last("duplicates") else { return 0 }
    let value = text.hasSuffix("%") ? Double(text.dropLast()).map { $0 / 100 } : Double(text)
    guard let value, (0...1).contains(value) else {
      throw UsageError("--duplicates is a share such as 0.1 or 10%, not \"\(text)\"")
    }
    return value
  }

  private static func sending(_ arguments: Arguments, _ address: HTTPAddress) throws -> Replay.Options {
    let schedule = try arguments.last("retry-seconds").map { try RetrySchedule.read($0) }
    var sending = Replay.Options(address: address, retrySeconds: schedule ?? RetrySchedule.apple)
    sending.concurrency = try arguments.number("concurrency", 1...256) ?? 1
    sending.rate = try arguments.number("rate", 1...1_000_000).map { Double($0) }
    sending.timeout = Double(try arguments.number("timeout", 1...3600) ?? 30)
    return sending
  }
}
