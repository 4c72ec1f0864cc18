// Unsafe on purpose: OpenSSL builds and checks the path; its objects are owned by `OpenSSLHandle` or freed where made.
internal import CSlipcastCrypto
package import SlipcastWire

/// A valid certificate chain: signer, intermediate, root.
package struct CertificatePath: Sendable {
  /// The certificates, the signer's first.
  package let certificates: [Certificate]
  /// The time in which all of them are valid, both ends included.
  package let validity: ClosedRange<Timestamp>

  init(_ certificates: [Certificate]) {
    self.certificates = certificates
    let begin = certificates.map(\.notBefore).max() ?? Timestamp(milliseconds: 0)
    let end = certificates.map(\.notAfter).min() ?? begin
    // RFC 5280 section 4.1.2.5: the last second is part of it.
    let last = Timestamp(milliseconds: end.milliseconds + 999)
    validity = min(begin, last)...last
  }

  /// Rejects a time at which not all certificates are valid.
  func require(_ time: Timestamp) throws(Refusal) {
    if time < validity.lowerBound { throw Refusal(.certificateNotYetValid) }
    if time > validity.upperBound { throw Refusal(.certificateExpired) }
  }

  /// Builds and checks a chain of exactly three certificates from a signer's to one of the roots, as of a time.
  ///
  /// OpenSSL builds the chain according to RFC 5280. It ignores the length of keys and the age of digests, because
  /// receipts of the SHA-1 era are evaluated as of then; `strength` rejects what is too weak even so. Only the caller's
  /// roots count: a root that is embedded in the signature proves nothing. This function checks what RFC 5280 leaves to
  /// the application.
  ///
  /// - Throws: `Refusal` with the first failed check.
  package static func find(
    from signer: Certificate, through others: [Certificate], to anchors: TrustAnchors, at time: Timestamp,
    strength: CertificateStrength
  ) throws(Refusal) -> CertificatePath {
    let path = try build(signer, others + anchors.intermediates, to: anchors, at: time)
    try requireForm(path)
    let marker = strength.markers
    guard signer.markers.contains(marker.leaf) else { throw Refusal(.leafMarkerMissing, marker.leaf) }
    guard path[1].markers.contains(marker.intermediate) else {
      throw Refusal(.intermediateMarkerMissing, marker.intermediate)
    }
    try requireStrength(path, strength)
    return CertificatePath(path)
  }

  /// A signer, one authority above it, and a root; and the signer's key is for signatures.
  static func requireForm(_ path: [Certificate]) throws(Refusal) {
    guard path.count == 3 else { throw Refusal(.pathLength, "found \(path.count)") }
    guard path[1].isAuthority else { throw Refusal(.issuerNotAuthority) }
    guard path[0].isForSignatures else { throw Refusal(.keyUsage) }
  }

  /// Digests, keys and key identifiers of a path of three as Apple's have them.
  static func requireStrength(_ path: [Certificate], _ strength: CertificateStrength) throws(Refusal) {
    for (depth, certificate) in path.dropLast().enumerated() {
      try strength.check(certificate, isSigner: depth == 0)
    }
    // RFC 5280 sections 4.2.1.1 and 4.2.1.2; roots that are older, and test roots, have none themselves.
    if strength == .modern, path[2].hasSubjectKeyIdentifier,
      !(path[0].hasAuthorityKeyIdentifier && path[1].hasAuthorityKeyIdentifier && path[1].hasSubjectKeyIdentifier)
    {
      throw Refusal(.pathInvalid, "a key identifier is missing")
    }
  }

  /// The chain that OpenSSL builds, of any length, from a certificate to one of the roots as of a time.
  static func build(
    _ signer: Certificate, _ others: [Certificate], to anchors: TrustAnchors, at time: Timestamp
  ) throws(Refusal) -> [Certificate] {
    // No certificate is older or lasts longer, and OpenSSL does not support times before and after.
    let seconds = min(max(time.milliseconds.floorDivided(by: 1000), -2_208_988_800), 253_402_300_799)
    let attempt = attempt(signer, others, to: anchors, at: seconds)
    // OpenSSL 3.0 treats the last second of a certificate as the first one after it.
    switch attempt.endsNow ? self.attempt(signer, others, to: anchors, at: seconds - 1).path : attempt.path {
    case .success(let path): return path
    case .failure(let refusal): throw refusal
    }
  }

  /// Builds a chain as of a second since 1970; also returns whether it failed because a certificate ends in that very
  /// second.
  private static func attempt(
    _ signer: Certificate, _ others: [Certificate], to anchors: TrustAnchors, at seconds: Int64
  ) -> (path: Result<[Certificate], Refusal>, endsNow: Bool) {
    ERR_clear_error()
    guard let context = OpenSSLHandle(X509_STORE_CTX_new(), free: { X509_STORE_CTX_free($0) }),
      let untrusted = OpenSSLHandle(OPENSSL_sk_new_null(), free: { OPENSSL_sk_free($0) })
    else { fatalError("OpenSSL has no memory for a certificate path") }
    // `context` borrows the stack and the certificates; all of them must outlive its last use.
    defer { withExtendedLifetime((context, untrusted, others, signer)) {} }
    for other in others { OpenSSLValue.push(other.handle, on: untrusted) }
    guard
      X509_STORE_CTX_init(context.pointer, anchors.store.pointer, signer.handle.pointer, untrusted.pointer) == 1,
      let parameters = X509_STORE_CTX_get0_param(context.pointer)
    else { return (.failure(Refusal(.pathInvalid, OpenSSLErrors.take())), false) }
    X509_VERIFY_PARAM_set_auth_level(parameters, 0)
    X509_VERIFY_PARAM_set_time(parameters, time_t(seconds))
    if X509_verify_cert(context.pointer) == 1 {
      return (.success(CertificateStack.certificates(borrowed: X509_STORE_CTX_get0_chain(context.pointer))), false)
    }
    defer { ERR_clear_error() }
    let code = X509_STORE_CTX_get_error(context.pointer)
    let refusal = refusal(code, X509_STORE_CTX_get_error_depth(context.pointer))
    guard code == X509_V_ERR_CERT_HAS_EXPIRED, let current = X509_STORE_CTX_get_current_cert(context.pointer) else {
      return (.failure(refusal), false)
    }
    let end = OpenSSLValue.time(X509_get0_notAfter(current), else: .min).milliseconds
    return (.failure(refusal), end.floorDivided(by: 1000) == seconds)
  }

  private static func refusal(_ code: Int32, _ depth: Int32) -> Refusal {
    let place = depth == 0 ? "the signer's" : depth == 1 ? "the intermediate" : "at depth \(depth)"
    switch code {
    case X509_V_ERR_CERT_HAS_EXPIRED: return Refusal(.certificateExpired, place)
    case X509_V_ERR_CERT_NOT_YET_VALID: return Refusal(.certificateNotYetValid, place)
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return Refusal(depth == 0 ? .issuerMissing : .untrustedRoot)
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      return Refusal(.untrustedRoot, "it ends at a root that is not among the trusted ones")
    case X509_V_ERR_CERT_SIGNATURE_FAILURE: return Refusal(.certificateSignature, place)
    case X509_V_ERR_INVALID_CA, X509_V_ERR_KEYUSAGE_NO_CERTSIGN, X509_V_ERR_PATH_LENGTH_EXCEEDED:
      return Refusal(.issuerNotAuthority, words(code))
    default: return Refusal(.pathInvalid, words(code))
    }
  }

  private static func words(_ code: Int32) -> String {
    X509_verify_cert_error_string(Int(code)).map { String(cString: $0) } ?? "error \(code)"
  }
}

enum CertificateStack {
  /// The certificates of a stack that OpenSSL owns.
  static func certificates(borrowed stack: OpaquePointer?) -> [Certificate] {
    (0..<max(0, OPENSSL_sk_num(stack))).compactMap { place in
      guard let certificate = OPENSSL_sk_value(stack, place).map({ OpaquePointer($0) }) else { return nil }
      X509_up_ref(certificate)
      return Certificate(taking: certificate)
    }
  }
}
