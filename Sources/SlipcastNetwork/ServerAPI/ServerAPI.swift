public import SlipcastSignatures
public import SlipcastV2
public import SlipcastWire

/// A client of Apple's App Store Server API for one app and one environment.
///
///     let key = try APIKey(pem: Array(text.utf8), keyId: "2X9R4HXF34", issuerId: "57246542-96fe-1a63-e053-0824d011072a")
///     let api = ServerAPI(key: key, bundleId: "com.example.slipcast", environment: .production)
///     let page = try await api.transactionHistory(of: "730001200667000")
///     for transaction in page.transactions ?? [] { print(transaction.productId ?? "", transaction.expiresDate ?? "") }
///
/// Requests that fail for a moment are sent again; Apple's limits per second are kept. Every signed part of a response
/// is verified, and added in its decoded form. Any number of tasks may use a client at the same time.
public final class ServerAPI: Sendable {
  private let client: ServerClient
  private let bundleId: String
  private let server: String
  private let verifiers: Pool<JWSVerifier>
  private let limiters: [ServerEndpoint: RateLimiter]
  /// The limiter of endpoints without a case of their own.
  private let limiter: RateLimiter

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - key: the key of App Store Connect.
  ///   - bundleId: the app.
  ///   - environment: `production` or `sandbox`.
  ///   - server: another server than Apple's, such as `http://127.0.0.1:8080`, for tests.
  ///   - anchors: the trusted certificates.
  public convenience init(
    key: APIKey, bundleId: String, environment: Environment = .production, server: String? = nil,
    anchors: TrustAnchors = .apple
  ) {
    self.init(
      key: key, bundleId: bundleId, environment: environment, server: server, anchors: anchors,
      within: RetryPolicy().within)
  }

  /// Creates a client that gives up on a request after a time, in seconds.
  package init(
    key: APIKey, bundleId: String, environment: Environment, server: String?, anchors: TrustAnchors,
    within seconds: Double
  ) {
    let isSandbox = environment == .sandbox
    var options = ServerClient.Options()
    (options.retries.within, options.timeout) = (seconds, min(seconds, options.timeout))
    client = ServerClient(key: key, options: options)
    self.bundleId = bundleId
    self.server = server ?? (isSandbox ? AppleServer.sandbox : AppleServer.production)
    var policy = VerificationPolicy()
    (policy.anchors, policy.bundleId, policy.environment) = (anchors, bundleId, environment.rawValue)
    verifiers = Pool { [policy] in JWSVerifier(policy: policy) }
    limiters = Dictionary(
      uniqueKeysWithValues: ServerEndpoint.allCases.map { ($0, RateLimiter(rate: $0.rate(isSandbox: isSandbox))) })
    limiter = RateLimiter(rate: isSandbox ? 5 : 50)
  }

  // MARK: endpoints

  /// A page of a customer's transactions; `revision` is that of the page before.
  ///
  /// - Throws: `ServerAPIError`.
  public func transactionHistory(
    of id: String, revision: String? = nil
  ) async throws(ServerAPIError) -> HistoryResponse {
    var page: HistoryResponse = try await get(.history, id, revision)
    let tokens = page.signedTransactions ?? []
    page.transactions = try verified { verifier throws(Refusal) in try verifier.transactions(tokens) }
    return page
  }

  /// The current status of all subscriptions of a customer.
  ///
  /// - Throws: `ServerAPIError`.
  public func subscriptionStatuses(of id: String) async throws(ServerAPIError) -> StatusResponse {
    let response: StatusResponse = try await get(.statuses, id, nil)
    return try verified { verifier throws(Refusal) in try verifier.decoding(response) }
  }

  /// A page of a customer's refunded transactions, decoded, with the response.
  ///
  /// - Throws: `ServerAPIError`.
  public func refundHistory(
    of id: String, revision: String? = nil
  ) async throws(ServerAPIError) -> (response: RefundHistoryResponse, transactions: [JWSTransactionDecodedPayload]) {
    let page: RefundHistoryResponse = try await get(.refunds, id, revision)
    let tokens = page.signedTransactions ?? []
    return (page, try verified { verifier throws(Refusal) in try verifier.transactions(tokens) })
  }

