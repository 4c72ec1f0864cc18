import SlipcastBulk
import SlipcastFetch
import SlipcastNetwork
import SlipcastSystem
import SlipcastV2
import SlipcastWire
import Synchronization

/// What `fetch` says.
final class FetchWords: Sendable {
  private let console: Console
  private let customers: Int
  private let progress: Progress
  private let waitEnd = Mutex(0.0)
  private let failures = Mutex(0)
  private static let mostFailures = 10

  init(_ console: Console, _ arguments: Arguments, customers: Int) {
    (self.console, self.customers) = (console, customers)
    progress = Progress(arguments, writesLines: (arguments.last("to") ?? "-") == "-", console)
  }

  func show(_ done: Int, _ counts: FetchCounts) {
    progress.update(
      Stage(
        share: (Double(done), Double(customers)), count: done, unit: "customers",
        others: [
          .init(count: counts.failed, name: "failed"), .init(count: counts.requests, name: "requests", isBad: false),
          .init(count: counts.lines, name: "lines", isBad: false),
        ]))
  }

  /// Says that the server asks to wait, once for a wait; short ones need no words.
  func wait(_ seconds: Double) {
    let now = Platform.seconds()
    let isNew = waitEnd.withLock { end in
      defer { end = max(end, now + seconds) }
      return now >= end
    }
    guard isNew, seconds >= 5 else { return }
    clear()
    console.say("slipcast: the server asks to wait; the next request follows in \(Self.duration(seconds))\n")
  }

  /// Says why an id failed, or a request about all customers; the first ones show what is wrong.
  func fail(_ id: String?, _ environment: Environment, _ message: String) {
    let count = failures.withLock { count in
      count += 1
      return count
    }
    guard count <= Self.mostFailures else { return }
    clear()
    let what = id.map { $0.isEmpty ? "a line of --ids" : $0 } ?? "the notifications of \(environment.rawValue)"
    console.say("slipcast: \(what) failed: \(Console.harmless(message))\n")
    guard count == Self.mostFailures else { return }
    console.say("slipcast: further failures are not shown; --missing FILE keeps all\n")
  }

  func clear() { progress.makeRoom() }

  static func plan(_ list: CustomerList, _ options: FetchOptions, isWindow: Bool) -> String {
    let estimate = FetchEstimate(list, options)
    let noun = options.endpoint == .orders ? "orders" : "customers"
    let what = list.customers.contains { $0.id == nil } ? "requests about the app" : noun
    let faulty = list.customers.count { !$0.isAskable }
    let unasked = faulty > 0 ? " (\(faulty.grouped) of them are not ids, and are not asked about)" : ""
    let pages = isWindow ? " and one more for every 20 notifications" : ""
    return "slipcast: nothing was sent. \(estimate.customers.grouped) \(what)\(unasked), about "
      + "\(estimate.requests.grouped) requests\(pages), \(duration(estimate.seconds)) at \(rate(estimate, options)); "
      + "--execute sends them\n"
  }

  private static func rate(_ estimate: FetchEstimate, _ options: FetchOptions) -> String {
    if let rate = options.rate { return "\(Int(rate)) requests per second" }
    let live = "\(Int(options.endpoint.rate(isSandbox: false))) requests per second"
    let test = Int(options.endpoint.rate(isSandbox: true))
    switch estimate.sandbox {
    case 0: return live
    case estimate.requests: return "\(test) requests per second, the limit of the sandbox"
    default: return "\(live), \(test) in the sandbox"
    }
  }

  private static func duration(_ seconds: Double) -> String {
    if seconds < 90 { return "\(Int(seconds.rounded(.up))) s" }
    if seconds < 5400 { return "\(Int((seconds / 60).rounded(.up))) min" }
    return "\(ClosingTable.decimal(seconds / 3600, 1)) h"
  }

  static func table(_ counts: FetchCounts, _ ids: FetchIds, seconds: Double) -> String {
    var rows: [(String, Int)] = [
      ("ids", counts.ids), ("found", counts.found), ("  of the sandbox", counts.sandbox),
      ("  in the response for another id", counts.covered), ("notFound", counts.notFound), ("failed", counts.failed),
      ("requests", counts.requests), ("  retries", counts.retries), ("lines", counts.lines),
      ("rejected", counts.rejected),
    ]
    if counts.duplicate > 0 { rows.append(("duplicate", counts.duplicate)) }
    if ids.list.withoutId > 0 { rows.append(("records without an id", ids.list.withoutId)) }
    if ids.counts.rejected > 0 { rows.append(("records not read", ids.counts.rejected)) }
    let texts = rows.map { ($0.0, $0.1.grouped) } + [("seconds", ClosingTable.decimal(seconds, 3))]
    return ClosingTable.lines(texts).map { $0 + "\n" }.joined()
  }

  static func summary(_ counts: FetchCounts) -> String {
    let members = [
      ("ids", counts.ids), ("found", counts.found), ("notFound", counts.notFound), ("failed", counts.failed),
      ("sandbox", counts.sandbox), ("requests", counts.requests), ("retries", counts.retries),
      ("lines", counts.lines), ("rejected", counts.rejected),
    ]
    return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}\n"
  }

  /// Runs, and says after an error how to continue.
  static func explainingResume<Value>(
    _ arguments: Arguments, _ console: Console, _ run: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await run()
    } catch {
      if let path = arguments.last("checkpoint"), Platform.kind(path) == .file {
        console.say("slipcast: what has arrived is kept. To resume: \(CommandArguments.resuming(arguments.command))\n")
      }
      throw error
    }
  }
}
