import Dispatch
import SlipcastBulk
import SlipcastPages
import SlipcastReports
import SlipcastStores
import SlipcastSystem
import SlipcastWire

/// `slipcast ui`: one customer, one page.
enum UiCommand: Command {
  static let description = CommandDescription("ui", .look, operands: .files)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    var options = PageOptions(rules: try RuleOptions.rules(arguments))
    (options.store, options.reports) = try operands(arguments)
    options.redacts = arguments.has("redact")
    if arguments.has("export") { return try export(options, arguments, console) }
    if arguments.has("id") { throw UsageError("--id has no effect without --export FOLDER") }
    options.listen = arguments.last("listen") ?? options.listen
    options.token = try arguments.last("token").map(token)
    if options.token == nil, !options.isLoopback {
      throw UsageError(
        "--listen \(options.listen) is open to other machines, which needs --token FILE: a file with a long random text, "
          + "such as openssl rand -hex 32 writes")
    }
    options.note = { console.say("slipcast: \(Console.harmless($0))\n") }
    Interruption.watch()
    let server = try PageServer(options)
    console.say("slipcast: http://\(server.address)/ (end it with Ctrl-C)\n")
    while !Interruption.isAsked { await wait() }
    server.stop()
    return .fine
  }

  private static func wait() async {
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        Platform.pause(0.1)
        done.resume()
      }
    }
  }

  /// The store and the reports among the operands.
  private static func operands(_ arguments: Arguments) throws -> (StoreLocation?, [ParityFile]) {
    guard !arguments.operands.isEmpty else {
      throw UsageError("expected a store, a report of parity as JSON, or both: slipcast ui archive.sqlite parity.json")
    }
    var store: StoreLocation?
    var reports: [ParityFile] = []
    for name in arguments.operands {
      guard StoreLocation.isLocation(name) else {
        reports.append(try ParityFile(try Files.read(name, limit: Self.longestReport), name: name))
        continue
      }
      let location = try StoreLocation(name)
      guard location.isStore else {
        throw UsageError(
          "\(location) names rows, not a store: convert them first, slipcast convert … --to archive.sqlite")
      }
      guard store == nil else { throw UsageError("one store at a time: \(location) is the second one") }
      store = location
    }
    return (store, reports)
  }

  private static let longestReport = 1 << 30

  /// The token, without the line end behind it.
  private static func token(_ path: String) throws -> [UInt8] {
    var bytes = try Files.secret("--token") { try Files.read(path, limit: 1 << 16) }
    while let last = bytes.last, last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard bytes.count >= 16 else {
      throw UsageError(
        "--token \(path): expected a text of at least 16 characters, such as openssl rand -hex 32 writes")
    }
    return bytes
  }

  private static func export(_ options: PageOptions, _ arguments: Arguments, _ console: Console) throws -> ExitCode {
    let ids = arguments.all("id")
    guard !ids.isEmpty else { throw UsageError("--export needs the customers: --id ID, once for each") }
    guard options.store != nil else { throw UsageError("--export needs a store, which holds the customers") }
    for name in ["listen", "token"] where arguments.has(name) {
      throw UsageError("--\(name) has no effect with --export: files are written, and nothing listens")
    }
    guard let folder = arguments.last("export") else { return .failed }
    try OverwriteGuard.checkEmpty(folder, option: "export")
    let pages = try PageExport(options)
    let result = try pages.files(of: ids)
    try Platform.makeFolder(folder)
    for file in result.files { try Files.write(file.text, to: "\(folder)/\(file.name)") }
    for id in result.unknown { console.say("slipcast: no record of the store names \(Console.harmless(id))\n") }
    if !arguments.has("quiet") {
      if result.eventsWithoutPage > 0 {
        let events = Words.count(result.eventsWithoutPage, "event")
        let most = PageExport.mostEvents.grouped
        console.say("\(events) without a page of their own: at most \(most) events of a customer have one\n")
      }
      let counts = [Words.count(result.customers, "customer"), Words.count(result.files.count, "file")]
      console.say("\(counts.joined(separator: ", ")) in \(folder)\n")
    }
    return result.unknown.isEmpty ? .fine : .findings
  }
}
