// Unsafe on purpose: CMS structures are OpenSSL's; see `OpenSSLHandle`. Nothing borrowed from one outlives it.
internal import CSlipcastCrypto
package import SlipcastWire

/// CMS signed data (RFC 5652; PKCS #7 of old), in DER or BER: the form of app receipts.
///
/// Read with `CMS_*`, because the older `PKCS7_*` functions have failed on malformed attributes.
package final class SignedMessage {
  private let message: OpenSSLHandle
  /// The signed content.
  package let content: [UInt8]
  /// How its digest was made: `SHA1` or `SHA256` in genuine receipts.
  package let digestAlgorithm: String
  private let signerCount: Int32
  /// The bytes of the certificates that came along, where the message is in DER; else OpenSSL has read them.
  let certificateSet: [UInt8]?

  /// The most bytes that a message may have.
  package static let limit = 16 << 20

  /// Reads a message; nothing is verified.
  ///
  /// - Throws: `Refusal` for other bytes, bytes behind it, another content type than data, or no content.
  package init(_ bytes: some Collection<UInt8>) throws(Refusal) {
    guard !bytes.isEmpty else { throw Refusal(.empty) }
    guard bytes.count <= Self.limit else { throw Refusal(.tooLarge) }
    let whole = Array(bytes)
    let parts = MessageCertificates(whole)
    certificateSet = parts?.certificates
    let parsed = Self.parse(parts?.message ?? whole)
    guard let message = OpenSSLHandle(parsed.message, free: { CMS_ContentInfo_free($0) }) else {
      throw Refusal(.messageUnreadable, OpenSSLErrors.take())
    }
    guard OBJ_obj2nid(CMS_get0_type(message.pointer)) == NID_pkcs7_signed else {
      throw Refusal(.messageUnreadable, "expected signed data")
    }
    guard parsed.rest == 0 else { throw Refusal(.trailingBytes, "\(parsed.rest) of them") }
    guard OBJ_obj2nid(CMS_get0_eContentType(message.pointer)) == NID_pkcs7_data else { throw Refusal(.contentType) }
    guard let place = CMS_get0_content(message.pointer), let octets = place.pointee,
      let start = ASN1_STRING_get0_data(octets)
    else { throw Refusal(.contentMissing) }
    self.message = message
    content = Array(UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(octets))))
    let signers = CMS_get0_SignerInfos(message.pointer)
    signerCount = max(0, OPENSSL_sk_num(signers))
    digestAlgorithm = Self.digestAlgorithm(Self.signer(signers))
  }

  private static func parse(_ bytes: [UInt8]) -> (message: OpaquePointer?, rest: Int) {
    bytes.withUnsafeBufferPointer { buffer in
      var place = buffer.baseAddress
      let message = d2i_CMS_ContentInfo(nil, &place, buffer.count)
      let end = buffer.baseAddress.map { $0 + buffer.count }
      return (message, message == nil ? 0 : place.flatMap { place in end.map { $0 - place } } ?? 0)
    }
  }

  private static func signer(_ signers: OpaquePointer?) -> OpaquePointer? {
    OPENSSL_sk_num(signers) < 1 ? nil : OPENSSL_sk_value(signers, 0).map { OpaquePointer($0) }
  }

  private static func digestAlgorithm(_ signer: OpaquePointer?) -> String {
    guard let signer else { return "" }
    var algorithm: UnsafeMutablePointer<X509_ALGOR>?
    CMS_SignerInfo_get0_algs(signer, nil, nil, &algorithm, nil)
    var object: OpaquePointer?
    guard let algorithm else { return "" }
    X509_ALGOR_get0(&object, nil, nil, algorithm)
    return object.flatMap { OBJ_nid2sn(OBJ_obj2nid($0)) }.map { String(cString: $0) } ?? ""
  }

  /// The certificates that came along, in their order.
  ///
  /// - Throws: `Refusal` for one that cannot be read.
  package func certificates() throws(Refusal) -> [Certificate] {
    if let certificateSet { return try MessageCertificates.read(certificateSet) }
    guard let stack = CMS_get1_certs(message.pointer) else { return [] }
    defer { OPENSSL_sk_pop_free(stack) { X509_free($0.map { OpaquePointer($0) }) } }
    guard OPENSSL_sk_num(stack) <= 16 else { throw Refusal(.certificateCount, "expected 16 at most") }
    return CertificateStack.certificates(borrowed: stack)
  }

  /// Verifies the one signature and the signer's certificate path as of a time.
  ///
  /// - Parameter isSelfTrusted: takes the signer's certificate for good if it is itself one of the roots: for
  ///   receipts of Xcode, whose one certificate is self-signed.
  /// - Throws: `Refusal` with the one thing that failed first.
  package func verify(
    to anchors: TrustAnchors, at time: Timestamp, cache: MessageSignerCache, isSelfTrusted: Bool
  ) throws(Refusal) -> [Certificate] {
    let signer = try onlySigner()
    let set = try cache.certificates(of: self)
    let certificate = try signerCertificate(signer, set.certificates)
    try checkSignature(signer, certificate)
    if isSelfTrusted, anchors.roots.contains(certificate) { return [certificate] }
    return try set.path(from: certificate, to: anchors, at: time).certificates
  }

  /// Verifies the signature with the signer's own certificate, whoever that is: nothing is trusted by this.
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
    return signer
  }

  /// The certificate that the signer names by issuer and serial number.
  private func signerCertificate(
    _ signer: OpaquePointer, _ certificates: [Certificate]
  ) throws(Refusal) -> Certificate {
    guard !certificates.isEmpty else { throw Refusal(.certificatesMissing) }
    let named = certificates.filter { CMS_SignerInfo_cert_cmp(signer, $0.handle.pointer) == 0 }
    guard let certificate = named.first else { throw Refusal(.signerCertificateMissing) }
    // A second certificate of that name could sign what the first one is believed for.
    guard named.allSatisfy({ $0 == certificate }) else { throw Refusal(.signerCertificateAmbiguous) }
    return certificate
  }

  private func checkSignature(_ signer: OpaquePointer, _ certificate: Certificate) throws(Refusal) {
    guard let key = X509_get0_pubkey(certificate.handle.pointer), EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
      _ = OpenSSLErrors.take()
      throw Refusal(.keyType, "expected RSA")
    }
    CMS_SignerInfo_set1_signer_cert(signer, certificate.handle.pointer)
    let flags = UInt32(CMS_BINARY) | UInt32(CMS_NO_SIGNER_CERT_VERIFY)
    guard CMS_verify(message.pointer, nil, nil, nil, nil, flags) == 1 else {
      throw Refusal(.signatureMismatch, OpenSSLErrors.take())
    }
  }
}
