import CSlipcastProcess
import SlipcastBulk
import SlipcastFetch
import SlipcastMapping
import SlipcastNetwork
import SlipcastSignatures
import SlipcastSystem
import SlipcastV2
import SlipcastWire

/// A command of the family `fetch`.
protocol FetchCommand: Command {
  static var endpoint: ServerEndpoint { get }
}

extension FetchCommand {
  static var description: CommandDescription {
    CommandDescription("fetch \(endpoint.rawValue)", .compare, operands: endpoint == .orders ? .none : .files)
  }

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    var options = try FetchSettings.options(endpoint, arguments)
    let revocation = try RevocationOptions(arguments)
    options.policy.revocation = revocation.checker
    let isExecuted = arguments.has("execute")
    if isExecuted { slipcast_process_hide_memory() }
    let key = isExecuted ? try FetchSettings.key(arguments) : nil
    try check(arguments)
    let inputs = try FetchInputs(endpoint, arguments, console)
    let ids = try await inputs.read(options, arguments, console)
    let list = ids.list
    guard let key else {
      console.close(FetchWords.plan(list, options, isWindow: endpoint == .notifications))
      return ids.counts.rejected == 0 ? .fine : .findings
    }
    if let path = arguments.last("summary"), path != "-" { try FileOutput.check(path) }
    let start = try FetchStart(options, inputs, arguments)
    let outputs = try start.outputs(arguments)
    // A resumed run has written them before.
    if !start.isResumed {
      for reject in ids.rejects { try reject.withLine { try outputs.rejects?.write($0, part: .whole) } }
    }
    Interruption.watch()
    let words = FetchWords(console, arguments, customers: list.count)
    let began = Platform.seconds()
    if !arguments.has("quiet") { options.client.onWait = { words.wait($0) } }
    options.onFailure = { words.fail($0, $1, $2) }
    let settings = options
    let (counts, isInterrupted) = try await FetchWords.explainingResume(arguments, console) {
      try await ServerFetch(settings, key: key, rules: .builtIn()).run(
        list, to: outputs, start.checkpoint, isEnding: { Interruption.isAsked }, watch: { words.show($0, $1) })
    }
    words.clear()
    try revocation.save()
    if let path = arguments.last("summary") { try Files.write(FetchWords.summary(counts), to: path) }
    if !arguments.has("quiet") {
      console.close(FetchWords.table(counts, ids, seconds: Platform.seconds() - began))
    }
    if isInterrupted {
      console.say("slipcast: interrupted; not everything was requested\n")
      if arguments.has("checkpoint") { console.say("To resume: \(CommandArguments.resuming(description))\n") }
      return .failed
    }
    let isClean = counts.failed + counts.rejected + counts.failedWindows + ids.counts.rejected == 0
    if let count = revocation.checker?.undetermined, count > 0 {
      console.say("slipcast: the revocation of \(count) certificates is undetermined\n")
    }
    return isClean && !revocation.isFailed ? .fine : .findings
  }

  private static func check(_ arguments: Arguments) throws {
    if arguments.has("resume"), !arguments.has("checkpoint") {
      throw UsageError("--resume needs the --checkpoint FILE of the run")
    }
    if let to = arguments.last("to") {
      guard !to.contains("://"), !to.hasPrefix("sqlite:") else {
        throw UsageError("--to \(to) is not a name for NDJSON, which fetch writes: .ndjson, .ndjson.gz or .ndjson.zst")
      }
      try ConvertTarget.checkFile(to)
    }
    guard arguments.has("checkpoint") else { return }
    for name in ["to", "missing", "rejects"] where arguments.last(name) == "-" || name == "to" && !arguments.has(name) {
      throw UsageError("--checkpoint needs --\(name) FILE: standard output cannot be rewritten")
    }
  }
}

/// `slipcast fetch history`: all transactions of each customer.
enum FetchHistoryCommand: FetchCommand { static let endpoint = ServerEndpoint.history }

/// `slipcast fetch statuses`: the subscriptions of each customer.
enum FetchStatusesCommand: FetchCommand { static let endpoint = ServerEndpoint.statuses }

/// `slipcast fetch refunds`: the refunded transactions of each customer.
enum FetchRefundsCommand: FetchCommand { static let endpoint = ServerEndpoint.refunds }

/// `slipcast fetch notifications`: the notifications that Apple sent.
enum FetchNotificationsCommand: FetchCommand { static let endpoint = ServerEndpoint.notifications }

/// `slipcast fetch orders`: the purchases of an order, by the id in a customer's receipt.
enum FetchOrdersCommand: FetchCommand { static let endpoint = ServerEndpoint.orders }
