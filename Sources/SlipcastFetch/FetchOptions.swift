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

  /// The times of a request for notifications.
  ///
  /// Apple keeps 180 days, in the sandbox 30; a start right at the limit could be too early when it arrives. Where both
  /// environments are asked, a start that only the sandbox does not keep is moved there.
  ///
  /// - Parameter earlier: until when an earlier run requested them; Apple may add notifications of some hours ago.
  func times(_ environment: Environment, now: Timestamp, after earlier: Int64?) -> ClosedRange<Timestamp> {
    let day: Int64 = 86_400_000
    let kept = now.milliseconds - (environment == .sandbox ? 30 : 180) * day + 600_000
    let end = until ?? now
    var start = earlier.map { max($0 - day, kept) } ?? kept
    if let from {
      start = environment == .sandbox && self.environment == nil ? max(from.milliseconds, kept) : from.milliseconds
    }
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
    var (production, sandbox) = (0, 0)
    for customer in list.customers where customer.isNumeric {
      // A page has 20 transactions. Statuses have one page; of refunds and notifications nothing is known.
      let pages = options.endpoint == .history ? (Int(customer.transactions) + 19) / 20 : 1
      let isSandbox = (options.environment ?? customer.environment) == .sandbox
      if isSandbox { sandbox += pages } else { production += pages }
    }
    (customers, requests, self.sandbox) = (list.count, production + sandbox, sandbox)
    if let rate = options.rate {
      seconds = Double(requests) / rate
    } else {
      seconds = max(
        Double(production) / options.endpoint.rate(isSandbox: false),
        Double(sandbox) / options.endpoint.rate(isSandbox: true))
    }
  }
}
