internal import CSlipcastCurl

/// A request of an `HTTPSession`.
package struct HTTPRequest: Sendable {
  package var address: String
  /// The body of a POST; `nil` for GET.
  package var body: [UInt8]?
  /// Header lines, without a line feed.
  package var headers: [String] = []
  /// How long the whole request may take, in seconds.
  package var timeout = 30.0
  /// Uses no proxy.
  package var isDirect = false

  package init(_ address: String) { self.address = address }
}

/// A response to a request.
package struct HTTPReply: Sendable {
  package var status: Int
  package var body: [UInt8]
  /// The whole time of the request, in seconds.
  package var seconds: Double
  /// The headers `Date`, `Retry-After` and `Content-Type`; empty where they are missing.
  package var (date, retryAfter, contentType) = ("", "", "")

  /// The request was successful: 2xx.
  package var isSuccess: Bool { (200...299).contains(status) }
}

/// No response came: the address, the connection, TLS, or the time was the cause.
package struct HTTPFailure: Error, Sendable, CustomStringConvertible {
  /// What failed.
  package enum Kind: Sendable {
    /// The host, or the proxy, has no address.
    case unknownHost
    /// The proxy does not pass connections on.
    case refusedByProxy
    /// Nobody accepts connections.
    case noConnection
    /// The certificate of the server is not trusted.
    case untrustedServer
    case timedOut
    /// The connection ended before the response did.
    case cutOff
    /// The response is larger than the limit.
    case tooLarge
    /// The session ended.
    case ended
    case other
  }

  package var kind: Kind
  /// libcurl's words, without the address.
  package var message: String
  /// The time that passed, in seconds.
  package var seconds: Double

  package init(kind: Kind = .other, message: String, seconds: Double) {
    (self.kind, self.message, self.seconds) = (kind, message, seconds)
  }

  package var description: String { message }
}

extension HTTPFailure.Kind {
  /// The kind of a failure by libcurl's code.
  ///
  /// - Parameter isConnected: a connection was made, TLS included.
  init(code: Int32, isConnected: Bool) {
    switch CURLcode(UInt32(bitPattern: code)) {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .unknownHost
    case CURLE_COULDNT_CONNECT: self = .noConnection
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CACERT_BADFILE: self = .untrustedServer
    case CURLE_OPERATION_TIMEDOUT: self = isConnected ? .timedOut : .noConnection
    // Something else than the server answered: a proxy that does not let requests through, or no TLS at all.
    case CURLE_SSL_CONNECT_ERROR, CURLE_RECV_ERROR, CURLE_SEND_ERROR: self = isConnected ? .cutOff : .noConnection
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_BAD_CONTENT_ENCODING:
      self = .cutOff
    case CURLE_WRITE_ERROR: self = .tooLarge
    default: self = .other
    }
  }
}

extension SlipcastTransfer {
  /// A text that the transfer keeps in an array of characters.
  static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The result of a transfer that ended with libcurl's code.
  func result(code: Int32, body: [UInt8]) -> Result<HTTPReply, HTTPFailure> {
    guard code == 0 else {
      let words = Self.text(message)
      return .failure(
        HTTPFailure(
          kind: (400...599).contains(proxy_status)
            ? .refusedByProxy : HTTPFailure.Kind(code: code, isConnected: is_connected != 0),
          message: words.isEmpty ? "libcurl failed (\(code))" : words, seconds: seconds))
    }
    return .success(
      HTTPReply(
        status: status, body: body, seconds: seconds, date: Self.text(date), retryAfter: Self.text(retry_text),
        contentType: Self.text(content_type)))
  }
}
