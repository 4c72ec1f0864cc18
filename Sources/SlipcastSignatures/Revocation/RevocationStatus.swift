internal import SlipcastWire

/// What OCSP responders say about a certificate, or about all certificates of one signature.
public enum RevocationStatus: Hashable, Sendable {
  /// The issuer has not revoked it.
  case good
  /// The issuer has revoked it.
  case revoked
  /// The responder signed that it does not know the certificate.
  case unknown
  /// No usable answer.
  case undetermined(Cause)

  /// Why the answer is missing or unusable.
  public enum Cause: String, CaseIterable, Hashable, Sendable {
    /// The certificate names no responder.
    case noResponder
    /// The responder cannot be reached, or its HTTP status is an error.
    case unreachable
    /// The answer is not an OCSP response, or has no content.
    case malformed
    /// The responder asks to try later, or has an internal error.
    case tryLater
    /// The responder does not answer for this certificate.
    case unauthorized
    /// The signature of the answer is not that of its signer.
    case forged
    /// The signer of the answer is neither the issuer nor authorized by it.
    case untrustedResponder
    /// The answer is about another certificate.
    case otherCertificate
    /// The answer is too old, or from the future.
    case stale
  }

  /// One word for programs: `good`, `revoked` or `undetermined`.
  public var word: String {
    switch self {
    case .good: "good"
    case .revoked: "revoked"
    case .undetermined, .unknown: "undetermined"
    }
  }

  /// The reason, where nothing is known of a certificate.
  public var reason: String? {
    switch self {
    case .good, .revoked: nil
    case .unknown: "unknown"
    case .undetermined(let cause): cause.rawValue
    }
  }

  /// The worse one of two outcomes.
  package static func worse(_ one: RevocationStatus?, _ other: RevocationStatus?) -> RevocationStatus? {
    guard let one, let other else { return one ?? other }
    func rank(_ outcome: RevocationStatus) -> Int { outcome == .good ? 0 : outcome == .revoked ? 2 : 1 }
    return rank(one) >= rank(other) ? one : other
  }
}
