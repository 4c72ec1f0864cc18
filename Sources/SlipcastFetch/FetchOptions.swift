package import SlipcastNetwork
package import SlipcastSignatures
package import SlipcastV2
package import SlipcastWire

/// What is fetched, from where, and how fast.
package struct FetchOptions: Sendable {
  package var endpoint: ServerEndpoint
  /// The environment of all ids; `nil`: that of each record, else both, production first.
  package var environment: Environment?
  package var productionServer = AppleServer.production
  package var sandboxServer = AppleServer.sandbox
  /// Requests per second, of both environments together; `nil`: Apple's limit of each.
  package var rate: Double?
  /// How many requests may run at the same time.
  package var connections = 8
  package var policy = VerificationPolicy()
  /// The times of notifications; the start is as Apple keeps them where it is `nil`.
  package var from: Timestamp?
  package var until: Timestamp?
  package var client = ServerClient.Options()
  /// Called for each failed request chain: the id, which is `nil` for one about all customers, and the reason.
  package var onFailure: @Sendable (String?, Environment, String) -> Void = { _, _, _ in }

  package init(_ endpoint: ServerEndpoint) { self.endpoint = endpoint }

  func server(_ environment: Environment) -> String {
    environment == .sandbox ? sandboxServer : productionServer
  }

  /// The earliest notifications that Apple keeps: those of 180 days, in the sandbox 30.
  ///
  /// A start right at the limit could be too early when it arrives.
  package static func earliest(_ environment: Environment, now: Timestamp) -> Timestamp {
    let days: Int64 = environment == .sandbox ? 30 : 180
    return Timestamp(milliseconds: now.milliseconds - days * 86_400_000 + margin)
  }

  /// Milliseconds, ten minutes.
  private static let margin: Int64 = 600_000

  /// Whether an environment may have what is asked for: not notifications of a time that ended before the earliest.
  func mayHold(_ environment: Environment, now: Timestamp) -> Bool {
    endpoint != .notifications || until.map { $0 > Self.earliest(environment, now: now) } ?? true
  }

  /// The times of a request for notifications.
  ///
  /// Where both environments are asked, a start that only the sandbox does not keep is moved there.
  ///
  /// - Parameters:
  ///   - now: when the run began.
  ///   - earlier: until when an earlier run requested them; Apple may add notifications of some hours ago.
  ///   - time: when the request is sent: what Apple has kept since the start of a long run may be too early now.
  func times(
    _ environment: Environment, now: Timestamp, after earlier: Int64?, sentAt time: Timestamp? = nil
  ) -> ClosedRange<Timestamp> {
    let day: Int64 = 86_400_000
    let kept = Self.earliest(environment, now: now).milliseconds
    let end = until ?? now
    var start = earlier.map { max($0 - day, kept) } ?? kept
    if let from {
      start = environment == .sandbox && self.environment == nil ? max(from.milliseconds, kept) : from.milliseconds
    }
    let limit = Self.earliest(environment, now: time ?? now).milliseconds
    let isOwn = from.map { start > $0.milliseconds } ?? true
    if isOwn, start < limit - Self.margin / 2 { start = limit }
    return min(Timestamp(milliseconds: start), end)...end
  }
}

/// What a dry run says about the run.
package struct FetchEstimate: Sendable {
  package var customers = 0
  package var requests = 0
  /// Of the requests, those to the sandbox.
  package var sandbox = 0
  package var seconds = 0.0

  /// - Parameter options: the rates.
  package init(_ list: CustomerList, _ options: FetchOptions) {
    var (production, sandbox, unasked) = (0, 0, 0)
    let now = Timestamp.now
    for customer in list.customers where customer.isAskable {
      if let environment = options.environment ?? customer.environment, !options.mayHold(environment, now: now) {
        unasked += 1
        continue
      }
      // A page has 20 transactions. Statuses have one page; of refunds and notifications nothing is known.
      let pages = options.endpoint == .history ? (Int(customer.transactions) + 19) / 20 : 1
      let isSandbox = (options.environment ?? customer.environment) == .sandbox
      if isSandbox { sandbox += pages } else { production += pages }
    }
    (customers, requests, self.sandbox) = (list.count - unasked, production + sandbox, sandbox)
    if let rate = options.rate {
      seconds = Double(requests) / rate
    } else {
      seconds = max(
        Double(production) / options.endpoint.rate(isSandbox: false),
        Double(sandbox) / options.endpoint.rate(isSandbox: true))
    }
  }
}
