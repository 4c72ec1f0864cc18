@_spi(Slipcast) internal import SlipcastWire

/// Verifies signed V2 payloads (compact JWS, RFC 7515): signature, certificate chain, and the values of the policy.
///
/// Use a verifier in one task at a time. It caches signers, so a further token of the same signer needs only one check on
/// P-256.
///
/// Source: Apple, "JWSTransaction", "JWSRenewalInfo" and "responseBodyV2"; the order of checks is that of Apple's
/// server libraries.
public final class JWSVerifier {
  /// The requirements for tokens.
  public let policy: VerificationPolicy
  /// By the headers: tokens of one signer have identical ones.
  private var cache = SignerCache<TokenSigner>()
  private let reader: JSONReader
  private let clock: () -> Timestamp

  /// The most bytes that a token may have.
  public static let limit = 16 << 20

  /// A verifier with a policy.
  public convenience init(policy: VerificationPolicy = VerificationPolicy()) {
    self.init(policy: policy, clock: { Timestamp.now })
  }

  init(policy: VerificationPolicy, clock: @escaping () -> Timestamp) {
    self.policy = policy
    self.clock = clock
    reader = JSONReader(names: PayloadClaims.Key.names)
  }

  /// Verifies a token and every signed payload inside it.
  ///
  /// - Parameters:
  ///   - token: a compact JWS.
  ///   - expected: the kind of the token, where its path defines it.
  public func verify(_ token: some StringProtocol, expecting expected: SignedKind? = nil) -> Verdict {
    var text = String(token)
    var verdict = text.withUTF8 { verify($0.span, expecting: expected) }
    if verdict.refusal?.reason == .unrecognized { verdict.refusal?.detail = "JWSVerifier reads only JWS" }
    return verdict
  }

  /// Verifies a token in memory and every signed payload inside it.
  package func verify(_ token: Span<UInt8>, expecting expected: SignedKind? = nil) -> Verdict {
    var verdict = Verdict(kind: expected)
    var nested: [PayloadClaims.NestedToken] = []
    do throws(Refusal) {
      try judge(token, as: expected, into: &verdict, &nested)
    } catch {
      verdict.refusal = error
      return verdict
    }
    for inner in nested {
      let judged = verify(inner.token.span, expecting: inner.kind)
      verdict.isUnverified = verdict.isUnverified || judged.isUnverified
      verdict.revocation = RevocationStatus.worse(verdict.revocation, judged.revocation)
      guard let refusal = judged.refusal else { continue }
      let path = inner.path + (refusal.path.isEmpty ? "" : "." + refusal.path)
      verdict.refusal = Refusal(refusal.reason, refusal.detail, path: path)
      return verdict
    }
    return verdict
  }

  private func judge(
    _ token: Span<UInt8>, as expected: SignedKind?, into verdict: inout Verdict,
    _ nested: inout [PayloadClaims.NestedToken]
  ) throws(Refusal) {
    let parts = try TokenParts(token)
    let claims = try claims(token.extracting(parts.payload))
    verdict.kind = claims.kind ?? expected
    verdict.bundleId = claims.bundleId
    nested = claims.nested
    let isXcode = claims.environment == "Xcode" || claims.environment == "LocalTesting"
    if isXcode {
      // Such a token has no trusted signer, whatever it contains: Apple's libraries do not check its signature either.
      guard policy.acceptsXcode else { throw Refusal(.xcodeNotAccepted) }
      verdict.isUnverified = true
    } else {
      try checkSignature(of: token, parts, claims, &verdict)
    }
    guard let kind = claims.kind else { throw Refusal(.payloadUnknown) }
    if let expected, expected != kind {
      throw Refusal(.payloadUnknown, "expected \(expected.rawValue), found \(kind.rawValue)")
    }
    try compare(claims)
  }

  private func checkSignature(
    of token: Span<UInt8>, _ parts: TokenParts, _ claims: PayloadClaims, _ verdict: inout Verdict
  ) throws(Refusal) {
    let header = token.extracting(parts.header)
    let known = cache.find(header)
    let signer = if let known { known } else { try TokenSigner(header: header, anchors: policy.anchors) }
    verdict.certificates = signer.certificates
    guard !claims.isDateUnreadable else { throw Refusal(.signedDateUnreadable) }
    let now = clock()
    let time = policy.usesCurrentTime ? now : claims.signedDate.map(Timestamp.init(milliseconds:)) ?? now
    // The current time is unrelated to the token, and would differ in each run.
    verdict.isTimeUndetermined = claims.signedDate == nil && !policy.usesCurrentTime
    verdict.judgedAt = verdict.isTimeUndetermined ? nil : time
    let path = try signer.path(at: time)
    cache.keep(signer, for: header)
    verdict.certificates = path.certificates
    guard let signature = Base64.decode(token.extracting(parts.signature), .url) else {
      throw Refusal(.signatureMalformed)
    }
    try signer.key.check(signature, over: token.extracting(parts.signed))
    try verdict.check(path.certificates, policy.revocation)
    try check(claims, at: now)
  }

  private func claims(_ payload: Span<UInt8>) throws(Refusal) -> PayloadClaims {
    let claims = Base64.decode(payload, .url).flatMap { text in
      reader.parse(JSONBuffer(text)) { $0.kind == .object ? PayloadClaims($0.tape) : nil }
    }
    guard let claims else { throw Refusal(.payloadUnreadable) }
    return claims
  }

  /// Registered claims (RFC 7519 section 4.1) that Apple's payloads never contain; if one is present, it is respected.
  private func check(_ claims: PayloadClaims, at now: Timestamp) throws(Refusal) {
    let seconds = Double(now.milliseconds) / 1000
    if claims.isTimeUnreadable { throw Refusal(.claimNotYetValid, "exp, nbf or iat is not a number") }
    if let expiry = claims.times[.exp], expiry <= seconds { throw Refusal(.claimExpired) }
    if let begin = claims.times[.nbf], begin > seconds { throw Refusal(.claimNotYetValid, "nbf") }
    if let issued = claims.times[.iat], issued > seconds { throw Refusal(.claimNotYetValid, "iat") }
    if claims.hasAudience { throw Refusal(.claimAudience) }
    if claims.isNameUnreadable { throw Refusal(.payloadUnreadable, "sub, jti or iss is not a string") }
  }

  /// The values of the policy, in the order of Apple's libraries: bundle, app, environment.
  private func compare(_ claims: PayloadClaims) throws(Refusal) {
    // A renewal info names no bundle.
    if claims.kind != .renewalInfo { try policy.check(bundleId: claims.bundleId) }
    // Only Production has app ids: elsewhere the member is absent or 0.
    let namesApp = claims.kind == .notification || claims.kind == .appTransaction
    let isProduction = (policy.environment ?? claims.environment) == "Production"
    if let wanted = policy.appAppleId, namesApp, isProduction {
      guard let appAppleId = claims.appAppleId else { throw Refusal(.appAppleIdMissing) }
      guard appAppleId == wanted else { throw Refusal(.appAppleIdMismatch) }
    }
    if let wanted = policy.environment {
      guard let environment = claims.environment else { throw Refusal(.environmentMissing) }
      guard environment == wanted else { throw Refusal(.environmentMismatch) }
    }
  }
}
