public import SlipcastSignatures
public import SlipcastWire

/// Why a request to the App Store Server API has no result.
public struct ServerAPIError: Error, Sendable, CustomStringConvertible {
  /// One kind of failure.
  public enum Reason: Sendable {
    /// Apple's answer is an error: its code, where the answer has one.
    case refused(code: Open<ServerErrorCode>?)
    /// The token was refused twice (401).
    case unauthorized
    /// No response came, after all tries; `isHopeless` where further requests would fail in the same way.
    case unreachable(isHopeless: Bool)
    /// A response came that is not as Apple documents it.
    case unexpectedResponse
    /// A signed part of the response is not trusted.
    case untrusted(Refusal)
    /// The token cannot be made.
    case signing(SigningError)
  }

  /// The reason.
  public var reason: Reason
  /// The status of the last response; `nil` when none came.
  public var status: Int?
  /// What happened and what to do; never a part of the key or of a token.
  public var message: String
  /// How many requests were sent.
  public var requests: Int
  /// The server has answered in JSON before.
  var isServerKnown = false

  init(reason: Reason, status: Int? = nil, message: String, requests: Int) {
    (self.reason, self.status, self.message, self.requests) = (reason, status, message, requests)
  }

  /// Apple's error code.
  public var code: ServerErrorCode? {
    if case .refused(let code) = reason { code?.known } else { nil }
  }

  /// The number of Apple's error code, known or not.
  public var codeNumber: Int64? {
    if case .refused(let code) = reason { code?.rawValue } else { nil }
  }

  /// The message.
  public var description: String { message }
}
