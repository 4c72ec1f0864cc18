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

  /// Parses a blob.
  ///
  /// - Throws: `Refusal` for another version or an unreadable certificate.
  package init(version: UInt8, signature: [UInt8], certificate: [UInt8]) throws(Refusal) {
    guard version == 2 || version == 3 else { throw Refusal(.signatureVersion, "found \(version)") }
    self.certificate = try Certificate(der: certificate)
    (self.version, self.signature) = (version, signature)
  }

  /// The certificate in the blob.
  package var certificates: [Certificate] { [certificate] }

  /// Verifies the signature over `purchase-info`, and the certificate chain as of a time.
  ///
  /// - Returns: the chain.
  /// - Throws: `Refusal` with the first failed check.
  package func verify(
    over purchaseInfo: [UInt8], to anchors: TrustAnchors, at time: Timestamp
  ) throws(Refusal) -> [Certificate] {
    try RSASignature.check(signature, over: [version] + purchaseInfo, by: certificate, .sha1)
    let marks = version == 2 ? CertificateMarks.iTunesStore : .appStore
    return try CertificatePath.find(
      from: certificate, through: [], to: anchors, at: time, marks: marks,
      strength: version == 2 ? .rsa1024 : .sha1
    ).certificates
  }
}
