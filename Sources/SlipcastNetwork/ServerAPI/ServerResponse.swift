@_spi(Slipcast) internal import SlipcastWire

/// What a response holds, as far as sending it again depends on it.
struct ServerResponse {
  let status: Int
  let isObject: Bool
  /// The body is a page for people: a proxy's, or that of a network that wants a login.
  let isMarkup: Bool
  let code: Open<ServerErrorCode>?
  let message: String

  init(_ reply: HTTPReply) {
    status = reply.status
    let first = reply.body.first { $0 > 0x20 }
    isMarkup = first == UInt8(ascii: "<") || reply.contentType.lowercased().hasPrefix("text/html")
    let members = JSONReader(names: []).parse(JSONBuffer(reply.body)) { root in
      root.kind == .object ? (code: root["errorCode"]?.integer, message: root["errorMessage"]?.string) : nil
    }
    isObject = members != nil
    let error = reply.status == 200 ? nil : members
    code = error?.code.map { Open(rawValue: $0) }
    message = SafeText.words(String((error?.message ?? "").prefix(200)))
  }

  var isRetryable: Bool {
    if let code { return code.known?.isRetryable ?? (status >= 500) }
    // Success without a whole object: the body was cut off.
    return status >= 500 || status == 200 || status == 429
  }
}

extension HTTPFailure.Kind {
  /// Another try would fail in the same way.
  var isFinal: Bool { self == .untrustedServer || self == .tooLarge || self == .ended }

  /// Other requests would fail in the same way.
  fileprivate var isHopeless: Bool {
    [.unknownHost, .refusedByProxy, .noConnection, .untrustedServer, .ended].contains(self)
  }

  fileprivate var advice: String {
    switch self {
    case .unknownHost: "; check the network, the name of the server, and https_proxy"
    case .refusedByProxy:
      "; the proxy does not pass the request on: check https_proxy with its user and password, and no_proxy"
    case .noConnection: "; check the network, a firewall, and https_proxy"
    case .untrustedServer:
      "; the certificate of the server is not trusted: check the clock, the system's root certificates, and whether a "
        + "proxy replaces certificates (SSL_CERT_FILE names other roots)"
    case .timedOut: "; check the network"
    case .tooLarge, .cutOff, .ended, .other: ""
    }
  }
}

extension ServerAPIError {
  init(_ failure: HTTPFailure, server: String, isKnown: Bool, _ attempt: ServerClient.Attempt) {
    let host = SafeText.words(HTTPAddress.shown(server))
    let tries = attempt.tries == 1 ? "after 1 try" : "after \(attempt.tries) tries"
    guard failure.kind != .tooLarge else {
      self.init(
        reason: .unexpectedResponse, message: "the response of \(host) is larger than 16 MiB",
        requests: attempt.requests)
      return
    }
    self.init(
      reason: .unreachable(isHopeless: failure.kind.isHopeless),
      message: "no response of \(host) \(tries): \(SafeText.words(failure.message))\(failure.kind.advice)",
      requests: attempt.requests)
    isServerKnown = isKnown
  }

  /// The response is an error of Apple's, or not Apple's at all.
  init(_ response: ServerResponse, _ attempt: ServerClient.Attempt) {
    let tries = attempt.tries == 1 ? "" : " after \(attempt.tries) tries"
    let reason: Reason
    var message = "the response was \(response.status)\(tries)"
    if let code = response.code {
      reason = .refused(code: code)
      message += ", \(code.rawValue)" + (response.message.isEmpty ? "" : ": \(response.message)")
    } else if response.status == 200 || (300...399).contains(response.status) {
      reason = .unexpectedResponse
      message +=
        response.status == 200
        ? ", and not a JSON object; it may have been cut off" : "; redirects are not followed"
    } else {
      reason = .refused(code: nil)
    }
    self.init(reason: reason, status: response.status, message: message, requests: attempt.requests)
  }

  static func unauthorized(_ reply: HTTPReply, _ attempt: ServerClient.Attempt) -> ServerAPIError {
    var message =
      "the server rejected the token (401). Check the key id, the issuer id, that the key is an In-App Purchase key "
      + "that was not revoked, and that the bundle id is an app of this account; an app that was never released has no "
      + "production data, only the sandbox"
    if let date = HTTPDate.milliseconds(reply.date) {
      let minutes = (Timestamp.now.milliseconds - date) / 60_000
      if abs(minutes) >= 2 {
        message =
          "the server rejected the token (401), and the clock of this machine is \(abs(minutes)) minutes "
          + "\(minutes > 0 ? "ahead of" : "behind") the server's. Set the clock; tokens contain the time. If this does not "
          + "help, check the key id, the issuer id and the bundle id"
      }
    }
    return ServerAPIError(reason: .unauthorized, status: 401, message: message, requests: attempt.requests)
  }

  static func foreign(
    _ response: ServerResponse, _ server: String, _ attempt: ServerClient.Attempt
  ) -> ServerAPIError {
    let what =
      response.status == 407 ? "requires its own login (407)" : "answers with a web page (status \(response.status))"
    return ServerAPIError(
      reason: .unreachable(isHopeless: true), status: response.status,
      message:
        "something between this machine and \(SafeText.words(HTTPAddress.shown(server))) \(what); check the proxy "
        + "(https_proxy, no_proxy) and whether this network needs a login", requests: attempt.requests)
  }
}
