// Unsafe on purpose: OpenSSL builds requests and reads answers; its objects are owned by `OpenSSLHandle`.
internal import CSlipcastCrypto
internal import SlipcastWire

/// A request about one certificate, and the reading of its answer (RFC 6960).
struct OCSPExchange {
  /// What an answer says, and until when it counts.
  struct Answer {
    var status: RevocationStatus
    var until: Timestamp?
  }

  private let certificate: Certificate
  private let issuer: Certificate
  /// The clocks of this machine and of the responder may differ, in seconds.
  private static let leeway = 60
  /// An answer without an end counts for a day, in seconds.
  private static let most = 86_400

  init(_ certificate: Certificate, issuer: Certificate) { (self.certificate, self.issuer) = (certificate, issuer) }

  /// The addresses of responders that the certificate names.
  var addresses: [String] {
    guard let list = X509_get1_ocsp(certificate.handle.pointer) else { return [] }
    defer { X509_email_free(list) }
    return (0..<max(0, OPENSSL_sk_num(list))).compactMap { place in
      OPENSSL_sk_value(list, place).map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    }
  }

  /// The names of the certificate in requests, by both digests that responders use.
  private func names() -> [OpenSSLHandle] {
    [EVP_sha256(), EVP_sha1()].compactMap { digest in
      OpenSSLHandle(
        OCSP_cert_to_id(digest, certificate.handle.pointer, issuer.handle.pointer), free: { OCSP_CERTID_free($0) })
    }
  }

  /// The request in DER.
  ///
  /// - Parameter isOld: names the certificate by SHA-1, for responders that know nothing else.
  func request(isOld: Bool) -> [UInt8]? {
    defer { _ = OpenSSLErrors.take() }
    let digest = isOld ? EVP_sha1() : EVP_sha256()
    guard let request = OpenSSLHandle(OCSP_REQUEST_new(), free: { OCSP_REQUEST_free($0) }),
      let name = OCSP_cert_to_id(digest, certificate.handle.pointer, issuer.handle.pointer)
    else { return nil }
    guard OCSP_request_add0_id(request.pointer, name) != nil else {
      OCSP_CERTID_free(name)
      return nil
    }
    return withExtendedLifetime(request) { OpenSSLValue.der { i2d_OCSP_REQUEST(request.pointer, $0) } }
  }

  /// Reads an answer as of a time.
  func read(_ bytes: [UInt8], now: Timestamp) -> Answer {
    defer { _ = OpenSSLErrors.take() }
    let parsed = OpenSSLValue.parse(bytes) { d2i_OCSP_RESPONSE(nil, $0, $1) }.object
    guard let response = OpenSSLHandle(parsed, free: { OCSP_RESPONSE_free($0) }) else { return .init(.malformed) }
    defer { withExtendedLifetime(response) {} }
    switch OCSP_response_status(response.pointer) {
    case OCSP_RESPONSE_STATUS_SUCCESSFUL: break
    case OCSP_RESPONSE_STATUS_TRYLATER, OCSP_RESPONSE_STATUS_INTERNALERROR: return .init(.tryLater)
    case OCSP_RESPONSE_STATUS_MALFORMEDREQUEST: return .init(.malformed)
    default: return .init(.unauthorized)
    }
    guard let basic = OpenSSLHandle(OCSP_response_get1_basic(response.pointer), free: { OCSP_BASICRESP_free($0) })
    else { return .init(.malformed) }
    defer { withExtendedLifetime(basic) {} }
    if let cause = distrust(basic, now: now) { return .init(cause) }
    return status(basic, now: now)
  }

  /// Why the signer of an answer is not trusted; `nil` when it is the issuer, or authorized by it.
  private func distrust(_ basic: OpenSSLHandle, now: Timestamp) -> RevocationStatus.Cause? {
    guard let candidates = OpenSSLHandle(OPENSSL_sk_new_null(), free: { OPENSSL_sk_free($0) }) else {
      return .malformed
    }
    OpenSSLValue.push(issuer.handle, on: candidates)
    var found: OpaquePointer?
    guard OCSP_resp_get0_signer(basic.pointer, &found, candidates.pointer) == 1, let found else {
      return .untrustedResponder
    }
    X509_up_ref(found)
    guard let signer = Certificate(taking: found) else { return .malformed }
    if signer != issuer {
      let isIssued =
        X509_check_issued(issuer.handle.pointer, signer.handle.pointer) == X509_V_OK && signer.isSigned(by: issuer)
      let isForAnswers = X509_get_extended_key_usage(signer.handle.pointer) & UInt32(XKU_OCSP_SIGN) != 0
      let hasUsage = X509_get_extension_flags(signer.handle.pointer) & UInt32(EXFLAG_XKUSAGE) != 0
      guard isIssued, isForAnswers, hasUsage, signer.notBefore <= now,
        now.milliseconds <= signer.notAfter.milliseconds + 999
      else { return .untrustedResponder }
    }
    guard let signers = OpenSSLHandle(OPENSSL_sk_new_null(), free: { OPENSSL_sk_free($0) }) else { return .malformed }
    OpenSSLValue.push(signer.handle, on: signers)
    // The chain is checked above: only the signature is left.
    let flags = UInt(OCSP_NOVERIFY | OCSP_NOINTERN)
    defer { withExtendedLifetime((candidates, signers, signer)) {} }
    return OCSP_basic_verify(basic.pointer, signers.pointer, nil, flags) == 1 ? nil : .forged
  }

  private func status(_ basic: OpenSSLHandle, now: Timestamp) -> Answer {
    let told = names().lazy.compactMap { OpenSSLValue.status(of: $0, in: basic) }.first
    guard let told else { return .init(.otherCertificate) }
    let begin = told.from.milliseconds
    let end = told.until?.milliseconds ?? begin.addingReportingOverflow(Int64(Self.most) * 1000).partialValue
    let leeway = Int64(Self.leeway) * 1000
    guard begin != .max, end != .min, begin <= now.milliseconds + leeway, now.milliseconds <= end + leeway else {
      return .init(.stale)
    }
    let until = Timestamp(milliseconds: end)
    switch told.status {
    case V_OCSP_CERTSTATUS_GOOD: return Answer(status: .good, until: until)
    case V_OCSP_CERTSTATUS_REVOKED: return Answer(status: .revoked, until: until)
    default: return Answer(status: .unknown, until: until)
    }
  }
}

extension OCSPExchange.Answer {
  fileprivate init(_ cause: RevocationStatus.Cause) { self.init(status: .undetermined(cause), until: nil) }
}
