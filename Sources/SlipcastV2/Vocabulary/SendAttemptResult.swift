/// The result of an attempt to deliver a notification.
///
/// Source: App Store Server API, sendAttemptResult.
public enum SendAttemptResult: String, CaseIterable, Hashable, Sendable {
  /// Delivered.
  case success = "SUCCESS"
  /// The server did not answer in time.
  case timedOut = "TIMED_OUT"
  /// The secure connection could not be made.
  case tlsIssue = "TLS_ISSUE"
  /// Redirections went round in a circle.
  case circularRedirect = "CIRCULAR_REDIRECT"
  /// There was no response.
  case noResponse = "NO_RESPONSE"
  /// The network connection failed.
  case socketIssue = "SOCKET_ISSUE"
  /// The answer's character set is not supported.
  case unsupportedCharset = "UNSUPPORTED_CHARSET"
  /// The answer was not valid.
  case invalidResponse = "INVALID_RESPONSE"
  /// The connection closed during the exchange.
  case prematureClose = "PREMATURE_CLOSE"
  /// The answer was no HTTP 200 to 206.
  case unsuccessfulHTTPResponseCode = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
  /// Another reason.
  case other = "OTHER"
}
