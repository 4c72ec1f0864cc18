// Unsafe on purpose: OpenSSL reads arrays in place; the context has one owner.
internal import CSlipcastCrypto
package import SlipcastWire

/// The signature of a transaction receipt in the style of iOS 6: RSA PKCS #1 v1.5 with SHA-1 over the version byte and
/// the bytes of `purchase-info`, by the one certificate in the blob.
///
/// Source: Apple's sample code of 2012 for in-app purchase validation on iOS.
package struct BlobSignature: Sendable {
  /// 2 or 3: which certificates Apple used.
  package let version: UInt8
  private let signature: [UInt8]
  private let certificate: Certificate

  /// Takes the parts of a blob.
  ///
  /// - Throws: `Refusal` for another version or an unreadable certificate.
  package init(version: UInt8, signature: [UInt8], certificate: [UInt8]) throws(Refusal) {
    guard version == 2 || version == 3 else { throw Refusal(.signatureVersion, "found \(version)") }
    self.certificate = try Certificate(der: certificate)
    (self.version, self.signature) = (version, signature)
  }

  /// The certificate in the blob.
  package var certificates: [Certificate] { [certificate] }

  /// Verifies the signature over `purchase-info` and the certificate's path as of a time.
  ///
  /// - Returns: the path.
  /// - Throws: `Refusal` with the one thing that failed first.
  package func verify(
    over purchaseInfo: [UInt8], to anchors: TrustAnchors, at time: Timestamp
  ) throws(Refusal) -> [Certificate] {
    try check([version] + purchaseInfo)
    let marks = version == 2 ? CertificateMarks.iTunesStore : .appStore
    return try CertificatePath.find(from: certificate, through: [], to: anchors, at: time, marks: marks).certificates
  }

  private func check(_ text: [UInt8]) throws(Refusal) {
    guard let key = X509_get0_pubkey(certificate.handle.pointer), EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else {
      _ = OpenSSLErrors.take()
      throw Refusal(.keyType, "expected RSA")
    }
    guard let context = OpenSSLHandle(EVP_MD_CTX_new(), free: { EVP_MD_CTX_free($0) }),
      EVP_DigestVerifyInit(context.pointer, nil, EVP_sha1(), nil, key) == 1
    else { throw Refusal(.keyType, OpenSSLErrors.take()) }
    guard EVP_DigestVerify(context.pointer, signature, signature.count, text, text.count) == 1 else {
      _ = OpenSSLErrors.take()
      throw Refusal(.signatureMismatch)
    }
  }
}
