// Unsafe on purpose: CMS structures are OpenSSL's; see `OpenSSLHandle`. Nothing borrowed from one outlives it.
internal import CSlipcastCrypto
package import SlipcastWire

/// CMS signed data (RFC 5652; PKCS #7 of old), in DER or BER: the form of app receipts.
///
/// Read with `CMS_*`, because the older `PKCS7_*` functions have failed on malformed attributes.
package final class SignedMessage {
  private let message: OpenSSLHandle
  package let content: [UInt8]
  /// How its digest was made: `SHA1` or `SHA256` in genuine receipts.
  package let digestAlgorithm: String
  private let signerCount: Int32
  /// The bytes of the embedded certificates, where the message is in DER; otherwise OpenSSL has read them.
  let certificateSet: [UInt8]?

  package static let limit = 16 << 20

  /// Reads a message without verifying it.
  ///
  /// - Throws: `Refusal` for other bytes, trailing bytes, another content type than data, or no content.
  package init(_ bytes: some Collection<UInt8>) throws(Refusal) {
    guard !bytes.isEmpty else { throw Refusal(.empty) }
    guard bytes.count <= Self.limit else { throw Refusal(.tooLarge, "expected \(Self.limit >> 20) MiB at most") }
    ERR_clear_error()
    let whole = Array(bytes)
    let parts = MessageCertificates(whole)
    certificateSet = parts?.certificates
    let parsed = OpenSSLValue.parse(parts?.message ?? whole) { d2i_CMS_ContentInfo(nil, $0, $1) }
    guard let message = OpenSSLHandle(parsed.object, free: { CMS_ContentInfo_free($0) }) else {
      throw Refusal(.messageUnreadable, MessageDamage.detail(whole, OpenSSLErrors.take()))
    }
    guard OBJ_obj2nid(CMS_get0_type(message.pointer)) == NID_pkcs7_signed else {
      throw Refusal(.messageUnreadable, "expected signed data")
    }
    guard parsed.rest == 0 else { throw Refusal(.trailingBytes, "\(parsed.rest) of them") }
    if parts != nil, let others = CMS_get1_certs(message.pointer) {
      // A second field of that kind: readers may differ on which of them counts.
      OPENSSL_sk_pop_free(others) { X509_free($0.map { OpaquePointer($0) }) }
      throw Refusal(.messageUnreadable, "expected the certificates once")
    }
    guard OBJ_obj2nid(CMS_get0_eContentType(message.pointer)) == NID_pkcs7_data else { throw Refusal(.contentType) }
    guard let place = CMS_get0_content(message.pointer), let octets = place.pointee,
      let content = OpenSSLValue.bytes(of: octets)
    else { throw Refusal(.contentMissing) }
    (self.message, self.content) = (message, content)
    // OpenSSL does not need its own copy: the signature is checked over this one.
    ASN1_STRING_set0(octets, nil, 0)
    let signers = CMS_get0_SignerInfos(message.pointer)
    signerCount = max(0, OPENSSL_sk_num(signers))
    digestAlgorithm = Self.digestAlgorithm(Self.signer(signers))
  }

  private static func signer(_ signers: OpaquePointer?) -> OpaquePointer? {
    OPENSSL_sk_num(signers) < 1 ? nil : OPENSSL_sk_value(signers, 0).map { OpaquePointer($0) }
  }

  private static func digestAlgorithm(_ signer: OpaquePointer?) -> String {
    guard let signer else { return "" }
    return OBJ_nid2sn(OpenSSLValue.algorithms(of: signer).digest).map { String(cString: $0) } ?? ""
  }

  /// Rejects a signer that names another signature algorithm than the one that is checked.
  private func requireRSA(_ signer: OpaquePointer) throws(Refusal) {
    let withDigest = digestAlgorithm == "SHA1" ? NID_sha1WithRSAEncryption : NID_sha256WithRSAEncryption
    guard [NID_rsaEncryption, withDigest].contains(OpenSSLValue.algorithms(of: signer).signature) else {
      throw Refusal(.signatureMalformed, "expected RSA with the signer's digest")
    }
  }

  /// The embedded certificates, in their order.
  ///
  /// - Throws: `Refusal` for one that cannot be read.
  package func certificates() throws(Refusal) -> [Certificate] {
    if let certificateSet { return try MessageCertificates.read(certificateSet) }
    guard let stack = CMS_get1_certs(message.pointer) else { return [] }
    defer { OPENSSL_sk_pop_free(stack) { X509_free($0.map { OpaquePointer($0) }) } }
    guard OPENSSL_sk_num(stack) <= 16 else { throw Refusal(.certificateCount, "expected 16 at most") }
    return CertificateStack.certificates(borrowed: stack)
  }

  /// Verifies the one signature, and the signer's certificate chain as of a time.
  ///
  /// - Parameter isSelfTrusted: trusts the signer's certificate if it is itself one of the roots: for receipts of
  ///   Xcode, whose only certificate is self-signed.
  /// - Throws: `Refusal` with the first failed check.
  package func verify(
    to anchors: TrustAnchors, at time: Timestamp, cache: MessageSignerCache, isSelfTrusted: Bool
  ) throws(Refusal) -> [Certificate] {
    let signer = try onlySigner()
    let set = try cache.certificates(of: self)
    let certificate = try signerCertificate(signer, set.certificates)
    try checkSignature(signer, certificate)
    if isSelfTrusted, anchors.roots.contains(certificate) {
      try CertificatePath([certificate]).require(time)
      return [certificate]
    }
    let path = try set.path(from: certificate, to: anchors, at: time)
    cache.keep(set, of: self)
    return path.certificates
  }

  /// Verifies the signature with the signer's own certificate, whoever the signer is: this establishes no trust.
  package func verifySignatureAlone() throws(Refusal) {
    let signer = try onlySigner()
    try checkSignature(signer, try signerCertificate(signer, try certificates()))
  }

  private func onlySigner() throws(Refusal) -> OpaquePointer {
    guard signerCount == 1, let signer = Self.signer(CMS_get0_SignerInfos(message.pointer)) else {
      throw Refusal(signerCount == 0 ? .signatureMissing : .signerCount, "found \(signerCount)")
    }
    guard digestAlgorithm == "SHA1" || digestAlgorithm == "SHA256" else {
      throw Refusal(.digestAlgorithm)
    }
    try requireRSA(signer)
    return signer
  }

  /// The certificate that the signer names by issuer and serial number.
  private func signerCertificate(
    _ signer: OpaquePointer, _ certificates: [Certificate]
  ) throws(Refusal) -> Certificate {
    guard !certificates.isEmpty else { throw Refusal(.certificatesMissing) }
    let named = certificates.filter { CMS_SignerInfo_cert_cmp(signer, $0.handle.pointer) == 0 }
    guard let certificate = named.first else { throw Refusal(.signerCertificateMissing) }
    // A second certificate with that name could have signed what is attributed to the first one.
    guard named.allSatisfy({ $0 == certificate }) else { throw Refusal(.signerCertificateAmbiguous) }
    return certificate
  }

  /// Checks the one signature: over the content, or over attributes that contain the content's digest (RFC 5652 section
  /// 5.4).
  ///
  /// `CMS_verify` is not used, because it hashes the content once for each digest algorithm that the message lists,
  /// however many.
  private func checkSignature(_ signer: OpaquePointer, _ certificate: Certificate) throws(Refusal) {
    let digest: RSASignature.Digest = digestAlgorithm == "SHA1" ? .sha1 : .sha256
    guard CMS_signed_get_attr_count(signer) >= 0 else {
      guard let octets = CMS_SignerInfo_get0_signature(signer), let signature = OpenSSLValue.bytes(of: octets) else {
        throw Refusal(.signatureMissing)
      }
      return try RSASignature.check(signature, over: content, by: certificate, digest)
    }
    _ = try RSASignature.key(of: certificate)
    CMS_SignerInfo_set1_signer_cert(signer, certificate.handle.pointer)
    guard CMS_SignerInfo_verify(signer) == 1 else { throw Refusal(.signatureMismatch, OpenSSLErrors.take()) }
    // -3: the attribute occurs once and has one value.
    let stated = CMS_signed_get0_data_by_OBJ(signer, OBJ_nid2obj(NID_pkcs9_messageDigest), -3, V_ASN1_OCTET_STRING)
    let type = CMS_signed_get0_data_by_OBJ(signer, OBJ_nid2obj(NID_pkcs9_contentType), -3, V_ASN1_OBJECT)
    guard let stated, let type, OBJ_obj2nid(OpaquePointer(type)) == NID_pkcs7_data else {
      _ = OpenSSLErrors.take()
      throw Refusal(.signatureMismatch, "the signed attributes do not name digest and type of the content")
    }
    let octets = stated.assumingMemoryBound(to: ASN1_OCTET_STRING.self)
    guard OpenSSLValue.bytes(of: octets) == (digest == .sha1 ? Digest.sha1(content) : Digest.sha256(content)) else {
      throw Refusal(.signatureMismatch, "the signed attributes contain the digest of another content")
    }
  }
}
