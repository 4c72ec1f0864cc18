internal import Dispatch
internal import SlipcastBulk
internal import SlipcastDigest
package import SlipcastHTTP
package import SlipcastMapping
internal import SlipcastNetwork
package import SlipcastSignatures
import SlipcastSystem
internal import SlipcastWire
internal import Synchronization

/// What an endpoint accepts.
package struct EndpointOptions: Sendable {
  package var rules: RuleSet
  package var prepared: Converter.PreparedRules
  /// The trust policy for V2.
  package var policy: VerificationPolicy
  /// The only path of notifications; `nil`: any.
  package var path: String?
  /// Clients outside these are refused; empty: none is.
  package var allowed: [AddressRange] = []
  /// The longest body, in bytes.
  package var maxBody = 4 << 20
  /// SHA-256 of the shared secrets; empty: V1's `password` is not compared.
  private(set) var secretDigests: [String] = []

  package init(rules: RuleSet, policy: VerificationPolicy) {
    (self.rules, self.policy) = (rules, policy)
    prepared = Converter.PreparedRules(rules: rules)
  }

  /// Accepts a shared secret; it is kept as a digest only.
  package mutating func accept(secret: [UInt8]) { secretDigests.append(SHA256Stream.hexadecimal(of: secret)) }
}

/// Receives notifications: checks them, stores new ones in the journal, and answers; called by several threads at the
/// same time.
final class Endpoint: HTTPHandler {
  private let options: EndpointOptions
  private let inspectors: Pool<Inspector>
  private let intake: Intake
  private let counters: Shared<Counters>
  private let log: ServerLog
  private let clock: SteadyClock
  private let report: @Sendable (_ path: String) -> Answer?
  private let receipts: ReceiptRoutes?

  /// - Parameters:
  ///   - clock: distinguishes repeated V1 messages without a date from new ones.
  ///   - report: the answer to a `GET` request.
  init(
    _ options: EndpointOptions, intake: Intake, counters: Shared<Counters>, log: ServerLog, clock: SteadyClock,
    receipts: ReceiptRoutes? = nil, report: @escaping @Sendable (_ path: String) -> Answer?
  ) {
    (self.options, self.intake, self.counters, self.log, self.report) = (options, intake, counters, log, report)
    (self.clock, self.receipts) = (clock, receipts)
    inspectors = Pool { Inspector(options) }
  }

  var maxBody: Int { options.maxBody }
  let readsQuery = false

  /// The answer that does not depend on the body; `nil` when the body must be read.
  func answer(to head: RequestHead) -> Answer? {
    if head.method == "GET" || head.method == "HEAD", let answer = report(head.path) { return answer }
    if !options.allowed.isEmpty, !options.allowed.contains(where: { $0.contains(head.client) }) {
      return refuse(Refused(status: 403, reason: "addressNotAllowed", message: "the client is outside --allow"), head)
    }
    // Its own statuses answer every request there.
    if receipts?.route(head) != nil { return nil }
    if let path = options.path, path != head.path {
      return refuse(Refused(status: 404, reason: "wrongPath", message: "notifications are received at \(path)"), head)
    }
    if head.method != "POST" {
      return refuse(Refused(status: 405, reason: "wrongMethod", message: "notifications are sent by POST"), head)
    }
    if let encoding = head.encoding, encoding.lowercased() != "identity" {
      return refuse(Refused(status: 415, reason: "encoded", message: "expected a body without Content-Encoding"), head)
    }
    return nil
  }

  func answer(tooLong head: RequestHead) -> Answer {
    if let receipts, receipts.route(head) != nil { return receipts.refuse(tooLong: head) }
    let message = "the body is longer than \(options.maxBody) bytes (--max-body)"
    return refuse(Refused(status: 413, reason: "tooLong", message: message), head)
  }

  func answer(busy head: RequestHead) -> Answer {
    let message = "the bodies that are being received need more memory than --body-budget"
    return refuse(Refused(status: 503, reason: "busy", message: message), head)
  }

  /// - Parameter fault: what a proxy could read in another way.
  func answer(unclear fault: String, _ head: RequestHead) -> Answer {
    refuse(Refused(status: 400, reason: "notHTTP", message: "the head of the request has \(fault)"), head)
  }

  /// Notes a request that was not HTTP, or had too long a head, and was answered with a status.
  func noteUnreadable(status: Int) {
    let (reason, message) =
      status == 431 || status == 414
      ? ("headTooLong", "the head of the request is too long") : ("notHTTP", "the head of the request cannot be read")
    let head = RequestHead(method: "", path: "", client: "unknown")
    _ = refuse(Refused(status: status, reason: reason, message: message), head)
  }

  /// Counts connections that were ended because a client took too long.
  func noteSlow(_ ended: ConnectionTable.Ended) {
    counters.change { values in
      values.slowHeads += ended.heads
      values.slowBodies += ended.bodies
      values.slowAnswers += ended.answers
      values.refused += ended.bodies
      values.received["none", default: 0] += ended.bodies
    }
    // A connection without a request is not an event: proxies keep them.
    for _ in 0..<ended.bodies {
      log.note(
        "refused", [("reason", "bodySlow"), ("message", "the body was not complete after --body-timeout")],
        isLimited: true)
    }
  }

  /// Handles a body; answers through the exchange, now or later.
  func take(_ body: [UInt8], _ head: RequestHead, _ exchange: Exchange) {
    if let receipts, let route = receipts.route(head) { return receipts.take(body, for: route, head, exchange) }
    let (time, steady) = (Platform.milliseconds(), clock.milliseconds)
    let found: IncomingNotification
    do throws(Refused) {
      found = try inspectors.use { (inspector) throws(Refused) in try inspector.inspect(body, receivedAt: steady) }
    } catch {
      return exchange.answer(refuse(error, head))
    }
    counters.change { $0.received[found.version.rawValue, default: 0] += 1 }
    exchange.suspend()
    let record = JournalRecord(number: 0, receivedAt: time, version: found.version, id: found.id, body: body)
    intake.submit(
      Arrival(record: record, trace: found.trace, content: found.content) { [counters] status in
        counters.change { $0.answers[status, default: 0] += 1 }
        exchange.answer(Answer(status))
      })
  }

  private func refuse(_ refused: Refused, _ head: RequestHead) -> Answer {
    counters.change { values in
      values.refused += 1
      values.received["none", default: 0] += 1
      values.answers[refused.status, default: 0] += 1
    }
    log.note(
      "refused",
      [("status", refused.status), ("reason", refused.reason), ("client", head.client), ("message", refused.message)],
      isLimited: true)
    return Answer(refused.status, headers: refused.status == 405 ? [("Allow", "POST")] : [])
  }
}
