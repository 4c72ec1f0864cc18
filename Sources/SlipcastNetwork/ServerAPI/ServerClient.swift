package import SlipcastSignatures
internal import SlipcastWire
internal import Synchronization

/// Sends requests with tokens, and sends them again as Apple recommends.
package final class ServerClient: Sendable {
  /// One request.
  package struct Call: Sendable {
    /// The server, without a path: `https://api.storekit.apple.com`.
    package var server: String
    /// The path, with `/` at its start, and the query.
    package var path: String
    /// The body of a POST; `nil` for GET.
    package var body: [UInt8]?
    /// The app that is asked about.
    package var bundleId: String

    package init(server: String, path: String, bundleId: String, body: [UInt8]? = nil) {
      (self.server, self.path, self.bundleId, self.body) = (server, path, bundleId, body)
    }
  }

  /// A successful response, which is a JSON object.
  package struct Reply: Sendable {
    package var body: [UInt8]
    /// How many requests it took.
    package var requests: Int
  }

  /// How requests are sent.
  package struct Options: Sendable {
    package var retries = RetryPolicy()
    /// How long a request may take, in seconds.
    package var timeout = 30.0
    /// Called when the server asks to wait, with the seconds.
    package var onWait: @Sendable (Double) -> Void = { _ in }

    package init() {}
  }

  private let key: APIKey
  private let tokens = Mutex<[String: (text: String, issued: Int64)]>([:])
  /// Milliseconds after which a token is replaced; it is valid for longer.
  private static let tokenAge: Int64 = 600_000
  private let session = HTTPSession()
  private let options: Options
  /// Servers that answered in JSON.
  private let known = Mutex<Set<String>>([])

  package init(key: APIKey, options: Options = Options()) {
    (self.key, self.options) = (key, options)
  }

  /// Ends all requests, and those to come, with an error.
  package func end() { session.end() }

  /// Sends a request until it has a result.
  ///
  /// - Parameter limiter: when requests may start.
  /// - Throws: `ServerAPIError` for an error of Apple's, and after all tries without a response.
  package func send(_ call: Call, limiter: RateLimiter?) async throws(ServerAPIError) -> Reply {
    var attempt = Attempt(begin: .now)
    while true {
      // Only the server's time counts, not that until the turn of a request.
      let asked = ContinuousClock.now
      await limiter?.wait()
      attempt.begin += ContinuousClock.now - asked
      let token = try token(call, attempt)
      let request = request(call, token: token)
      attempt.requests += 1
      attempt.tries += 1
      let outcome: Result<HTTPReply, HTTPFailure>
      do throws(HTTPFailure) { outcome = .success(try await session.send(request)) } catch { outcome = .failure(error) }
      // Whoever repeats a token is not Apple, and what it sent must not reach a file.
      if case .success(let reply) = outcome, Self.contains(reply.body, signatureOf: token) {
        throw ServerAPIError(
          reason: .unexpectedResponse, status: reply.status,
          message:
            "the response of \(SafeText.words(HTTPAddress.shown(call.server))) repeats the token of the request; "
            + "check what is between this machine and Apple", requests: attempt.requests)
      }
      switch judge(outcome, call, attempt) {
      case .reply(let body): return Reply(body: body, requests: attempt.requests)
      case .fail(let error): throw error
      case .renewToken: attempt.refused = token
      case .pause(let seconds):
        attempt.tries -= 1
        attempt.waits += 1
        options.onWait(seconds)
        guard let limiter else {
          try? await Task.sleep(for: .seconds(seconds))
          attempt.begin += .seconds(seconds)
          continue
        }
        limiter.pause(seconds: seconds)
      case .retry(let error):
        let wait = options.retries.wait(after: attempt.tries)
        guard attempt.tries < options.retries.tries(for: error), attempt.seconds + wait < options.retries.within else {
          throw error
        }
        try? await Task.sleep(for: .seconds(wait))
      }
    }
  }

  /// A search for the whole token would take longer than the request: responses hold many texts that begin like it.
  private static func contains(_ body: [UInt8], signatureOf token: String) -> Bool {
    let dot = UInt8(ascii: ".")
    guard let start = token.utf8.lastIndex(of: dot) else { return false }
    let signature = Array(token.utf8[start...])
    var rest = body[...]
    while let place = rest.firstIndex(of: dot) {
      rest = body[place...]
      if rest.starts(with: signature) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  private func request(_ call: Call, token: String) -> HTTPRequest {
    var headers = [
      "Authorization: Bearer \(token)", "User-Agent: slipcast/\(Release.version)", "Accept: application/json",
    ]
    if call.body != nil { headers.append("Content-Type: application/json") }
    // A token must not leave this machine in the clear.
    return HTTPRequest(
      address: call.server + call.path, body: call.body, headers: headers, timeout: options.timeout,
      isDirect: call.server.hasPrefix("http://"))
  }

  /// The token of an app, which is used again until it is old or the server refuses it.
  private func token(_ call: Call, _ attempt: Attempt) throws(ServerAPIError) -> String {
    let now = Timestamp.now
    if let kept = tokens.withLock({ $0[call.bundleId] }), kept.text != attempt.refused,
      abs(now.milliseconds - kept.issued) < Self.tokenAge
    {
      return kept.text
    }
    do throws(SigningError) {
      let token = try key.token(bundleId: call.bundleId, at: now)
      tokens.withLock { $0[call.bundleId] = (token, now.milliseconds) }
      return token
    } catch {
      throw ServerAPIError(reason: .signing(error), message: error.description, requests: attempt.requests)
    }
  }

  // MARK: what a response means

  struct Attempt {
    var begin: ContinuousClock.Instant
    var requests = 0
    var tries = 0
    var waits = 0
    var refused: String?

    var seconds: Double { (ContinuousClock.now - begin) / .seconds(1) }
  }

  private enum Step {
    case reply([UInt8])
    case renewToken
    case pause(Double)
    case retry(ServerAPIError)
    case fail(ServerAPIError)
  }

  private func judge(_ outcome: Result<HTTPReply, HTTPFailure>, _ call: Call, _ attempt: Attempt) -> Step {
    let isKnown = known.withLock { $0.contains(call.server) }
    switch outcome {
    case .failure(let failure):
      let error = ServerAPIError(failure, server: call.server, isKnown: isKnown, attempt)
      return failure.kind.isFinal ? .fail(error) : .retry(error)
    case .success(let reply):
      let response = ServerResponse(reply)
      if response.isObject, !isKnown { known.withLock { _ = $0.insert(call.server) } }
      switch reply.status {
      case 200 where response.isObject: return .reply(reply.body)
      case 401 where attempt.refused == nil: return .renewToken
      case 401: return .fail(.unauthorized(reply, attempt))
      case 429 where attempt.waits < options.retries.waits:
        // The server's clock counts: Apple names a time.
        let now = HTTPDate.milliseconds(reply.date) ?? Timestamp.now.milliseconds
        let asked = RetryPolicy.seconds(retryAfter: reply.retryAfter, now: now) ?? 0
        return .pause(asked > 0 ? asked : min(60, options.retries.firstWait * Double(1 << min(attempt.waits, 16))))
      case 407: return .fail(.foreign(response, call.server, attempt))
      default:
        if response.isMarkup, !isKnown {
          let error = ServerAPIError.foreign(response, call.server, attempt)
          return reply.status >= 500 ? .retry(error) : .fail(error)
        }
        let error = ServerAPIError(response, attempt)
        return response.isRetryable ? .retry(error) : .fail(error)
      }
    }
  }
}

extension RetryPolicy {
  /// Nobody waits long for a server that has never answered.
  fileprivate func tries(for error: ServerAPIError) -> Int {
    if case .unreachable(isHopeless: true) = error.reason, !error.isServerKnown { return min(3, tries) }
    return tries
  }
}