  /// A page of the notifications that Apple sent in a time, decoded, with the response.
  ///
  /// - Parameters:
  ///   - times: at most the last 180 days, in the sandbox 30.
  ///   - id: a customer; `nil` for all.
  ///   - page: `paginationToken` of the page before.
  /// - Throws: `ServerAPIError`.
  public func notificationHistory(
    _ times: ClosedRange<Timestamp>, of id: String? = nil, page: String? = nil
  ) async throws(ServerAPIError) -> (
    response: NotificationHistoryResponse, notifications: [ResponseBodyV2DecodedPayload]
  ) {
    let call = ServerClient.Call(
      server: server, path: ServerEndpoint.notifications.path(id: "", cursor: page), bundleId: bundleId,
      body: ServerEndpoint.body(times, id: id))
    let response: NotificationHistoryResponse = try await send(call, limiters[.notifications])
    let tokens = (response.notificationHistory ?? []).map { $0.signedPayload ?? "" }
    return (response, try verified { verifier throws(Refusal) in try verifier.notifications(tokens) })
  }

  /// A single transaction by its id.
  ///
  /// - Throws: `ServerAPIError`.
  public func transaction(_ id: String) async throws(ServerAPIError) -> JWSTransactionDecodedPayload {
    let response: TransactionInfoResponse = try await get("/inApps/v1/transactions/\(ServerEndpoint.encoded(id))")
    return try verified { verifier throws(Refusal) in
      try verifier.transaction(response.signedTransactionInfo ?? "").value
    }
  }

  /// The customer's download of the app, by any id of a transaction.
  ///
  /// - Throws: `ServerAPIError`.
  public func appTransaction(of id: String) async throws(ServerAPIError) -> AppTransaction {
    let response: AppTransactionInfoResponse = try await get(
      "/inApps/v1/transactions/appTransactions/\(ServerEndpoint.encoded(id))")
    return try verified { verifier throws(Refusal) in
      try verifier.appTransaction(response.signedAppTransactionInfo ?? "").value
    }
  }

  /// The transactions of an order, decoded, with the response; the order id is in the receipt that Apple mails.
  ///
  /// `status` is `invalid`, and there are no transactions, for an order that is unknown or holds nothing of this app.
  /// Apple has this endpoint in production only.
  ///
  /// - Throws: `ServerAPIError`.
  public func order(
    _ id: String
  ) async throws(ServerAPIError) -> (response: OrderLookupResponse, transactions: [JWSTransactionDecodedPayload]) {
    let response: OrderLookupResponse = try await get(.orders, id, nil)
    let tokens = response.signedTransactions ?? []
    return (response, try verified { verifier throws(Refusal) in try verifier.transactions(tokens) })
  }

  // MARK: requests

  private func get<Response: FieldModel>(
    _ endpoint: ServerEndpoint, _ id: String, _ cursor: String?
  ) async throws(ServerAPIError) -> Response {
    let call = ServerClient.Call(server: server, path: endpoint.path(id: id, cursor: cursor), bundleId: bundleId)
    return try await send(call, limiters[endpoint])
  }

  private func get<Response: FieldModel>(_ path: String) async throws(ServerAPIError) -> Response {
    try await send(ServerClient.Call(server: server, path: path, bundleId: bundleId), limiter)
  }

  private func send<Response: FieldModel>(
    _ call: ServerClient.Call, _ limiter: RateLimiter?
  ) async throws(ServerAPIError) -> Response {
    let reply = try await client.send(call, limiter: limiter)
    do {
      return try Response(json: reply.body)
    } catch {
      throw ServerAPIError(
        reason: .unexpectedResponse, status: 200, message: "\(Response.modelName): \(error)", requests: reply.requests)
    }
  }

  private func verified<Value>(
    _ decode: (JWSVerifier) throws(Refusal) -> Value
  ) throws(ServerAPIError) -> Value {
    do throws(Refusal) {
      return try verifiers.use(decode)
    } catch {
      let reason = error.reason == .memberKind ? ServerAPIError.Reason.unexpectedResponse : .untrusted(error)
      throw ServerAPIError(reason: reason, status: 200, message: error.description, requests: 1)
    }
  }
}
