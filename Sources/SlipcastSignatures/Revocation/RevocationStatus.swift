/// What an OCSP responder says about a certificate.
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
}

/// The outcome of checking the certificates of one signature for revocation.
public enum Revocation: Hashable, Sendable {
  /// All certificates are good.
  case good
  /// A certificate is revoked.
  case revoked
  /// Nothing is known of a certificate; the reason as one word.
  case undetermined(reason: String)

  /// One word for programs.
  public var word: String {
    switch self {
    case .good: "good"
    case .revoked: "revoked"
    case .undetermined: "undetermined"
    }
  }

  /// The reason, where the outcome is not determined.
  public var reason: String? {
    if case .undetermined(let reason) = self { reason } else { nil }
  }

  /// The worse one of two outcomes.
  package static func worse(_ one: Revocation?, _ other: Revocation?) -> Revocation? {
    guard let one, let other else { return one ?? other }
    func rank(_ outcome: Revocation) -> Int {
      switch outcome {
      case .good: 0
      case .undetermined: 1
      case .revoked: 2
      }
    }
    return rank(one) >= rank(other) ? one : other
  }
}
