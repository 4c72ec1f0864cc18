internal import CSlipcastCurl

struct HTTPRequest: Sendable {
  var address: String
  var body: [UInt8]?
  /// Header lines, without a line feed.
  var headers: [String] = []
  /// How long the whole request may take, in seconds.
  var timeout = 30.0
  var isDirect = false
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
    case noConnection
    case untrustedServer
    case timedOut
    /// The connection ended before the response did.
    case cutOff
    case tooLarge
    case ended
    case other
  }

  package var kind: Kind
  /// libcurl's words, without the address.
  package var message: String
  /// The time that passed, in seconds.
  package var seconds: Double

  package init(kind: Kind = .other, message: String, seconds: Double = 0) {
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
    // The callback before a request aborts only its repetition, after a connection that ended.
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_BAD_CONTENT_ENCODING,
      CURLE_ABORTED_BY_CALLBACK:
      self = .cutOff
    case CURLE_WRITE_ERROR: self = .tooLarge
    default: self = .other
    }
  }
}
