import CSlipcastProcess
import Dispatch
import SlipcastBulk
import SlipcastHTTP
import SlipcastMapping
import SlipcastNetwork
import SlipcastOutlets
import SlipcastServer
import SlipcastSignatures
import SlipcastStores
import SlipcastSystem
import SlipcastWire

/// `slipcast serve`: an endpoint for notifications of both versions.
enum ServeCommand: Command {
  static let description = CommandDescription("serve", .convert)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    try arguments.refuseOperands()
    var options = try options(arguments, console)
    let revocation = try RevocationOptions(arguments, retry: 60)
    options.endpoint.policy.revocation = revocation.checker
    options.verifyReceipt = try await receipts(arguments, options.endpoint, console)
    TrustOptions.warn(options.endpoint.policy, console)
    let isJSON = arguments.last("log") == "json"
    let log = ServerLog(isJSON: isJSON) { console.say($0) }
    Interruption.watch()
    let server = try NotificationServer(options, log: log)
    if !["bundle-id", "app-apple-id", "environment"].contains(where: arguments.has) {
      log.note(
        "warning",
        [("message", "notifications of every app and environment are accepted; name yours with --bundle-id")])
    }
    log.note("started", [("address", server.address), ("journal", options.journal)])
    while !Interruption.isAsked {
      await wait()
      server.tidy()
    }
    server.stop()
    try revocation.save()
    log.note("ended", [])
    return .fine
  }

  /// Waits a moment, on a separate thread; setting the system's clock does not change how long.
  private static func wait() async {
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        Platform.pause(0.1)
        done.resume()
      }
    }
  }

  private static func options(_ arguments: Arguments, _ console: Console) throws -> ServerOptions {
    if let text = arguments.last("listen") { try ListenAddress.check(text) }
    let journal = try arguments.required("journal", "the folder that keeps notifications")
    let rules = try RuleOptions.rules(arguments)
    var endpoint = EndpointOptions(rules: rules, policy: try TrustOptions.policy(arguments))
    endpoint.path = arguments.last("path")
    if let path = endpoint.path, !path.hasPrefix("/") { throw UsageError("--path begins with /, unlike \"\(path)\"") }
    endpoint.allowed = try arguments.all("allow").map { text in
      guard let range = AddressRange(text) else {
        throw UsageError("--allow is an address or a range such as 17.0.0.0/8, not \"\(text)\"")
      }
      return range
    }
    if let path = arguments.last("shared-secret") {
      for secret in try SharedSecrets.read(path) { endpoint.accept(secret: secret) }
    }
    endpoint.maxBody = (try arguments.number("max-body", 1...64) ?? 4) << 20
    var options = ServerOptions(endpoint: endpoint, journal: journal, version: Release.version)
    options.http = try http(arguments, maxBody: endpoint.maxBody)
    options.target = try arguments.last("to").map { try target($0, arguments) }
    if options.target == nil { try FolderTarget.refuse(arguments) }
    options.forwards = try forwards(arguments, console)
    options.rejects = arguments.last("rejects")
    if options.rejects != nil, options.target == nil {
      throw UsageError(
        "--rejects needs --to, because it has what that cannot convert; without --to, the log has what --forward v2=URL "
          + "cannot convert")
    }
    options.convert.conversion = try RuleOptions.conversion(arguments)
    options.convert.recordBytes = endpoint.maxBody
    options.convert.keepsRejects = true
    options.datesByArrival = arguments.last("signed-date") == "arrival"
    options.settles = arguments.has("settle")
    if options.settles, options.target == nil, !options.forwards.contains(where: { $0.form == .v2 }) {
      throw UsageError("--settle needs --to or --forward v2=URL: only there V1 is converted")
    }
    try refuseIdle(arguments, hasTarget: options.target != nil, options.forwards)
    options.fillStates = { try StatesOfStore.fill($0, rules, while: $1) }
    options.fromNow = arguments.has("from-now")
    options.keepDays = try arguments.number("journal-keep", 0...36500)
    return options
  }

  /// Refuses options about deliveries where nothing is delivered.
  private static func refuseIdle(_ arguments: Arguments, hasTarget: Bool, _ forwards: [Forward]) throws {
    func check(_ names: [String], _ isUsed: Bool, _ needed: String) throws {
      guard !isUsed, let idle = names.first(where: arguments.has) else { return }
      throw UsageError("--\(idle) has no effect without \(needed)")
    }
    try check(["retry-seconds", "forward-timeout", "redeliver"], !forwards.isEmpty, "--forward")
    try check(["from-now"], hasTarget || !forwards.isEmpty, "--to or --forward")
    try check(
      ["signed-date", "products"], hasTarget || forwards.contains { $0.form == .v2 },
      "--to or --forward v2=URL: only there V1 is converted")
  }

  private static func receipts(
    _ arguments: Arguments, _ endpoint: EndpointOptions, _ console: Console
  ) async throws -> VerifyReceiptService.Options? {
    guard arguments.has("verify-receipt") else {
      if let idle = OptionTable.options(of: "answers").first(where: { arguments.has($0.name) }) {
        throw UsageError("--\(idle.name) has no effect without --verify-receipt")
      }
      return nil
    }
    if arguments.has("fetch") { slipcast_process_hide_memory() }
    let sources = try await CustomerSources(arguments, endpoint.rules, endpoint.policy, console)
    return try VerifyReceiptSettings.options(arguments, endpoint.rules, endpoint.policy, sources: sources.sources)
  }

  private static func http(_ arguments: Arguments, maxBody: Int) throws -> HTTPOptions {
    var http = HTTPOptions()
    http.listen = arguments.last("listen") ?? http.listen
    http.connections = try arguments.number("connections", 1...65536) ?? 1024
    http.headSeconds = try arguments.number("header-timeout", 1...3600) ?? 10
    http.bodySeconds = try arguments.number("body-timeout", 1...3600) ?? 30
    http.answerSeconds = try arguments.number("answer-timeout", 1...3600) ?? 10
    http.connectionsPerAddress = try arguments.number("connections-per-address", 1...65536) ?? 64
    http.bodyBudget = (try arguments.number("body-budget", 1...65536) ?? 256) << 20
    guard http.bodyBudget >= maxBody else { throw UsageError("--body-budget is at least --max-body") }
    guard arguments.has("tls-cert") == arguments.has("tls-key") else {
      throw UsageError("--tls-cert and --tls-key belong together")
    }
    func text(_ name: String) throws -> String? {
      try arguments.last(name).map { String(decoding: try Files.read($0, limit: 1 << 20), as: UTF8.self) }
    }
    (http.certificate, http.key) = (try text("tls-cert"), try text("tls-key"))
    return http
  }

  private static func forwards(_ arguments: Arguments, _ console: Console) throws -> [Forward] {
    let names = Forward.Form.allCases.map(\.rawValue)
    let timeout = try arguments.number("forward-timeout", 1...600) ?? 10
    let retries = try arguments.last("retry-seconds").map { try RetrySchedule.read($0) }
    let identity = try arguments.last("sign").map { try SignCommand.identity($0, console) }
    let words = arguments.all("forward")
    if let twice = words.enumerated().first(where: { words[..<$0.offset].contains($0.element) })?.element {
      throw UsageError("--forward \(Self.shown(twice)) is given twice")
    }
    var forwards = try words.map { text in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let form = Forward.Form(rawValue: parts[0]), let address = HTTPAddress(parts[1]) else {
        throw UsageError(
          "--forward is raw=URL or v2=URL with http:// or https://\(UsageError.hint(parts.first ?? "", names)); "
            + HTTPAddress.advice)
      }
      var forward = Forward(form, address)
      (forward.timeout, forward.identity, forward.redelivers) = (Double(timeout), identity, arguments.has("redeliver"))
      if let retries { forward.retrySeconds = retries }
      return forward
    }
    if identity != nil, !forwards.contains(where: { $0.form == .v2 }) {
      throw UsageError("--sign is for --forward v2=URL")
    }
    Forward.distinguish(&forwards)
    return forwards
  }

  /// A value of --forward as messages call it.
  private static func shown(_ word: String) -> String {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    return parts.count == 2 ? "\(parts[0])=\(HTTPAddress(parts[1])?.description ?? "…")" : "…"
  }

  private static func target(_ name: String, _ arguments: Arguments) throws -> RunTarget {
    if name == "-" { throw UsageError("--to is a file or a database; standard output cannot be resumed") }
    try TargetName.check(name)
    if StoreLocation.isTarget(name) {
      try FolderTarget.refuse(arguments)
      return .store(try StoreLocation(name))
    }
    let files = try ConvertTarget.files(name, arguments)
    if case .folder = files.kind { return files }
    try FolderTarget.refuse(arguments)
    return files
  }
}
